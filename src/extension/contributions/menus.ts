import type { CommandId } from './commands.ts';
import {
  all,
  canRunCell,
  canRunFailed,
  canRunSelection,
  canRunSheet,
  canRunStale,
  inDraft,
  inGrid,
  inLog,
  inMerge,
  inPromptFile,
  inPrompts,
  inPromptText,
  inRun,
  inRuns,
  inTree,
  inVersion,
  inWorkflow,
  inWorkflows,
  is,
  isConnected,
  isHosted,
  isLocal,
  onGrid,
  onIdleSheet,
  onItem,
  onLog,
  onPrompt,
  onRun,
  onWorkflow,
} from './when.ts';

export interface MenuEntry {
  readonly command: CommandId;
  readonly when: string;
  /** `inline@1`, `navigation@1`, or a named group; groups that destroy are called `9_danger`. */
  readonly group: string;
}

const entry = (command: CommandId, when: string, group: string): MenuEntry => ({
  command,
  when,
  group,
});

const titleBar: readonly MenuEntry[] = [
  entry('promptTables.createTable', all(inTree, isConnected), 'navigation@1'),
  entry(
    'promptTables.filterTables',
    all(inTree, isConnected, is('promptTables.filtered', false)),
    'navigation@2',
  ),
  entry('promptTables.clearFilter', all(inTree, is('promptTables.filtered', true)), 'navigation@2'),
  entry('promptTables.refresh', all(inTree, isConnected), 'navigation@3'),
  entry('promptTables.switchConnection', inTree, '1_workspace@1'),
  entry('promptTables.addConnection', inTree, '1_workspace@2'),
  entry('promptTables.editConnection', all(inTree, isHosted), '1_workspace@3'),
  entry('promptTables.setKey', all(inTree, isHosted), '1_workspace@4'),
  entry('promptTables.importFile', all(inTree, isConnected), '2_content@1'),
  entry('promptTables.importClipboard', all(inTree, isConnected), '2_content@2'),
  entry('promptTables.openSample', inTree, '2_content@3'),
  entry('promptTables.showLog', inTree, '3_help@1'),
  entry('promptTables.restartService', all(inTree, isLocal), '3_help@2'),
  entry('promptTables.openDataFolder', all(inTree, isLocal), '3_help@3'),
  entry('promptTables.selectLocalDatabase', all(inTree, isLocal), '3_help@4'),
  entry('promptTables.signOut', all(inTree, isHosted), '9_danger@1'),
  entry('promptTables.removeConnection', all(inTree, isHosted), '9_danger@2'),
];

const promptsTitleBar: readonly MenuEntry[] = [
  entry('promptTables.newPrompt', all(inPrompts, isConnected), 'navigation@0'),
  entry('promptTables.runPrompt', all(inPrompts, isConnected), 'navigation@1'),
  entry(
    'promptTables.filterPrompts',
    all(inPrompts, isConnected, is('promptTables.promptsFiltered', false)),
    'navigation@2',
  ),
  entry(
    'promptTables.clearPromptFilter',
    all(inPrompts, is('promptTables.promptsFiltered', true)),
    'navigation@2',
  ),
  entry('promptTables.refreshPrompts', all(inPrompts, isConnected), 'navigation@3'),
  entry(
    'promptTables.showPromptFolders',
    all(inPrompts, is('promptTables.promptsInFolders', false)),
    '0_folders@1',
  ),
  entry(
    'promptTables.showPromptList',
    all(inPrompts, is('promptTables.promptsInFolders', true)),
    '0_folders@1',
  ),
  entry('promptTables.newPromptFolder', all(inPrompts, isConnected), '0_folders@2'),
  entry('promptTables.openPromptDraft', inPrompts, '0_folders@3'),
  entry('promptTables.setProviderKey', inPrompts, '1_keys@1'),
  entry('promptTables.clearTemplateCache', all(inPrompts, isConnected), '2_cache@1'),
  entry('promptTables.showLog', inPrompts, '3_help@1'),
  entry('promptTables.removeProviderKey', inPrompts, '9_danger@1'),
];

const anyPrompt = onPrompt('prompt', 'promptVersion', 'promptLabel');

