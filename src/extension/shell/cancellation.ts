import type { CancellationToken } from 'vscode';
import * as vscode from 'vscode';

/** Runs `work` with a signal that follows the token, and the others given. */
export async function withSignal<Result>(
  token: CancellationToken,
  work: (signal: AbortSignal) => Promise<Result>,
  ...others: readonly AbortSignal[]
): Promise<Result> {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort(new vscode.CancellationError());
  const subscription = token.onCancellationRequested(() => {
    controller.abort(new vscode.CancellationError());
  });
  try {
    return await work(AbortSignal.any([controller.signal, ...others]));
  } finally {
    subscription.dispose();
  }
}

/** A token that follows the signal; to be disposed of with what it was made for. */
export function cancellationOf(signal: AbortSignal): vscode.CancellationTokenSource {
  const source = new vscode.CancellationTokenSource();
  const onAbort = (): void => source.cancel();
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  const dispose = source.dispose.bind(source);
  return Object.assign(source, {
    dispose: () => {
      signal.removeEventListener('abort', onAbort);
      dispose();
    },
  });
}

/** Stops waiting when the signal is aborted; what was waited for goes on for its other users. */
export async function abortable<Value>(
  waited: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return waited;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    waited.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
