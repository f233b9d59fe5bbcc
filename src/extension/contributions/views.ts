import {
  all,
  is,
  isConnected,
  isHosted,
  isLocal,
  isUntrusted,
  promptsViewId,
  runsViewId,
  viewId,
  workflowsViewId,
} from './when.ts';

export const containerId = 'promptTables';

export interface Welcome {
  readonly key: string;
  readonly when: string;
  readonly contents: string;
}

/** One text for each state in which the tree has nothing to show. */
export const welcomes: readonly Welcome[] = [
  {
    key: 'welcome.choose',
    when: is('promptTables.connection', 'none'),
    contents: [
      'Tables of prompts, inputs and computed cells, next to your code.',
      'The local workspace runs on this machine: no account, no key, works offline.',
      '[Open the Sample Sheet](command:promptTables.openSample)',
      '[Use the Local Workspace](command:promptTables.useLocal)',
      'Or open the tables of your PromptLayer workspace. You need its API key.',
      '[Connect to PromptLayer](command:promptTables.addConnection)',
    ].join('\n'),
  },
  {
    key: 'welcome.untrusted',
    when: all(is('promptTables.connection', 'none'), isUntrusted),
    contents:
      "This workspace folder isn't trusted, so API keys and addresses from the environment aren't offered.",
  },
  {
    key: 'welcome.emptyLocal',
    when: all(isLocal, is('promptTables.state', 'empty'), is('promptTables.filtered', false)),
    contents: [
      'The local workspace has no tables yet.',
      '[Open the Sample Sheet](command:promptTables.openSample)',
      '[Import a File](command:promptTables.importFile)',
      '[New Table](command:promptTables.createTable)',
    ].join('\n'),
  },
  {
    key: 'welcome.emptyHosted',
    when: all(isHosted, is('promptTables.state', 'empty'), is('promptTables.filtered', false)),
    contents: [
      'This workspace has no tables yet.',
      '[New Table](command:promptTables.createTable)',
      '[Import a File](command:promptTables.importFile)',
    ].join('\n'),
  },
  {
    key: 'welcome.noMatch',
    when: all(is('promptTables.state', 'empty'), is('promptTables.filtered', true)),
    contents: [
      'No tables match the filter.',
      '[Clear the Filter](command:promptTables.clearFilter)',
    ].join('\n'),
  },
  {
    key: 'welcome.refused',
    when: is('promptTables.state', 'refused'),
    contents: [
      "The API key of this workspace is missing or isn't valid.",
      '[Set API Key](command:promptTables.setKey)',
      '[Switch Workspace](command:promptTables.switchConnection)',
      '[Show Log](command:promptTables.showLog)',
    ].join('\n'),
  },
];

/** The same for the Prompts view. */
export const promptWelcomes: readonly Welcome[] = [
  {
    key: 'welcome.prompts.choose',
    when: is('promptTables.connection', 'none'),
    contents: [
      'Open any version of a prompt, run it with your own API keys, and stream the response.',
      '[Use the Local Workspace](command:promptTables.useLocal)',
      '[Connect to PromptLayer](command:promptTables.addConnection)',
    ].join('\n'),
  },
  {
    key: 'welcome.prompts.empty',
    when: all(
      isConnected,
      is('promptTables.promptsState', 'empty'),
      is('promptTables.promptsFiltered', false),
    ),
    contents: [
      'This workspace has no prompts yet.',
      '[New Prompt](command:promptTables.newPrompt)',
      '[Refresh](command:promptTables.refreshPrompts)',
      '[Switch Workspace](command:promptTables.switchConnection)',
    ].join('\n'),
  },
  {
    key: 'welcome.prompts.noMatch',
    when: all(is('promptTables.promptsState', 'empty'), is('promptTables.promptsFiltered', true)),
    contents: [
      'No prompts match the filter.',
      '[Clear the Filter](command:promptTables.clearPromptFilter)',
    ].join('\n'),
  },
  {
    key: 'welcome.prompts.refused',
    when: is('promptTables.promptsState', 'refused'),
    contents: [
      "The API key of this workspace is missing or isn't valid.",
      '[Set API Key](command:promptTables.setKey)',
      '[Show Log](command:promptTables.showLog)',
    ].join('\n'),
  },
];

