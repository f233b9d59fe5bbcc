import * as z from 'zod';

/** Where a setting may be written; `machine` keeps a workspace from redirecting keys. */
type Scope = 'application' | 'machine' | 'window';

export interface SettingDeclaration {
  /** Built when a value is read: zod would take a tenth of what loading the extension takes. */
  readonly schema: () => z.ZodType;
  readonly scope: Scope;
  readonly markdownDescription: string;
  readonly enumDescriptions?: Readonly<Record<string, string>>;
  readonly deprecation?: string;
  /** Kept from being copied to other machines. */
  readonly ignoreSync?: boolean;
  /** Not taken from a folder that is not trusted: it guards money, data or what is run. */
  readonly isRestricted?: boolean;
}

/** Name below `promptTables.` -> the setting. The order here is the order in the settings editor. */
export const settings = {
  baseUrl: {
    schema: () => z.url({ protocol: /^https?$/ }).default('https://api.promptlayer.com'),
    scope: 'machine',
    isRestricted: true,
    markdownDescription:
      'Address proposed for new connections. Change it if your organization hosts PromptLayer.',
  },
  requestTimeoutSeconds: {
    schema: () => z.int().min(1).max(600).default(60),
    scope: 'machine',
    markdownDescription: 'Timeout for one request to the service, in seconds.',
  },
  'tree.pageSize': {
    schema: () => z.int().min(5).max(100).default(50),
    scope: 'window',
    markdownDescription: 'How many tables, sheets, columns or versions the tree loads at a time.',
  },
  'prompts.cacheSeconds': {
    schema: () => z.int().min(0).max(86_400).default(120),
    scope: 'window',
    isRestricted: true,
    markdownDescription:
      "How long a prompt that was run stays in memory before it is fetched again, in seconds. `0`: fetch it for each run. While the service can't be reached, the copy in memory is used.",
  },
  'code.enabled': {
    schema: () => z.boolean().default(true),
    scope: 'window',
    markdownDescription:
      'Recognize prompts and workflows by name in TypeScript, JavaScript, and Python: CodeLens, hovers, completions, definitions, references, and problems.',
  },
  'code.lenses': {
    schema: () => z.boolean().default(true),
    scope: 'window',
    markdownDescription:
      'Show the versions, labels, and model of a prompt above the code that asks for it, with actions to run and open it.',
  },
  'code.problems': {
    schema: () => z.boolean().default(true),
    scope: 'window',
    markdownDescription:
      "Report prompts, labels, versions, and variables in code that don't exist in the workspace in use, and missing variables.",
  },
  'code.callees': {
    schema: () =>
      z
        .array(z.string().regex(/^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u))
        .max(50)
        .default([]),
    scope: 'window',
    markdownDescription:
      'More functions that take the name of a prompt as their first argument or as `promptName`, for example `["getPrompt", "prompts.load"]`.',
  },
  'code.renewTypes': {
    schema: () => z.boolean().default(false),
    scope: 'window',
    isRestricted: true,
    markdownDescription:
      'Write generated prompt types of the folder again when a prompt is published or pulled here, or a label changes. Only files that **Generate Prompt Types** has written from the same workspace are changed.',
  },
  'code.highlight': {
    schema: () => z.boolean().default(false),
    scope: 'window',
    markdownDescription:
      'Color the names of prompts and workflows, their labels, and their variables in code that asks for them.',
  },
  'run.providerTimeoutSeconds': {
    schema: () => z.int().min(10).max(7200).default(600),
    scope: 'window',
    isRestricted: true,
    markdownDescription:
      'How long to wait, in seconds, without receiving data from a model provider before the request is stopped. Partial output is kept. The local service uses its own limit.',
  },
  'run.answerCache': {
    schema: () => z.boolean().default(false),
    scope: 'window',
    markdownDescription:
      'Start run panels with **Cache** on: if the same request was answered before, that answer is shown, at no cost.',
  },
  'run.confirmAbove': {
    schema: () => z.int().min(0).default(1),
    scope: 'window',
    isRestricted: true,
    markdownDescription:
      'Ask for confirmation before running more than this number of cells. The message shows the number of cells and the workspace.',
  },
  'run.budgetUsd': {
    schema: () => z.number().min(0).max(1_000_000).default(0),
    scope: 'window',
    isRestricted: true,
    markdownDescription:
      'Maximum cost of a run of cells, in US dollars, for example `2.5`. If the estimate is higher, you are asked again before the run starts, and the local service stops a run before it costs more. `0`: no budget.',
  },
  'runs.keep': {
    schema: () => z.int().min(0).max(5000).default(500),
    scope: 'window',
    isRestricted: true,
    markdownDescription:
      'How many runs of prompts and workflows the Runs view keeps for a workspace folder, with their variables and outputs, on this machine. `0`: new runs are not kept.',
  },
  'copy.formulaGuard': {
    schema: () => z.boolean().default(true),
    scope: 'window',
    isRestricted: true,
    markdownDescription:
      "When several cells are copied, or cells are copied as CSV, prefix text that a spreadsheet could run as a formula with `'`. Turn this off for exact data. JSON is never changed.",
  },
  'copy.limitMegabytes': {
    schema: () => z.int().min(1).max(500).default(64),
    scope: 'window',
    isRestricted: true,
    markdownDescription:
      'Maximum size of text that copying cells puts on the clipboard, in megabytes.',
  },
  'evaluations.scoreColumns': {
    schema: () => z.array(z.string().min(1)).max(100).default([]),
    scope: 'window',
    markdownDescription:
      'Titles of numeric columns to use as evaluators in the Test Explorer, in every sheet that has them, for example `["Score"]`. Boolean columns are always used.',
  },
  'evaluations.threshold': {
    schema: () => z.number().default(0.8),
    scope: 'window',
    markdownDescription: 'Minimum score for a row to pass in the Test Explorer.',
  },
  'assistants.mcpServers': {
    schema: () => z.enum(['off', 'readOnly', 'full']).default('off'),
    scope: 'machine',
    markdownDescription:
      'Offer each workspace as an MCP server, for assistants that use MCP servers instead of chat tools. The API key goes into the environment of the server when it starts, and nowhere else.',
    enumDescriptions: {
      off: 'No MCP servers. Chat tools still work.',
      readOnly: 'Read-only servers.',
      full: 'Servers that also run prompts, recalculate cells, and cancel operations. Runs cost money.',
    },
  },
  mcpServers: {
    schema: () => z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
    scope: 'machine',
    isRestricted: true,
    markdownDescription:
      'MCP servers that may answer tool calls in a chat with a prompt, for example `{"search": {"url": "https://mcp.example.com/mcp"}, "files": {"command": "npx", "args": ["-y", "a-server"]}}`. `${NAME}` in headers, arguments, and variables is replaced with a variable of the environment. You are asked before a server is started or reached.',
  },
  'localService.idleSeconds': {
    schema: () => z.int().min(1).max(3600).default(5),
    scope: 'machine',
    markdownDescription:
      'How long the local service keeps running, in seconds, after the last window that used it is closed.',
  },
  'localService.allowedHosts': {
    schema: () => z.array(z.string().min(1)).max(1000).default([]),
    scope: 'machine',
    isRestricted: true,
    markdownDescription:
      'Hosts that ENDPOINT and MCP columns of the local workspace may reach, for example `["api.example.com"]`. Empty: none. Takes effect when the local service is started again.',
  },
  'localService.python': {
    schema: () => z.boolean().default(false),
    scope: 'machine',
    isRestricted: true,
    markdownDescription:
      'Let CODE_EXECUTION columns of the local workspace run Python on this machine. Turn it on only for code that you trust. Takes effect when the local service is started again.',
  },
  'localService.mcpServersFile': {
    schema: () => z.string().default(''),
    scope: 'machine',
    isRestricted: true,
    markdownDescription:
      'Path of a file that names MCP servers for MCP columns of the local workspace. Variables that the file names are taken from the environment. Takes effect when the local service is started again, from a trusted window.',
  },
  'localService.model': {
    schema: () => z.string().default(''),
    scope: 'machine',
    isRestricted: true,
    markdownDescription:
      'Model of prompts in the local workspace that name none, for example `openai/gpt-4o-mini`. Empty: one on this machine, otherwise one whose key is set. Takes effect when the local service is started again.',
  },
  'localService.vscodeModels': {
    schema: () => z.int().min(0).max(16).default(0),
    scope: 'machine',
    isRestricted: true,
    markdownDescription:
      "How many requests the cells of the local workspace may make to the language models of VS Code at the same time, for example `1`. These models need no key, but your plan may limit them. `0`: cells can't use them.",
  },
  apiKey: {
    schema: () => z.string().default(''),
    scope: 'application',
    markdownDescription: 'Not used: API keys are kept in the secret storage of the editor.',
    deprecation:
      'API keys are not read from settings. Run the command "Prompt Tables: Set API Key…" and remove this line.',
    ignoreSync: true,
  },
} as const satisfies Readonly<Record<string, SettingDeclaration>>;

export type SettingName = keyof typeof settings;
export type SettingValue<Name extends SettingName> = z.output<
  ReturnType<(typeof settings)[Name]['schema']>
>;
