import { hasErrorCode } from '../../core/errors.ts';
import type { RunProblem } from '../../protocol/run.ts';
import type { App } from '../shell/app.ts';

/** What went wrong, and the variable to set when the key of a provider is missing. */
export function problemOf(app: App, error: unknown): RunProblem {
  const { message, hint } = app.errors.describe(error);
  // Keys of the prompt service belong to a connection.
  const variable = hasErrorCode(error, 'configuration')
    ? /\b(?!PROMPTLAYER_)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/.exec(hint ?? '')?.[0]
    : undefined;
  return {
    message,
    ...(hint !== undefined && { hint }),
    ...(variable !== undefined && { variable }),
  };
}

/** The workspace of a panel, as its head shows it. */
export function placeOf(
  app: App,
  connectionId: string,
): { readonly name: string; readonly local: boolean } {
  const connection = app.connections.get(connectionId);
  return { name: connection?.name ?? connectionId, local: connection?.kind === 'local' };
}
