/** What forms in editor tabs need: a file of its own beside the extension's, loaded with the first one. */
export { deleteColumn, duplicateColumn, renameColumn } from './column-form/actions.ts';
export { openColumnForm } from './column-form/panel.ts';
export { deleteScorecard, openScorecardForm } from './scorecard/panel.ts';
