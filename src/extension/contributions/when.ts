/**
 * Context keys of our own. Values are set through `setContextKey`, read in `when` clauses that are
 * built here, so that a key can't be misspelt.
 */
export interface ContextKeys {
  /** Kind of the workspace in use; `none` before the first choice. */
  'promptTables.connection': 'none' | 'local' | 'hosted';
  /** What the top of the tree holds. */
  'promptTables.state': 'loading' | 'ready' | 'empty' | 'refused' | 'failed';
  'promptTables.filtered': boolean;
  'promptTables.running': boolean;
  /** The same two of the Prompts view. */
  'promptTables.promptsState': 'loading' | 'ready' | 'empty' | 'refused' | 'failed';
  'promptTables.promptsFiltered': boolean;
  /** The Prompts view shows folders, not one list. */
  'promptTables.promptsInFolders': boolean;
  /** A prompt is selected to be compared with another one. */
  'promptTables.promptSelected': boolean;
  /** The same two of the Workflows view. */
  'promptTables.workflowsState': 'loading' | 'ready' | 'empty' | 'refused' | 'failed';
  'promptTables.workflowsFiltered': boolean;
  /** What the Runs view holds. */
  'promptTables.runsState': 'empty' | 'noMatch' | 'ready';
  'promptTables.runsFiltered': boolean;
  /** The active run panel is running its prompt. */
  'promptTables.promptRunning': boolean;
  /** The active workflow panel is running its workflow. */
  'promptTables.workflowRunning': boolean;
  /** About the cell under the cursor of the active grid. */
  'promptTables.cellEditable': boolean;
  'promptTables.cellComputed': boolean;
  'promptTables.cellEditing': boolean;
  /** Some of the cells selected there can be run. */
  'promptTables.selectionComputed': boolean;
  /** About the active grid. */
  'promptTables.canUndo': boolean;
  'promptTables.canRedo': boolean;
  'promptTables.sheetRunning': boolean;
  /** It has cells that can be run, of these stale ones and failed ones. */
  'promptTables.sheetComputed': boolean;
  'promptTables.sheetStale': boolean;
  'promptTables.sheetFailed': boolean;
}

export const contextKeys: readonly (keyof ContextKeys)[] = [
  'promptTables.connection',
  'promptTables.state',
  'promptTables.filtered',
  'promptTables.running',
  'promptTables.promptsState',
  'promptTables.promptsFiltered',
  'promptTables.promptsInFolders',
  'promptTables.promptSelected',
  'promptTables.workflowsState',
  'promptTables.workflowsFiltered',
  'promptTables.runsState',
  'promptTables.runsFiltered',
  'promptTables.promptRunning',
  'promptTables.workflowRunning',
  'promptTables.cellEditable',
  'promptTables.cellComputed',
  'promptTables.cellEditing',
  'promptTables.selectionComputed',
  'promptTables.canUndo',
  'promptTables.canRedo',
  'promptTables.sheetRunning',
  'promptTables.sheetComputed',
  'promptTables.sheetStale',
  'promptTables.sheetFailed',
];

/** Keys of VS Code that our clauses read. */
export const foreignContextKeys = [
  'view',
  'viewItem',
  'controllerId',
  'activeWebviewPanelId',
  'webviewId',
  'webviewSection',
  'resourceLangId',
  'resourceScheme',
  'isWorkspaceTrustEnabled',
  'isWorkspaceTrusted',
] as const;

/** `contextValue` of every kind of tree item. */
export const itemKinds = [
  'table',
  'sheet',
  'runningSheet',
  'columns',
  'textColumn',
  'computedColumn',
  'operations',
  'operation',
  'versions',
  'version',
  'prompt',
  'promptFolder',
  'promptVersion',
  'promptLabel',
  'workflow',
  'workflowVersion',
  'workflowLabel',
  'run',
  'loggedRun',
  'more',
  'problem',
  'action',
  'note',
] as const;
export type ItemKind = (typeof itemKinds)[number];

export const viewId = 'promptTables.tables';
export const promptsViewId = 'promptTables.prompts';
export const gridPanelId = 'promptTables.grid';
export const workflowsViewId = 'promptTables.workflows';
export const runsViewId = 'promptTables.runs';
export const comparePanelId = 'promptTables.compare';
export const matrixPanelId = 'promptTables.matrix';
export const columnFormId = 'promptTables.columnForm';
export const scorecardFormId = 'promptTables.scorecardForm';
export const importFormId = 'promptTables.import';
export const runPanelId = 'promptTables.run';
export const workflowPanelId = 'promptTables.workflow';
export const logPanelId = 'promptTables.log';
export const mcpProviderId = 'promptTables.mcp';
export const chartsPanelId = 'promptTables.charts';