/** The same for the Workflows view. */
export const workflowWelcomes: readonly Welcome[] = [
  {
    key: 'welcome.workflows.choose',
    when: is('promptTables.connection', 'none'),
    contents: [
      'Run the workflows of a workspace, and see the state of each node.',
      '[Use the Local Workspace](command:promptTables.useLocal)',
      '[Connect to PromptLayer](command:promptTables.addConnection)',
    ].join('\n'),
  },
  {
    key: 'welcome.workflows.emptyLocal',
    when: all(
      isLocal,
      is('promptTables.workflowsState', 'empty'),
      is('promptTables.workflowsFiltered', false),
    ),
    contents: [
      'The local workspace has no workflows yet. The sample sheet comes with one.',
      '[Open the Sample Sheet](command:promptTables.openSample)',
      '[Refresh](command:promptTables.refreshWorkflows)',
    ].join('\n'),
  },
  {
    key: 'welcome.workflows.emptyHosted',
    when: all(
      isHosted,
      is('promptTables.workflowsState', 'empty'),
      is('promptTables.workflowsFiltered', false),
    ),
    contents: [
      'This workspace has no workflows yet. Create one in PromptLayer or with the client SDK.',
      '[Refresh](command:promptTables.refreshWorkflows)',
    ].join('\n'),
  },
  {
    key: 'welcome.workflows.noMatch',
    when: all(
      is('promptTables.workflowsState', 'empty'),
      is('promptTables.workflowsFiltered', true),
    ),
    contents: [
      'No workflows match the filter.',
      '[Clear the Filter](command:promptTables.clearWorkflowFilter)',
    ].join('\n'),
  },
  {
    key: 'welcome.workflows.refused',
    when: is('promptTables.workflowsState', 'refused'),
    contents: [
      "The API key of this workspace is missing or isn't valid.",
      '[Set API Key](command:promptTables.setKey)',
      '[Show Log](command:promptTables.showLog)',
    ].join('\n'),
  },
];

/** The same for the Runs view. */
export const runWelcomes: readonly Welcome[] = [
  {
    key: 'welcome.runs.empty',
    when: is('promptTables.runsState', 'empty'),
    contents: [
      'Runs of prompts and workflows in this workspace folder are kept here, with their cost.',
      '[Run a Prompt](command:promptTables.runPrompt)',
      '[Run a Workflow](command:promptTables.runWorkflow)',
    ].join('\n'),
  },
  {
    key: 'welcome.runs.noMatch',
    when: is('promptTables.runsState', 'noMatch'),
    contents: [
      'No runs match the filter.',
      '[Clear the Filter](command:promptTables.clearRunFilter)',
    ].join('\n'),
  },
];

export interface WalkthroughStep {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly altText: string;
  /** Of the pictures in media/walkthrough, one for each kind of theme. */
  readonly picture: string;
  readonly completionEvents: readonly string[];
}

/** Works from the first step to the last without an account. */
export const walkthrough: readonly WalkthroughStep[] = [
  {
    id: 'sample',
    title: 'Open the sample sheet',
    description:
      'A few thousand rows of open data, imported into the local workspace on this machine.\n[Open the Sample Sheet](command:promptTables.openSample)',
    altText: 'A sheet with rows, typed columns and computed columns.',
    picture: 'sheet',
    completionEvents: ['onCommand:promptTables.openSample'],
  },
  {
    id: 'run',
    title: 'Run cells and watch them',
    description:
      'Computed columns run only when you start them. The number of cells is shown before anything starts.\n[Run Stale Cells](command:promptTables.runStaleCells)\nCells that call a model need an API key of its provider, or a model server on this machine such as Ollama or LM Studio.\n[Set Provider Key](command:promptTables.setProviderKey)\nTo run a prompt without a key, select a model of VS Code in the run panel.\n[Run a Prompt](command:promptTables.runPrompt)',
    altText: 'A column whose cells turn from queued to completed, with a stop button.',
    picture: 'run',
    completionEvents: [
      'onCommand:promptTables.runStaleCells',
      'onCommand:promptTables.grid.runStale',
    ],
  },
  {
    id: 'import',
    title: 'Import your own CSV file',
    description:
      'Drop a file with rows onto the Tables view (CSV, TSV, JSON, JSON Lines, Excel, Parquet), or select one.\n[Import a File](command:promptTables.importFile)',
    altText: 'A CSV file dropped onto the tree of tables.',
    picture: 'import',
    completionEvents: ['onCommand:promptTables.importFile'],
  },
  {
    id: 'code',
    title: 'See prompts in your code',
    description:
      'Code that runs a stored prompt by name shows its versions, labels, and model. Misspelled names and missing variables are reported as problems.\n[Generate Prompt Types](command:promptTables.generatePromptTypes)',
    altText: 'A call in TypeScript with the versions, labels and model of its prompt above it.',
    picture: 'code',
    completionEvents: [
      'onCommand:promptTables.runPromptInCode',
      'onCommand:promptTables.findPromptInCode',
      'onCommand:promptTables.generatePromptTypes',
    ],
  },
  {
    id: 'connect',
    title: 'Connect to PromptLayer',
    description:
      'Optional. Add a PromptLayer workspace with its API key; the key is kept in the secret storage of the editor.\n[Connect to PromptLayer](command:promptTables.addConnection)',
    altText: 'Two workspaces, a local and a hosted one, with a switch between them.',
    picture: 'connect',
    completionEvents: ['onCommand:promptTables.addConnection'],
  },
];

