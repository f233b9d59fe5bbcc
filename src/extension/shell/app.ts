import type * as vscode from 'vscode';
import type { Ending } from '../../core/providers/ending.ts';
import type { Changes } from './changes.ts';
import type { Connections } from '../connections/connections.ts';
import type { Errors } from './errors.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { Log } from './log.ts';
import type { OpenSheets } from './open-sheets.ts';
import type { Operations } from '../operations/operations.ts';
import type { RunHistory } from '../kept-runs/run-history.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';
import type { UnsavedWork } from './unsaved-work.ts';
import type { UsesInCode } from './code-uses.ts';

/** What every feature is given. Built once in `main.ts`; features take from it only what they need. */
export interface App {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly settings: Settings;
  /** API keys of the workspaces, by id of the connection. */
  readonly secrets: Secrets;
  /** Keys of model providers, by name of their environment variable. */
  readonly providerSecrets: Secrets;
  /** Of VS Code, for what the user's own settings name of it. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** The workspaces that the user may look into, and a client for each. */
  readonly connections: Connections;
  /** The only place that shows errors. */
  readonly errors: Errors;
  readonly changes: Changes;
  readonly operations: Operations;
  readonly openSheets: OpenSheets;
  readonly unsaved: UnsavedWork;
  readonly usesInCode: UsesInCode;
  /** What was run in this folder of code. */
  readonly history: () => Promise<RunHistory>;
  /** Answers of models that may be used again. */
  readonly answers: KeptAnswers;
  /** How an answer of a model ended, as the core that asks models reads it. */
  readonly endingOf: (response: unknown) => Ending;
  /** Aborted when the extension is deactivated: everything that waits listens to it. */
  readonly signal: AbortSignal;
}