const promptItems: readonly MenuEntry[] = [
  entry('promptTables.runPrompt', anyPrompt, 'inline@1'),
  entry('promptTables.openPrompt', anyPrompt, 'inline@2'),
  entry('promptTables.retryPrompts', onPrompt('problem'), 'inline@1'),
  entry('promptTables.runPrompt', anyPrompt, '1_run@1'),
  entry('promptTables.openPrompt', anyPrompt, '1_run@2'),
  entry('promptTables.copyPromptName', anyPrompt, '2_copy@1'),
  entry('promptTables.copyPromptAsCode', anyPrompt, '2_copy@2'),
  entry('promptTables.findPromptInCode', anyPrompt, '1_run@5'),
  entry('promptTables.editPrompt', anyPrompt, 'inline@3'),
  entry('promptTables.editPrompt', anyPrompt, '1_run@3'),
  entry('promptTables.pullPrompt', anyPrompt, '1_run@4'),
  entry('promptTables.comparePromptWithPrevious', anyPrompt, '4_compare@1'),
  entry('promptTables.selectPromptForCompare', anyPrompt, '4_compare@2'),
  entry(
    'promptTables.comparePromptWithSelected',
    all(anyPrompt, is('promptTables.promptSelected', true)),
    '4_compare@3',
  ),
  entry('promptTables.compareMany', anyPrompt, '4_compare@4'),
  entry('promptTables.newPromptFolder', onPrompt('promptFolder'), 'inline@1'),
  entry('promptTables.newPromptFolder', onPrompt('promptFolder'), '6_folder@1'),
  entry('promptTables.renamePromptFolder', onPrompt('promptFolder'), '6_folder@2'),
  entry('promptTables.movePromptFolder', onPrompt('promptFolder'), '6_folder@3'),
  entry('promptTables.deletePromptFolder', onPrompt('promptFolder'), '9_danger@1'),
  entry('promptTables.movePrompt', onPrompt('prompt'), '6_folder@3'),
  entry('promptTables.addPromptLabel', onPrompt('prompt', 'promptVersion'), '5_label@1'),
  entry('promptTables.movePromptLabel', onPrompt('promptLabel'), '5_label@2'),
  entry('promptTables.removePromptLabel', onPrompt('promptLabel'), '9_danger@1'),
  entry('promptTables.clearCachedTemplate', onPrompt('prompt'), '3_cache@1'),
];

const workflowsTitleBar: readonly MenuEntry[] = [
  entry('promptTables.runWorkflow', all(inWorkflows, isConnected), 'navigation@1'),
  entry(
    'promptTables.filterWorkflows',
    all(inWorkflows, isConnected, is('promptTables.workflowsFiltered', false)),
    'navigation@2',
  ),
  entry(
    'promptTables.clearWorkflowFilter',
    all(inWorkflows, is('promptTables.workflowsFiltered', true)),
    'navigation@2',
  ),
  entry('promptTables.refreshWorkflows', all(inWorkflows, isConnected), 'navigation@3'),
  entry('promptTables.showLog', inWorkflows, '3_help@1'),
];

const anyWorkflow = onWorkflow('workflow', 'workflowVersion', 'workflowLabel');

const workflowItems: readonly MenuEntry[] = [
  entry('promptTables.runWorkflow', anyWorkflow, 'inline@1'),
  entry('promptTables.openWorkflow', anyWorkflow, 'inline@2'),
  entry('promptTables.retryWorkflows', onWorkflow('problem'), 'inline@1'),
  entry('promptTables.runWorkflow', anyWorkflow, '1_run@1'),
  entry('promptTables.openWorkflow', anyWorkflow, '1_run@2'),
  entry('promptTables.copyWorkflowName', anyWorkflow, '2_copy@1'),
];

const runsTitleBar: readonly MenuEntry[] = [
  entry(
    'promptTables.filterRuns',
    all(inRuns, is('promptTables.runsFiltered', false)),
    'navigation@1',
  ),
  entry(
    'promptTables.clearRunFilter',
    all(inRuns, is('promptTables.runsFiltered', true)),
    'navigation@1',
  ),
  entry('promptTables.openRequests', all(inRuns, isConnected), 'navigation@2'),
  entry('promptTables.refreshRuns', inRuns, 'navigation@3'),
  entry('promptTables.filterRuns', all(inRuns, is('promptTables.runsFiltered', true)), '1_show@1'),
  entry('promptTables.deleteAllRuns', inRuns, '9_danger@1'),
];

const anyRun = onRun('run', 'loggedRun');

const runItems: readonly MenuEntry[] = [
  entry('promptTables.rerunRun', anyRun, 'inline@1'),
  entry('promptTables.addRunToSheet', anyRun, 'inline@2'),
  entry('promptTables.openRun', anyRun, '1_run@1'),
  entry('promptTables.rerunRun', anyRun, '1_run@2'),
  entry('promptTables.scoreRun', onRun('loggedRun'), '2_track@1'),
  entry('promptTables.addRunMetadata', onRun('loggedRun'), '2_track@2'),
  entry('promptTables.addRunToSheet', anyRun, '3_sheet@1'),
  entry('promptTables.deleteRun', anyRun, '9_danger@1'),
];

