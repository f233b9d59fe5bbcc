import * as z from 'zod';
import { Choice, Model, PanelId, SentParameters, Unpublished } from '../shell/choice-schema.ts';
import { lazy } from '../shell/lazy.ts';

/** What a page keeps in its state. */
export const PageState = lazy(() =>
  z.object({
    panelId: PanelId,
    connectionId: z.string(),
    promptName: z.string(),
    choice: Choice,
    model: Model.exactOptional(),
    parameters: SentParameters.exactOptional(),
    unpublished: Unpublished.exactOptional(),
  }),
);
