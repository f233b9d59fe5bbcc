import * as z from 'zod';
import { Choice, PanelId } from '../shell/choice-schema.ts';
import { lazy } from '../shell/lazy.ts';

/** What a page keeps in its state. */
export const WorkflowPage = lazy(() =>
  z.object({
    panelId: PanelId,
    connectionId: z.string(),
    workflowName: z.string(),
    choice: Choice,
  }),
);