const items: readonly MenuEntry[] = [
  entry('promptTables.createSheet', onItem('table'), 'inline@1'),
  entry('promptTables.importFile', onItem('table'), 'inline@2'),
  entry('promptTables.refreshItem', onItem('table', 'sheet'), 'inline@8'),
  entry('promptTables.runStaleCells', onIdleSheet, 'inline@1'),
  entry('promptTables.cancelOperation', onItem('runningSheet'), 'inline@1'),
  entry('promptTables.runColumn', onItem('computedColumn'), 'inline@1'),
  entry('promptTables.addColumn', onItem('columns'), 'inline@1'),
  entry('promptTables.editColumn', onItem('textColumn', 'computedColumn'), 'inline@2'),
  entry('promptTables.cancelOperation', onItem('operation'), 'inline@1'),
  entry('promptTables.saveVersion', onItem('versions'), 'inline@1'),
  entry('promptTables.compareVersion', onItem('version'), 'inline@1'),
  entry('promptTables.restoreVersion', onItem('version'), 'inline@2'),
  entry('promptTables.retryItem', onItem('problem'), 'inline@1'),

  entry('promptTables.openSheet', onItem('sheet'), '1_open@1'),
  entry('promptTables.showCharts', onItem('sheet'), '1_open@2'),
  entry('promptTables.showScorecard', onItem('sheet'), '1_open@3'),
  entry('promptTables.createSheet', onItem('table'), '2_content@1'),
  entry('promptTables.importFile', onItem('table', 'sheet'), '2_content@2'),
  entry('promptTables.importClipboard', onItem('table', 'sheet'), '2_content@3'),
  entry('promptTables.exportSheet', onItem('sheet', 'version'), '2_content@4'),
  entry('promptTables.runStaleCells', onItem('sheet'), '3_run@1'),
  entry('promptTables.runColumn', onItem('computedColumn'), '3_run@1'),
  entry('promptTables.cancelOperation', onItem('runningSheet', 'operation'), '3_run@2'),
  entry('promptTables.evaluateSheet', onItem('sheet'), '3_run@3'),
  entry('promptTables.saveVersion', onItem('sheet', 'versions'), '4_version@1'),
  entry('promptTables.compareVersion', onItem('version'), '4_version@2'),
  entry('promptTables.restoreVersion', onItem('version'), '4_version@3'),
  entry('promptTables.addColumn', onItem('sheet', 'columns'), '5_edit@2'),
  entry('promptTables.editColumn', onItem('textColumn', 'computedColumn'), '5_edit@2'),
  entry('promptTables.renameColumn', onItem('textColumn', 'computedColumn'), '5_edit@3'),
  entry('promptTables.duplicateColumn', onItem('textColumn', 'computedColumn'), '5_edit@4'),
  entry('promptTables.renameTable', onItem('table'), '5_edit@1'),
  entry('promptTables.renameSheet', onItem('sheet'), '5_edit@1'),
  entry('promptTables.editScorecard', onItem('sheet'), '5_edit@3'),
  entry(
    'promptTables.copyName',
    onItem('table', 'sheet', 'textColumn', 'computedColumn', 'version'),
    '6_copy@1',
  ),
  entry(
    'promptTables.copyId',
    onItem('table', 'sheet', 'textColumn', 'computedColumn', 'operation', 'version'),
    '6_copy@2',
  ),
  entry('promptTables.copyLink', onItem('sheet'), '6_copy@3'),
  entry(
    'promptTables.refreshItem',
    onItem('table', 'sheet', 'columns', 'operations', 'versions'),
    '7_view@1',
  ),
  entry('promptTables.deleteTable', onItem('table'), '9_danger@1'),
  entry('promptTables.deleteSheet', onItem('sheet'), '9_danger@1'),
  entry('promptTables.deleteScorecard', onItem('sheet'), '9_danger@2'),
  entry('promptTables.deleteColumn', onItem('textColumn', 'computedColumn'), '9_danger@1'),
];

