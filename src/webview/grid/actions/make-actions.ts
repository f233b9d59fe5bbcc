import type { ActionParts } from './action-parts.ts';
import { clipboardActions } from './clipboard-actions.ts';
import { columnActions } from './column-actions.ts';
import { editActions } from './edit-actions.ts';
import type { GridActions } from './grid-actions.ts';
import { logActions } from './log-actions.ts';
import { readOnlyActions } from './read-only-actions.ts';
import { rowActions } from './row-actions.ts';
import { runActions } from './run-actions.ts';
import { viewActions } from './view-actions.ts';

/** What the grid asks of the extension on the user's behalf, and how it tells the outcome. */
export const makeActions = (parts: ActionParts): GridActions => ({
  ...clipboardActions(parts),
  ...columnActions(parts),
  ...editActions(parts),
  ...logActions(parts),
  ...rowActions(parts),
  ...runActions(parts),
  ...viewActions(parts),
  ...(parts.model.sheet.log === undefined ? {} : readOnlyActions(parts)),
});
