import { gridCommands } from '../../protocol/grid-commands.ts';
import type { GridCommand } from '../../protocol/grid-commands.ts';
import type { LogCommand } from '../../protocol/request-log.ts';
import type { PanelCommand } from '../../protocol/run.ts';
import type { WorkflowCommand } from '../../protocol/workflow.ts';
import {
  all,
  inCode,
  inDraft,
  inGrid,
  inLog,
  inMerge,
  inPromptFile,
  inPromptText,
  inRun,
  canRunCell,
  canRunFailed,
  canRunSelection,
  canRunSheet,
  canRunStale,
  inVersion,
  inWorkflow,
  is,
  isConnected,
  isHosted,
  isLocal,
  isElsewhere,
  never,
  notInGrid,
} from './when.ts';

export interface CommandDeclaration {
  readonly title: string;
  /** Codicon name; every command that stands inline or in a title bar has one. */
  readonly icon?: string;
  readonly enablement?: string;
  /** Where the palette shows it; absent: always. Commands that need an item say `never`. */
  readonly palette?: string;
}

const shell = {
  useLocal: { title: 'Use Local Workspace', icon: 'vm' },
  addConnection: { title: 'Connect to PromptLayer…', icon: 'add' },
  switchConnection: { title: 'Switch Workspace…', icon: 'arrow-swap' },
  editConnection: { title: 'Edit Connection…', icon: 'edit', palette: isHosted },
  setKey: { title: 'Set API Key…', icon: 'key', palette: isHosted },
  signOut: { title: 'Sign Out', icon: 'sign-out', palette: isHosted },
  manageAddresses: { title: 'Manage Allowed Addresses…', icon: 'shield' },
  removeConnection: { title: 'Remove Connection…', icon: 'trash', palette: isHosted },

  openSample: { title: 'Open Sample Sheet', icon: 'beaker' },
  refresh: { title: 'Refresh Tables', icon: 'refresh', palette: isConnected },
  refreshItem: { title: 'Refresh', icon: 'refresh', palette: never },
  filterTables: { title: 'Filter Tables by Name…', icon: 'filter', palette: isConnected },
  clearFilter: {
    title: 'Clear Table Filter',
    icon: 'clear-all',
    palette: is('promptTables.filtered', true),
  },
  loadMore: { title: 'Load More', palette: never },
  retryItem: { title: 'Try Again', icon: 'refresh', palette: never },
  revealSheet: { title: 'Reveal Sheet in Tables View', palette: never },
  openSheet: { title: 'Open Sheet…', icon: 'go-to-file', palette: isConnected },
  copyName: { title: 'Copy Name', palette: never },
  copyId: { title: 'Copy ID', palette: never },
  copyLink: { title: 'Copy Link to Sheet', palette: never },

  createTable: { title: 'New Table…', icon: 'new-folder', palette: isConnected },
  renameTable: { title: 'Rename Table…', icon: 'edit', palette: isConnected },
  deleteTable: { title: 'Delete Table…', icon: 'trash', palette: isConnected },
  createSheet: { title: 'New Sheet…', icon: 'new-file', palette: isConnected },
  renameSheet: { title: 'Rename Sheet…', icon: 'edit', palette: isConnected },
  deleteSheet: { title: 'Delete Sheet…', icon: 'trash', palette: isConnected },
  exportSheet: { title: 'Export Sheet…', icon: 'export', palette: isConnected },
  showCharts: { title: 'Show Sheet Charts…', icon: 'graph', palette: isConnected },
  showScorecard: { title: 'Show Sheet Score…', icon: 'star', palette: isConnected },
  editScorecard: { title: 'Edit Sheet Scorecard…', icon: 'edit', palette: isConnected },
  deleteScorecard: { title: 'Delete Sheet Scorecard…', icon: 'trash', palette: isConnected },
  importFile: { title: 'Import File…', icon: 'cloud-upload', palette: isConnected },
  importClipboard: { title: 'Import Clipboard…', palette: isConnected },

  runColumn: { title: 'Run Column…', icon: 'play', palette: isElsewhere },
  runStaleCells: { title: 'Run Stale Cells…', icon: 'run-all', palette: isElsewhere },
  evaluateSheet: { title: 'Evaluate Sheet…', icon: 'beaker', palette: isConnected },
  openEvaluatedSheet: { title: 'Open Sheet', icon: 'go-to-file', palette: never },
  cancelOperation: {
    title: 'Cancel Operation…',
    icon: 'stop-circle',
    palette: is('promptTables.running', true),
  },
  addColumn: { title: 'Add Column…', icon: 'add', palette: isConnected },
  editColumn: { title: 'Edit Column…', icon: 'edit', palette: isConnected },
  duplicateColumn: { title: 'Duplicate Column', palette: isConnected },
  renameColumn: { title: 'Rename Column…', palette: isConnected },
  compareColumns: { title: 'Compare Columns…', icon: 'diff', palette: isConnected },
  deleteColumn: { title: 'Delete Column…', icon: 'trash', palette: isConnected },
  saveVersion: { title: 'Save Sheet Version…', icon: 'save', palette: isConnected },
  compareVersion: { title: 'Compare Sheet Versions…', icon: 'diff', palette: isConnected },
  restoreVersion: { title: 'Restore Sheet Version…', icon: 'history', palette: isConnected },

  refreshPrompts: { title: 'Refresh Prompts', icon: 'refresh', palette: isElsewhere },
  filterPrompts: { title: 'Filter Prompts by Name or Tag…', icon: 'filter', palette: isElsewhere },
  clearPromptFilter: {
    title: 'Clear Prompt Filter',
    icon: 'clear-all',
    palette: is('promptTables.promptsFiltered', true),
  },
  loadMorePrompts: { title: 'Load More', palette: never },
  retryPrompts: { title: 'Try Again', icon: 'refresh', palette: never },
  showPromptFolders: {
    title: 'View Prompts in Folders',
    palette: all(isElsewhere, is('promptTables.promptsInFolders', false)),
  },
  showPromptList: {
    title: 'View Prompts as List',
    palette: all(isElsewhere, is('promptTables.promptsInFolders', true)),
  },
  // Not "New Prompt Folder…": the palette would list that before "New Prompt…".
  newPromptFolder: { title: 'Create Prompt Folder…', icon: 'new-folder', palette: isConnected },
  renamePromptFolder: { title: 'Rename Prompt Folder…', palette: isElsewhere },
  deletePromptFolder: { title: 'Delete Empty Prompt Folder…', palette: isElsewhere },
  movePrompt: { title: 'Move Prompt to Folder…', palette: isElsewhere },
  movePromptFolder: { title: 'Move Prompt Folder…', palette: never },
  openPrompt: { title: 'Open Prompt…', icon: 'go-to-file', palette: isConnected },
  newPrompt: { title: 'New Prompt…', icon: 'add', palette: isConnected },
  editPrompt: { title: 'Edit Prompt…', icon: 'edit', palette: isConnected },
  editPromptDocument: { title: 'Edit This Prompt', icon: 'edit', palette: inVersion },
  runPromptDocument: { title: 'Run Prompt in Editor…', icon: 'play', palette: inPromptText },
  openPromptDraft: { title: 'Open Prompt Draft…', icon: 'edit' },
  publishPrompt: { title: 'Publish Prompt…', icon: 'cloud-upload', palette: inDraft },
  pushPromptFile: { title: 'Push Prompt File…', icon: 'cloud-upload', palette: inPromptFile },
  discardPromptDraft: { title: 'Discard Prompt Draft…', icon: 'discard', palette: inDraft },
  selectPromptForCompare: { title: 'Select for Compare', palette: never },
  comparePromptWithSelected: { title: 'Compare with Selected', palette: never },
  comparePromptWithPrevious: { title: 'Compare with Previous Version', palette: never },
  comparePromptVersions: { title: 'Compare Prompt Versions…', palette: isConnected },
  compareMany: { title: 'Compare Many…', icon: 'table', palette: isElsewhere },
  comparePromptWithService: {
    title: 'Compare with Published Version',
    icon: 'diff',
    palette: inPromptText,
  },
  completePromptMerge: { title: 'Complete Merge', icon: 'check', palette: inMerge },
  continuePromptMerge: { title: 'Continue Prompt Merge', icon: 'git-merge', palette: inPromptText },
  cancelPromptMerge: { title: 'Cancel Prompt Merge…', icon: 'discard', palette: inPromptText },
  comparePromptWithMine: {
    title: 'Compare with My Text Before the Merge',
    icon: 'diff',
    palette: inPromptText,
  },
  pullPrompt: { title: 'Pull Prompt to File…', icon: 'cloud-download', palette: isConnected },
  pullPromptFile: {
    title: 'Pull Newer Version of Prompt File…',
    icon: 'cloud-download',
    palette: inPromptFile,
  },
  checkPromptFiles: { title: 'Check Prompt Files for Changes', palette: isElsewhere },
  movePromptLabel: { title: 'Move Prompt Label…', icon: 'arrow-swap', palette: isElsewhere },
  addPromptLabel: { title: 'Add Prompt Label…', icon: 'tag', palette: isElsewhere },
  removePromptLabel: { title: 'Remove Prompt Label…', icon: 'trash', palette: isElsewhere },
  copyPromptName: { title: 'Copy Name', palette: never },
  runPrompt: { title: 'Run Prompt…', icon: 'play', palette: isConnected },
  runPromptInCode: { title: 'Run Prompt in Code…', icon: 'play', palette: inCode },
  copyPromptAsCode: { title: 'Copy Prompt as Code…', palette: isElsewhere },
  generatePromptTypes: { title: 'Generate Prompt Types…', palette: isElsewhere },
  findPromptInCode: { title: 'Find Prompt in Code…', icon: 'references', palette: isElsewhere },
  clearTemplateCache: { title: 'Clear Template Cache', palette: isElsewhere },
  clearAnswerCache: { title: 'Clear Answer Cache' },
  clearCachedTemplate: { title: 'Remove Prompt from Cache…', palette: isElsewhere },
  setProviderKey: { title: 'Set Provider Key…', icon: 'key' },
  removeProviderKey: { title: 'Remove Provider Key…', icon: 'trash' },

  refreshWorkflows: { title: 'Refresh Workflows', icon: 'refresh', palette: isElsewhere },
  filterWorkflows: { title: 'Filter Workflows by Name…', icon: 'filter', palette: isElsewhere },
  clearWorkflowFilter: {
    title: 'Clear Workflow Filter',
    icon: 'clear-all',
    palette: is('promptTables.workflowsFiltered', true),
  },
  loadMoreWorkflows: { title: 'Load More', palette: never },
  retryWorkflows: { title: 'Try Again', icon: 'refresh', palette: never },
  openWorkflow: { title: 'Open Workflow Definition…', icon: 'go-to-file', palette: isConnected },
  copyWorkflowName: { title: 'Copy Name', palette: never },
  runWorkflow: { title: 'Run Workflow…', icon: 'play', palette: isConnected },

  refreshRuns: { title: 'Refresh Runs', icon: 'refresh', palette: notInGrid },
  filterRuns: { title: 'Filter Runs…', icon: 'filter', palette: notInGrid },
  clearRunFilter: {
    title: 'Clear Run Filter',
    icon: 'clear-all',
    palette: is('promptTables.runsFiltered', true),
  },
  openRequests: { title: 'Open Request Log', icon: 'history', palette: isConnected },
  openRun: { title: 'Open Run…', icon: 'go-to-file' },
  rerunRun: { title: 'Run Again…', icon: 'debug-rerun', palette: notInGrid },
  scoreRun: { title: 'Score Run…', icon: 'star', palette: notInGrid },
  addRunMetadata: { title: 'Add Metadata to Run…', icon: 'tag', palette: notInGrid },
  addRunToSheet: { title: 'Add Run to Sheet…', icon: 'table', palette: isElsewhere },
  deleteRun: { title: 'Delete Run…', icon: 'trash', palette: notInGrid },
  deleteAllRuns: { title: 'Clear Run History…', icon: 'trash', palette: notInGrid },

  showLog: { title: 'Show Log', icon: 'output' },
  restartService: { title: 'Restart Local Service', icon: 'debug-restart', palette: isLocal },
  selectLocalDatabase: {
    title: 'Select Local Workspace Database…',
    icon: 'database',
    palette: isLocal,
  },
  openDataFolder: { title: 'Open Local Workspace Data Folder', palette: isLocal },
} as const satisfies Readonly<Record<string, CommandDeclaration>>;

