import * as vscode from 'vscode';
import type { App } from './app.ts';
import { withSignal } from './cancellation.ts';
import { plainSentence } from './plain-text.ts';

export interface Progress {
  /** `percent` is how much is done in all, 0 to 100. */
  report(step: { readonly message?: string; readonly percent?: number }): void;
}

export interface ProgressOptions {
  readonly title: string;
  /** `view`: the thin bar over the tree. `notification`: with a Cancel button. */
  readonly where: 'view' | 'window' | 'notification';
}

const locations = {
  view: { viewId: 'promptTables.tables' },
  window: vscode.ProgressLocation.Window,
  notification: vscode.ProgressLocation.Notification,
} as const;

/** Runs `work` under a progress display whose Cancel reaches the signal. */
export async function withProgress<Result>(
  app: App,
  { title, where }: ProgressOptions,
  work: (signal: AbortSignal, progress: Progress) => Promise<Result>,
): Promise<Result> {
  const options = {
    title: plainSentence(title, 300),
    location: locations[where],
    cancellable: where === 'notification',
  };
  return vscode.window.withProgress(options, (bar, token) => {
    let shown = 0;
    const progress: Progress = {
      report({ message, percent }) {
        const increment = percent === undefined ? 0 : Math.max(0, percent - shown);
        shown += increment;
        bar.report({
          increment,
          ...(message !== undefined && { message: plainSentence(message, 500) }),
        });
      },
    };
    return withSignal(token, (signal) => work(signal, progress), app.signal);
  });
}