export function is<Key extends keyof ContextKeys>(key: Key, value: ContextKeys[Key]): string {
  if (typeof value === 'boolean') return value ? key : `!${key}`;
  return `${key} == ${value}`;
}

export const isNot = <Key extends keyof ContextKeys>(
  key: Key,
  value: Exclude<ContextKeys[Key], boolean>,
): string => `${key} != ${value}`;

export const all = (...clauses: readonly string[]): string => clauses.join(' && ');

export const inTree = `view == ${viewId}`;

export const inPrompts = `view == ${promptsViewId}`;
export const inWorkflows = `view == ${workflowsViewId}`;

const onKinds = (view: string, kinds: readonly ItemKind[]): string =>
  all(
    view,
    kinds.length === 1 ? `viewItem == ${kinds[0] ?? ''}` : `viewItem =~ /^(${kinds.join('|')})$/`,
  );

/** A sheet is one also while its cells are run. */
export const onItem = (...kinds: readonly ItemKind[]): string =>
  onKinds(
    inTree,
    kinds.flatMap((kind) => (kind === 'sheet' ? ['sheet', 'runningSheet'] : [kind])),
  );
export const onIdleSheet = onKinds(inTree, ['sheet']);
export const onPrompt = (...kinds: readonly ItemKind[]): string => onKinds(inPrompts, kinds);

export const inRuns = `view == ${runsViewId}`;
export const onRun = (...kinds: readonly ItemKind[]): string => onKinds(inRuns, kinds);
export const onWorkflow = (...kinds: readonly ItemKind[]): string => onKinds(inWorkflows, kinds);

/** A document of a prompt, and its four kinds. */
export const inPromptText = 'resourceLangId == prompt-tables-prompt';
export const inVersion = all(inPromptText, 'resourceScheme == prompt-tables-prompt');
export const inDraft = all(inPromptText, 'resourceScheme == prompt-tables-draft');
export const inPromptFile = all(
  inPromptText,
  'resourceScheme != prompt-tables-prompt',
  'resourceScheme != prompt-tables-draft',
  'resourceScheme != prompt-tables-merge',
);
export const inMerge = all(inPromptText, 'resourceScheme == prompt-tables-merge');

/** Code that may ask for prompts. */
export const inCode =
  'resourceLangId =~ /^(typescript|typescriptreact|javascript|javascriptreact|python)$/';

export const inRun = `activeWebviewPanelId == ${runPanelId}`;

export const inWorkflow = `activeWebviewPanelId == ${workflowPanelId}`;

export const inLog = `activeWebviewPanelId == ${logPanelId}`;

export const inGrid = `activeWebviewPanelId == ${gridPanelId}`;

/** What belongs to other views is not offered beside everything that a sheet in front can do. */
export const notInGrid = `activeWebviewPanelId != ${gridPanelId}`;

/**
 * What there is to run. Keys of the grid say it in the palette; a context menu has them from the page
 * itself, which knows what it was opened on.
 */
export const canRunCell = is('promptTables.cellComputed', true);
export const canRunSelection = is('promptTables.selectionComputed', true);
export const canRunSheet = is('promptTables.sheetComputed', true);
export const canRunStale = is('promptTables.sheetStale', true);
export const canRunFailed = is('promptTables.sheetFailed', true);

/** Where in the grid a context menu was opened: set by the grid in `data-vscode-context`. */
export type GridSection = 'cell' | 'column' | 'row';

const onSections = (panelId: string, sections: readonly GridSection[]): string =>
  all(
    `webviewId == ${panelId}`,
    sections.length === 1
      ? `webviewSection == ${sections[0] ?? ''}`
      : `webviewSection =~ /^(${sections.join('|')})$/`,
  );

export const onGrid = (...sections: readonly GridSection[]): string =>
  onSections(gridPanelId, sections);
export const onLog = (...sections: readonly GridSection[]): string =>
  onSections(logPanelId, sections);

/** Where trust is switched off altogether, `isWorkspaceTrusted` is not set. */
export const isUntrusted = 'isWorkspaceTrustEnabled && !isWorkspaceTrusted';
export const never = 'false';
export const isConnected = isNot('promptTables.connection', 'none');
export const isElsewhere = all(isConnected, notInGrid);
export const isLocal = is('promptTables.connection', 'local');
export const isHosted = is('promptTables.connection', 'hosted');