const editing = is('promptTables.cellEditing', false);
const editable = is('promptTables.cellEditable', true);

const grid = {
  copy: { title: 'Copy Cells' },
  copyWithHeaders: { title: 'Copy Cells with Headers' },
  copyAsCsv: { title: 'Copy Cells as CSV' },
  copyAsJson: { title: 'Copy Cells as JSON' },
  copyAsMarkdown: { title: 'Copy Cells as Markdown' },
  cut: { title: 'Cut Cells' },
  paste: { title: 'Paste Cells' },
  pasteAs: { title: 'Paste As…' },
  editCell: { title: 'Edit Cell', enablement: editable },
  openValue: { title: 'Open Value in Editor', icon: 'go-to-file' },
  // Not offered where they have nothing to run; their keys stay, and say why.
  runCell: { title: 'Run Cell', icon: 'play', palette: all(inGrid, canRunCell) },
  runSelection: { title: 'Run Selected Cells', palette: all(inGrid, canRunSelection) },
  runColumn: { title: 'Run Column', palette: all(inGrid, canRunCell) },
  runRows: { title: 'Run Selected Rows', palette: all(inGrid, canRunSheet) },
  runStale: { title: 'Run Stale Cells', icon: 'run-all', palette: all(inGrid, canRunStale) },
  runFailed: { title: 'Run Failed Cells', palette: all(inGrid, canRunFailed) },
  toggleDetails: { title: 'Toggle Cell Details', icon: 'layout-sidebar-right' },
  goToRow: { title: 'Go to Row…' },
  goToColumn: { title: 'Go to Column…' },
  addRow: { title: 'Add Row' },
  deleteRows: { title: 'Delete Selected Rows…' },
  undo: { title: 'Undo Cell Edit', enablement: is('promptTables.canUndo', true) },
  redo: { title: 'Redo Cell Edit', enablement: is('promptTables.canRedo', true) },
  pinColumn: { title: 'Pin or Unpin Column' },
  hideColumn: { title: 'Hide Column' },
  showColumns: { title: 'Show Hidden Columns…' },
  resetLayout: { title: 'Reset Column Layout' },
  sortAscending: { title: 'Sort Rows Ascending' },
  sortDescending: { title: 'Sort Rows Descending' },
  toggleSystemColumns: { title: 'Toggle Cost and Latency Columns' },
  find: { title: 'Find in Sheet…', icon: 'search' },
  filter: { title: 'Filter and Sort Rows…', icon: 'filter' },
  clearFilter: { title: 'Show All Rows', icon: 'clear-all' },
  fillDown: { title: 'Fill Down' },
  setNull: { title: 'Set Selected Cells to Null' },
  reload: { title: 'Reload Sheet', icon: 'refresh' },
} as const satisfies Readonly<Record<GridCommand, CommandDeclaration>>;

