/**
 * What open panels and the Runs view need: a file of its own beside the extension's, loaded when
 * the first of them is there.
 */
export { LogPanel, requestDocument } from './requests/parts.ts';
export { historyFolder } from './shell/history-folder.ts';
export { askEditorModel } from './language-models/ask.ts';
export { RunHistory } from './kept-runs/run-history.ts';
export { RunPanel } from './run-panel/panel.ts';
export { openRunRecords, readRunRecord } from './run-panel/records.ts';
export { openRemembered } from './ask/open-remembered.ts';
export { openRuns } from './runs/view.ts';
export { documentText } from './workflow-panel/document-text.ts';
export { WorkflowPanel } from './workflow-panel/panel.ts';
export { openWorkflowRecords, readWorkflowRecord } from './workflow-panel/records.ts';
