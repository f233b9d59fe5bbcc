import * as z from 'zod';
import { Choice, PanelId } from '../shell/choice-schema.ts';

/** What a page keeps in its state. */
export const WorkflowPage = z.object({
  panelId: PanelId,
  connectionId: z.string(),
  workflowName: z.string(),
  choice: Choice,
});