/** Carried out by the extension for the active grid, not by the grid itself. */
const gridExtras = {
  cancelRun: {
    title: 'Cancel Sheet Operations',
    icon: 'stop-circle',
    enablement: is('promptTables.sheetRunning', true),
  },
  reveal: { title: 'Reveal Sheet in Tables View', icon: 'list-tree' },
  exportSelection: { title: 'Export Selected Cells…' },
  addColumnLeft: { title: 'Add Column Left…', palette: never },
  addColumnRight: { title: 'Add Column Right…', palette: never },
} as const satisfies Readonly<Record<string, CommandDeclaration>>;

/** Of the active log of requests. */
const log = {
  openRequest: { title: 'Open Request', icon: 'go-to-file' },
  replayRequest: { title: 'Replay Request', icon: 'play' },
  importRequests: { title: 'Add Requests to Sheet…', icon: 'table' },
  filterRequests: { title: 'Filter Requests…', icon: 'filter' },
  moreRequests: { title: 'Load More Requests', icon: 'ellipsis' },
  copy: { title: 'Copy', icon: 'copy' },
  copyWithHeaders: { title: 'Copy with Headers' },
  copyAsJson: { title: 'Copy as JSON' },
  toggleDetails: { title: 'Toggle Details of Cell', icon: 'layout-sidebar-right' },
  showColumns: { title: 'Show Hidden Columns' },
  reload: { title: 'Refresh Request Log', icon: 'refresh' },
} as const satisfies Readonly<Record<LogCommand, CommandDeclaration>>;