const editorTitle: readonly MenuEntry[] = [
  entry(
    'promptTables.grid.runStale',
    all(inGrid, is('promptTables.sheetRunning', false), canRunStale),
    'navigation@1',
  ),
  entry(
    'promptTables.grid.cancelRun',
    all(inGrid, is('promptTables.sheetRunning', true)),
    'navigation@1',
  ),
  entry('promptTables.grid.toggleDetails', inGrid, 'navigation@2'),
  entry('promptTables.grid.reload', inGrid, 'navigation@3'),
  entry('promptTables.grid.addRow', inGrid, '1_rows@1'),
  entry('promptTables.grid.goToRow', inGrid, '1_rows@2'),
  entry('promptTables.grid.goToColumn', inGrid, '1_rows@3'),
  entry('promptTables.grid.find', inGrid, '2_find@1'),
  entry('promptTables.grid.filter', inGrid, '2_find@2'),
  entry('promptTables.grid.clearFilter', inGrid, '2_find@3'),
  entry('promptTables.grid.runFailed', all(inGrid, canRunFailed), '2_run@1'),
  entry('promptTables.grid.sortAscending', inGrid, '3_order@1'),
  entry('promptTables.grid.sortDescending', inGrid, '3_order@2'),
  entry('promptTables.addColumn', inGrid, '4_columns@0'),
  entry('promptTables.grid.showColumns', inGrid, '4_columns@1'),
  entry('promptTables.grid.toggleSystemColumns', inGrid, '4_columns@2'),
  entry('promptTables.grid.resetLayout', inGrid, '4_columns@3'),
  entry('promptTables.exportSheet', inGrid, '5_take@1'),
  entry('promptTables.grid.exportSelection', inGrid, '5_take@2'),
  entry('promptTables.grid.reveal', inGrid, '6_view@1'),
  entry('promptTables.showCharts', inGrid, '6_view@2'),
  entry('promptTables.showScorecard', inGrid, '6_view@3'),
];

const runTitle: readonly MenuEntry[] = [
  entry(
    'promptTables.run.start',
    all(inRun, is('promptTables.promptRunning', false)),
    'navigation@1',
  ),
  entry(
    'promptTables.run.stop',
    all(inRun, is('promptTables.promptRunning', true)),
    'navigation@1',
  ),
  entry('promptTables.run.openOutput', inRun, 'navigation@2'),
  entry('promptTables.run.showRaw', inRun, 'navigation@3'),
  entry('promptTables.run.chooseModel', inRun, '1_output@-1'),
  entry('promptTables.run.compare', inRun, '1_output@0'),
  entry('promptTables.run.copyOutput', inRun, '1_output@1'),
  entry('promptTables.run.copyAsCode', inRun, '1_output@2'),
];

const logTitle: readonly MenuEntry[] = [
  entry('promptTables.log.filterRequests', inLog, 'navigation@1'),
  entry('promptTables.log.toggleDetails', inLog, 'navigation@2'),
  entry('promptTables.log.reload', inLog, 'navigation@3'),
  entry('promptTables.log.showColumns', inLog, '1_columns@1'),
];

const logMenu: readonly MenuEntry[] = [
  entry('promptTables.log.openRequest', onLog('cell', 'row'), '1_request@1'),
  entry('promptTables.log.replayRequest', onLog('cell', 'row'), '1_request@2'),
  entry('promptTables.log.importRequests', onLog('cell', 'row'), '1_request@3'),
  entry('promptTables.log.copy', onLog('cell', 'row'), '2_copy@1'),
  entry('promptTables.log.copyWithHeaders', onLog('cell', 'row'), '2_copy@2'),
  entry('promptTables.log.copyAsJson', onLog('cell', 'row'), '2_copy@3'),
  entry('promptTables.log.toggleDetails', onLog('cell'), '3_view@1'),
];

const workflowTitle: readonly MenuEntry[] = [
  entry(
    'promptTables.workflow.start',
    all(inWorkflow, is('promptTables.workflowRunning', false)),
    'navigation@1',
  ),
  entry(
    'promptTables.workflow.stop',
    all(inWorkflow, is('promptTables.workflowRunning', true)),
    'navigation@1',
  ),
  entry('promptTables.workflow.openOutput', inWorkflow, 'navigation@2'),
  entry('promptTables.workflow.showAll', inWorkflow, 'navigation@3'),
  entry('promptTables.workflow.copyOutput', inWorkflow, '1_output@1'),
];

