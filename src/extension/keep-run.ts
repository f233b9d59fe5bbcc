import { describeError } from '../core/errors.ts';
import type { App } from './app.ts';
import type { EndedRun } from './run-history.ts';

/**
 * Writes a run down, and asks the service what it has cost: US dollars, undefined when nobody knows.
 * Never throws: the run is over.
 */
export async function keepRun(app: App, ended: EndedRun): Promise<number | undefined> {
  const { connectionId, requestId } = ended;
  try {
    const history = await app.history();
    const entry = await history.add(ended);
    if (requestId === undefined) return undefined;
    const price = await priceOf(app, connectionId, requestId);
    if (price !== undefined && entry !== undefined) {
      await history.change(entry.id, { priceUsd: price });
    }
    return price;
  } catch (error) {
    app.errors.note(error, 'Keeping a run');
    return undefined;
  }
}

/** US dollars; undefined when the service does not tell. */
async function priceOf(
  app: App,
  connectionId: string,
  requestId: number,
): Promise<number | undefined> {
  const { signal } = app;
  try {
    const client = await app.connections.client(connectionId, { signal });
    const { price } = await client.requests.get(requestId, { signal });
    return price ?? undefined;
  } catch (error) {
    app.log.debug(`The price of request ${requestId} is not known. ${describeError(error)}`);
    return undefined;
  }
}
