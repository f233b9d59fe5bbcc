import * as vscode from 'vscode';
import type { Logger } from '../../core/logger.ts';
import { redactingLogger } from '../../core/logger.ts';
import { formsOf } from '../../core/redact.ts';

/** The output channel "Prompt Tables". What is written passes through the redaction first. */
export class Log implements Logger, vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel('Prompt Tables', { log: true });
  readonly #secrets: string[] = [];
  readonly #redacted = redactingLogger(this.#channel, this.#secrets);

  /** From now on this text is blanked out, in every form it may turn up in. */
  hide(secret: string): void {
    for (const form of formsOf(secret)) if (!this.#secrets.includes(form)) this.#secrets.push(form);
  }

  debug(message: string, ...details: unknown[]): void {
    this.#redacted.debug(message, ...details);
  }

  info(message: string, ...details: unknown[]): void {
    this.#redacted.info(message, ...details);
  }

  warn(message: string, ...details: unknown[]): void {
    this.#redacted.warn(message, ...details);
  }

  error(message: string, ...details: unknown[]): void {
    this.#redacted.error(message, ...details);
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#channel.dispose();
  }
}
