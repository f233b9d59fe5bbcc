import { setTimeout as pause } from 'node:timers/promises';
import { describeError, isCancellation } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import type { EndedRun, RunEntry } from './run-history.ts';

/** Services price a request some time after it was logged: how long to wait before each new question. */
const pricePausesMs = [2000, 6000, 20_000, 60_000];

type KeepApp = Pick<App, 'connections' | 'errors' | 'history' | 'log' | 'signal'>;

/**
 * Writes a run down, and asks the service what it has cost, a few times or until the window goes.
 * `tellPrice`: US dollars, undefined while nobody knows. Never throws: the run is over.
 */
export async function keepRun(
  app: KeepApp,
  ended: EndedRun,
  tellPrice: (priceUsd: number | undefined) => void = () => undefined,
  pausesMs: readonly number[] = pricePausesMs,
): Promise<void> {
  const { connectionId, requestId } = ended;
  const { signal } = app;
  try {
    const history = await app.history();
    const entry = await history.add(ended);
    if (requestId === undefined) return;
    let { version } = ended;
    for (const ms of [0, ...pausesMs]) {
      await pause(ms, undefined, { signal, ref: false });
      const logged = await loggedOf(app, connectionId, requestId);
      const { priceUsd } = logged;
      const isNews = priceUsd !== undefined || (logged.version ?? version) !== version;
      if (entry !== undefined && isNews) await history.change(entry.id, logged);
      version = logged.version ?? version;
      tellPrice(priceUsd);
      if (priceUsd !== undefined) return;
    }
  } catch (error) {
    if (!isCancellation(error) && !signal.aborted) app.errors.note(error, 'Keeping a run');
  }
}

/** What the log knows better than the panel: the cost, and the version that "latest" was. */
async function loggedOf(
  { connections, log, signal }: KeepApp,
  connectionId: string,
  requestId: number,
): Promise<Partial<Pick<RunEntry, 'priceUsd' | 'version'>>> {
  try {
    const client = await connections.client(connectionId, { signal });
    const { price, prompt_version_number: version } = await client.requests.get(requestId, {
      signal,
    });
    return {
      ...(typeof price === 'number' && { priceUsd: price }),
      ...(typeof version === 'number' && { version }),
    };
  } catch (error) {
    log.debug(`Request ${requestId} could not be looked up. ${describeError(error)}`);
    return {};
  }
}