const promptTextTitle: readonly MenuEntry[] = [
  entry('promptTables.runPromptDocument', inPromptText, 'navigation@1'),
  entry('promptTables.editPromptDocument', inVersion, 'navigation@2'),
  entry('promptTables.publishPrompt', inDraft, 'navigation@2'),
  entry('promptTables.pushPromptFile', inPromptFile, 'navigation@2'),
  entry('promptTables.comparePromptWithService', inDraft, 'navigation@3'),
  entry('promptTables.comparePromptWithService', inPromptFile, 'navigation@3'),
  entry('promptTables.compareMany', inPromptText, '1_prompt@4'),
  entry('promptTables.pullPromptFile', inPromptFile, '1_prompt@1'),
  entry('promptTables.completePromptMerge', inMerge, 'navigation@2'),
  entry('promptTables.comparePromptWithMine', inMerge, 'navigation@3'),
  entry('promptTables.comparePromptWithMine', inDraft, '1_prompt@2'),
  entry('promptTables.comparePromptWithMine', inPromptFile, '1_prompt@2'),
  entry('promptTables.cancelPromptMerge', inMerge, '1_prompt@3'),
  entry('promptTables.discardPromptDraft', inDraft, '9_danger@1'),
];

const gridMenu: readonly MenuEntry[] = [
  entry('promptTables.grid.editCell', onGrid('cell'), '1_cell@1'),
  entry('promptTables.grid.openValue', onGrid('cell'), '1_cell@2'),
  entry('promptTables.grid.toggleDetails', onGrid('cell'), '1_cell@3'),
  entry('promptTables.grid.copy', onGrid('cell', 'row'), '2_copy@1'),
  entry('promptTables.grid.copyWithHeaders', onGrid('cell', 'row'), '2_copy@2'),
  entry('promptTables.grid.copyAsCsv', onGrid('cell', 'row'), '2_copy@3'),
  entry('promptTables.grid.copyAsJson', onGrid('cell', 'row'), '2_copy@4'),
  entry('promptTables.grid.copyAsMarkdown', onGrid('cell', 'row'), '2_copy@5'),
  entry('promptTables.grid.cut', onGrid('cell'), '2_edit@1'),
  entry('promptTables.grid.paste', onGrid('cell'), '2_edit@2'),
  entry('promptTables.grid.pasteAs', onGrid('cell'), '2_edit@3'),
  entry('promptTables.grid.fillDown', onGrid('cell'), '2_edit@4'),
  entry('promptTables.grid.setNull', onGrid('cell'), '2_edit@5'),
  entry('promptTables.grid.exportSelection', onGrid('cell', 'row'), '2_copy@6'),
  entry('promptTables.grid.runCell', all(onGrid('cell'), canRunCell), '3_run@1'),
  entry('promptTables.grid.runSelection', all(onGrid('cell'), canRunSelection), '3_run@2'),
  entry('promptTables.grid.runRows', all(onGrid('cell', 'row'), canRunSheet), '3_run@3'),
  entry('promptTables.grid.runColumn', all(onGrid('cell', 'column'), canRunCell), '3_run@4'),
  entry('promptTables.grid.pinColumn', onGrid('column'), '4_columns@1'),
  entry('promptTables.grid.hideColumn', onGrid('column'), '4_columns@2'),
  entry('promptTables.grid.showColumns', onGrid('column'), '4_columns@3'),
  entry('promptTables.editColumn', onGrid('column'), '4_columns@0'),
  entry('promptTables.renameColumn', onGrid('column'), '4_columns@0'),
  entry('promptTables.duplicateColumn', onGrid('column'), '4_columns@0'),
  entry('promptTables.grid.addColumnLeft', onGrid('column'), '4_columns@4'),
  entry('promptTables.grid.addColumnRight', onGrid('column'), '4_columns@5'),
  entry('promptTables.compareColumns', onGrid('column'), '6_compare@1'),
  entry('promptTables.showCharts', onGrid('column'), '4_columns@5'),
  entry('promptTables.grid.addRow', onGrid('row'), '5_rows@1'),
  entry('promptTables.grid.deleteRows', onGrid('cell', 'row'), '9_danger@1'),
  entry('promptTables.deleteColumn', onGrid('column'), '9_danger@2'),
];

/** Menu by menu. What destroys comes last. */
export const menus: Readonly<Record<string, readonly MenuEntry[]>> = {
  'view/title': [...titleBar, ...promptsTitleBar, ...workflowsTitleBar, ...runsTitleBar],
  'explorer/context': [entry('promptTables.findPromptInCode', inPromptFile, '4_search@9')],
  'view/item/context': [...items, ...promptItems, ...workflowItems, ...runItems],
  'editor/title': [...promptTextTitle, ...editorTitle, ...logTitle, ...runTitle, ...workflowTitle],
  'webview/context': [...gridMenu, ...logMenu],
  'testing/item/context': [
    entry('promptTables.openEvaluatedSheet', 'controllerId == promptTables.evals', 'inline@3'),
  ],
};