/** Of the active run panel. */
const run = {
  start: {
    title: 'Start Run',
    icon: 'play',
    enablement: is('promptTables.promptRunning', false),
  },
  stop: {
    title: 'Stop Run',
    icon: 'debug-stop',
    enablement: is('promptTables.promptRunning', true),
  },
  copyOutput: { title: 'Copy Output', icon: 'copy' },
  copyAsCode: { title: 'Copy as Code…', icon: 'code' },
  openOutput: { title: 'Open Output as Document', icon: 'go-to-file' },
  showRaw: { title: 'Show Raw Response', icon: 'json' },
  compare: { title: 'Compare Answer With…', icon: 'diff' },
  chooseModel: { title: 'Select Model…', icon: 'sparkle' },
} as const satisfies Readonly<Record<PanelCommand, CommandDeclaration>>;

/** Of the active workflow panel. */
const workflow = {
  start: {
    title: 'Start Workflow',
    icon: 'play',
    enablement: is('promptTables.workflowRunning', false),
  },
  stop: {
    title: 'Cancel Workflow',
    icon: 'debug-stop',
    enablement: is('promptTables.workflowRunning', true),
  },
  copyOutput: { title: 'Copy Final Output', icon: 'copy' },
  openOutput: { title: 'Open Final Output as Document', icon: 'go-to-file' },
  showAll: { title: 'Show All Outputs as JSON', icon: 'json' },
} as const satisfies Readonly<Record<WorkflowCommand, CommandDeclaration>>;

