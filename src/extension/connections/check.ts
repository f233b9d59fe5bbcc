import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { hasErrorCode } from '../../core/errors.ts';
import type { HostedAccess } from './open-client.ts';
import { openClient } from './open-client.ts';

/** Somebody waits for this answer, so the pauses between attempts are a tenth of the usual. */
const hurry = 10;
const limitMs = 15_000;

/** Reads one table with the key. Throws what the core throws, after all attempts. */
export async function checkAccess(
  app: App,
  access: HostedAccess,
  options: { readonly signal: AbortSignal },
): Promise<void> {
  const { systemClock } = await import('../../core/index.ts');
  const clock = {
    ...systemClock,
    schedule: (ms: number, run: () => void) => systemClock.schedule(ms / hurry, run),
  };
  const client = await openClient(app, access, { timeoutMs: limitMs * hurry, clock });
  try {
    await client.tables.page({ limit: 1 }, options);
  } finally {
    await client.close();
  }
}

/** What went wrong, in the words of somebody who is setting up a connection. */
export function checkFailure(
  app: App,
  error: unknown,
  { baseURL }: { readonly baseURL: string },
): string {
  const { message, hint } = app.errors.describe(error);
  const host = URL.canParse(baseURL) ? new URL(baseURL).host : baseURL;
  const what = hasErrorCode(error, 'authentication')
    ? vscode.l10n.t('{0} does not accept this API key.', host)
    : hasErrorCode(error, 'timeout')
      ? vscode.l10n.t('{0} did not answer in time.', host)
      : hasErrorCode(error, 'network')
        ? vscode.l10n.t('{0} could not be reached.', host)
        : hasErrorCode(error, 'configuration')
          ? vscode.l10n.t("Can't connect to {0} with these settings.", host)
          : vscode.l10n.t('{0} did not answer as expected.', host);
  return [what, message, hint].filter((part) => part !== undefined).join(' ');
}
