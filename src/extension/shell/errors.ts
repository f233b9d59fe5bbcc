import * as vscode from 'vscode';
import { hasErrorCode, isCancellation, isPromptTablesError } from '../../core/errors.ts';
import { redactText } from '../../core/redact.ts';
import type { SentError } from '../../protocol/channel.ts';
import type { Language } from './error-words/index.ts';
import { hintOf, messageOf } from './error-words/index.ts';
import { LocalServiceError } from './local-service-error.ts';
import type { Log } from './log.ts';
import { showErrorMessage } from './shown.ts';

export interface ShowErrorOptions {
  /** What was being done, for the log. */
  readonly doing?: string;
  readonly retry?: () => void;
  /** Whose key to set when the key is the trouble. */
  readonly connectionId?: string | undefined;
}

const mostRecent = 20;

/** Turns errors into what a user reads, and shows them: one notification at a time. */
export class Errors {
  readonly #log: Log;
  readonly #shown = new Set<string>();
  readonly #recent: string[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  /** Message, what to do next, and a code to branch on: for notifications, tree and grid alike. */
  describe(error: unknown): SentError {
    if (isPromptTablesError(error)) {
      const language: Language = { t: vscode.l10n.t, name: vscode.env.language };
      const hint = hintOf(error, language);
      const id =
        error.requestId === undefined ? '' : ` (${vscode.l10n.t('request {0}', error.requestId)})`;
      return {
        code: error.code,
        message: this.redact(messageOf(error, language)) + id,
        ...(hint !== undefined && { hint }),
      };
    }
    const message = error instanceof Error ? error.message : String(error);
    return {
      code: isCancellation(error) ? 'cancelled' : 'unexpected',
      message: this.redact(message),
    };
  }

  /** The text without what looks like a key. */
  redact(text: string): string {
    return redactText(text, []);
  }

  /** Texts of the latest notifications, oldest first. */
  get recent(): readonly string[] {
    return this.#recent;
  }

  /** Writes the whole cause to the log, without showing anything. */
  note(error: unknown, doing = 'A task'): void {
    if (isCancellation(error)) return;
    // As it was said, whatever the language: logs are read by others too.
    const said = error instanceof Error ? error.message : String(error);
    this.#log.error(`${doing} failed: ${this.redact(said)}`, error);
  }

  show(error: unknown, options: ShowErrorOptions = {}): void {
    if (isCancellation(error)) return;
    this.note(error, options.doing);
    const { message, hint } = this.describe(error);
    const text = hint === undefined ? message : `${message} ${hint}`;
    if (this.#shown.has(text)) return;
    this.#shown.add(text);
    this.#recent.push(text);
    if (this.#recent.length > mostRecent) this.#recent.shift();
    void this.#offer(text, this.#actions(error, options)).finally(() => this.#shown.delete(text));
  }

  #actions(
    error: unknown,
    { retry, connectionId }: ShowErrorOptions,
  ): ReadonlyMap<string, () => void> {
    const actions = new Map<string, () => void>();
    if (hasErrorCode(error, 'authentication')) {
      actions.set(vscode.l10n.t('Set API key'), () => {
        void vscode.commands.executeCommand('promptTables.setKey', connectionId);
      });
    } else if (retry !== undefined && isPromptTablesError(error) && error.retryable) {
      actions.set(vscode.l10n.t('Try again'), retry);
    }
    if (error instanceof LocalServiceError) {
      actions.set(vscode.l10n.t('Start it again'), () => {
        void vscode.commands.executeCommand('promptTables.restartService');
      });
      actions.set(vscode.l10n.t('Open data folder'), () => {
        void vscode.commands.executeCommand('promptTables.openDataFolder');
      });
    }
    actions.set(vscode.l10n.t('Show log'), () => {
      this.#log.show();
    });
    return actions;
  }

  async #offer(text: string, actions: ReadonlyMap<string, () => void>): Promise<void> {
    const choice = await showErrorMessage(text, ...actions.keys());
    if (choice !== undefined) actions.get(choice)?.();
  }
}
