import type { DataTransfer } from 'vscode';
import type { Connection } from '../connections/connections.ts';

export interface TreeEntry {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
  readonly description: string;
}

export interface RunningOperation {
  readonly operationId: string;
  readonly sheetId: string;
  readonly status: string;
  readonly done: number;
  readonly total: number;
}

export interface McpServerEntry {
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  /** What is set before the server is started. */
  readonly environment: Readonly<Record<string, string | number | null>>;
  /** Names of the variables that it is started with. Their values are not included. */
  startedWith(): Promise<readonly string[]>;
}

/**
 * What the extension exports. Other extensions can reach it, so it gives away neither keys nor
 * clients; tests look through it and act through commands.
 */
export interface PromptTablesApi {
  /** Processor time that `activate` took, in milliseconds. */
  readonly activationMs: number;
  /** Folder of the local workspace. */
  readonly dataFolder: string;
  readonly connections: readonly Connection[];
  readonly currentConnection: Connection | undefined;
  /** Adds a hosted workspace without asking; returns its id. */
  addConnection(
    details: { readonly name: string; readonly baseURL: string },
    key: string,
  ): Promise<string>;
  useConnection(id: string): Promise<void>;
  setKey(id: string, key: string): Promise<void>;
  /** Deletes the key, keeps the workspace in the list. */
  signOut(id: string): Promise<void>;
  removeConnection(id: string): Promise<void>;
  hasKey(id: string): Promise<boolean>;
  /** What the tree shows below an item, or at its top. Loads what is not loaded. */
  tree(parentId?: string): Promise<readonly TreeEntry[]>;
  /** As after publishing or moving a label. */
  promptsChanged(connectionId: string): void;
  /** The lines of the folder whose code asks for a label by name, such as `src/answer.ts:12`. */
  linesOfLabel(promptName: string, label: string): Promise<readonly string[]>;
  /** What the Prompts view shows at its top, or below one of its prompts. */
  prompts(parentId?: string): Promise<readonly TreeEntry[]>;
  /** The same of the Workflows view. */
  workflows(parentId?: string): Promise<readonly TreeEntry[]>;
  /** Keeps the key of a model provider, by the name of its variable. It can't be read again. */
  setProviderKey(variable: string, value: string): Promise<void>;
  removeProviderKey(variable: string): Promise<void>;
  /** Names of the variables that are kept. */
  providerKeys(): Promise<readonly string[]>;
  /** The MCP servers that are offered, as VS Code stores them. */
  mcpServers(): Promise<readonly McpServerEntry[]>;
  /** Drops files onto an item of the tree, or onto the space below its items. */
  drop(files: DataTransfer, targetId?: string): Promise<void>;
  readonly treeMessage: string | undefined;
  readonly running: readonly RunningOperation[];
  /** Process id of the local service in use; does not start one. */
  servicePid(): Promise<number | undefined>;
  /** Texts of the latest error notifications. */
  readonly shownErrors: readonly string[];
}