export type ShellCommandId = `promptTables.${keyof typeof shell}`;
export type GridCommandId = `promptTables.grid.${GridCommand | keyof typeof gridExtras}`;
export type LogCommandId = `promptTables.log.${keyof typeof log}`;
export type RunCommandId = `promptTables.run.${keyof typeof run}`;
export type WorkflowCommandId = `promptTables.workflow.${keyof typeof workflow}`;
export type CommandId =
  ShellCommandId | GridCommandId | LogCommandId | RunCommandId | WorkflowCommandId;

/** Every command by its full id. Commands of the grid are offered only while a grid is active. */
export const commands: Readonly<Record<string, CommandDeclaration>> = Object.fromEntries([
  ...Object.entries<CommandDeclaration>(shell).map(([name, declaration]) => [
    `promptTables.${name}`,
    declaration,
  ]),
  ...Object.entries<CommandDeclaration>({ ...grid, ...gridExtras }).map(([name, declaration]) => [
    `promptTables.grid.${name}`,
    { palette: all(inGrid), ...declaration },
  ]),
  ...Object.entries<CommandDeclaration>(log).map(([name, declaration]) => [
    `promptTables.log.${name}`,
    { palette: inLog, ...declaration },
  ]),
  ...Object.entries<CommandDeclaration>(run).map(([name, declaration]) => [
    `promptTables.run.${name}`,
    { palette: inRun, ...declaration },
  ]),
  ...Object.entries<CommandDeclaration>(workflow).map(([name, declaration]) => [
    `promptTables.workflow.${name}`,
    { palette: inWorkflow, ...declaration },
  ]),
]) as Readonly<Record<string, CommandDeclaration>>;

export const isCommandId = (id: string): id is CommandId => Object.hasOwn(commands, id);

export const gridCommandIds = gridCommands.map((name) => `promptTables.grid.${name}` as const);

export interface Keybinding {
  readonly command: CommandId;
  readonly key: string;
  readonly mac?: string;
  readonly when: string;
}

const key = (command: CommandId, keys: string, mac?: string): Keybinding => ({
  command,
  key: keys,
  ...(mac !== undefined && { mac }),
  when: all(inGrid, editing),
});

/**
 * Only while a grid is active and no cell is being edited. Moving about, F2, Enter and copying are
 * the grid's own: VS Code hands a copy to the webview as a `copy` event.
 */
export const keybindings: readonly Keybinding[] = [
  key('promptTables.grid.runCell', 'ctrl+enter', 'cmd+enter'),
  key('promptTables.grid.runSelection', 'ctrl+shift+enter', 'cmd+shift+enter'),
  key('promptTables.grid.cancelRun', 'ctrl+shift+backspace', 'cmd+shift+backspace'),
  key('promptTables.grid.copyWithHeaders', 'ctrl+shift+c', 'cmd+shift+c'),
  key('promptTables.grid.openValue', 'alt+enter'),
  key('promptTables.grid.toggleDetails', 'ctrl+i', 'cmd+i'),
  key('promptTables.grid.goToRow', 'ctrl+g'),
  key('promptTables.grid.find', 'ctrl+f', 'cmd+f'),
  key('promptTables.grid.fillDown', 'ctrl+d', 'cmd+d'),
  key('promptTables.grid.undo', 'ctrl+z', 'cmd+z'),
  key('promptTables.grid.redo', 'ctrl+y', 'cmd+shift+z'),
];