export interface ColorDeclaration {
  readonly id: string;
  readonly description: string;
  readonly defaults: Readonly<
    Record<'dark' | 'light' | 'highContrast' | 'highContrastLight', string>
  >;
}

const same = (color: string): ColorDeclaration['defaults'] => ({
  dark: color,
  light: color,
  highContrast: color,
  highContrastLight: color,
});

/**
 * One dot an id: web views get a variable for it with only the first dot replaced.
 * Colours of cell states; words and icons say the same. Text on these is the theme's own. */
export const colors: readonly ColorDeclaration[] = [
  {
    id: 'promptTables.statusCompleted',
    description: 'Color of completed cells and operations.',
    defaults: {
      dark: '#73c991',
      light: '#116329',
      highContrast: '#89d185',
      highContrastLight: '#0b4f20',
    },
  },
  {
    id: 'promptTables.statusRunning',
    description: 'Color of running cells and operations.',
    defaults: {
      dark: '#4daafc',
      light: '#0550ae',
      highContrast: '#6cc3ff',
      highContrastLight: '#003f91',
    },
  },
  {
    id: 'promptTables.statusQueued',
    description: 'Color of queued cells.',
    defaults: {
      dark: '#c8a6ff',
      light: '#6639ba',
      highContrast: '#d9c2ff',
      highContrastLight: '#512a97',
    },
  },
  {
    id: 'promptTables.statusStale',
    description: 'Color of stale cells, whose inputs have changed since they were computed.',
    defaults: {
      dark: '#e2c08d',
      light: '#7d4e00',
      highContrast: '#ffd48a',
      highContrastLight: '#5f3b00',
    },
  },
  {
    id: 'promptTables.statusFailed',
    description: 'Color of failed cells and operations.',
    defaults: {
      dark: '#f88070',
      light: '#b3261e',
      highContrast: '#ff9d8f',
      highContrastLight: '#8f1009',
    },
  },
  {
    id: 'promptTables.statusCancelled',
    description: 'Color of canceled cells and operations.',
    defaults: same('descriptionForeground'),
  },
];

export const view = {
  id: viewId,
  name: 'Tables',
  contextualTitle: 'Prompt Tables',
  icon: 'media/prompt-tables.svg',
} as const;

export const promptsView = {
  id: promptsViewId,
  name: 'Prompts',
  contextualTitle: 'Prompt Tables',
  icon: 'media/prompt-tables.svg',
} as const;

export const workflowsView = {
  id: workflowsViewId,
  name: 'Workflows',
  contextualTitle: 'Prompt Tables',
  icon: 'media/prompt-tables.svg',
  /** Below the fold at first: the tables want the room. */
  visibility: 'collapsed',
} as const;

export const runsView = {
  id: runsViewId,
  name: 'Runs',
  contextualTitle: 'Prompt Tables',
  icon: 'media/prompt-tables.svg',
  /** Below the fold at first: the tables want the room. */
  visibility: 'collapsed',
} as const;
