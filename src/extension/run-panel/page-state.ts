import * as z from 'zod';
import { Choice, Model, PanelId, Unpublished } from '../shell/choice-schema.ts';

/** What a page keeps in its state. */
export const PageState = z.object({
  panelId: PanelId,
  connectionId: z.string(),
  promptName: z.string(),
  choice: Choice,
  model: Model.exactOptional(),
  unpublished: Unpublished.exactOptional(),
});
