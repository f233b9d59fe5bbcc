import { setTimeout as pause } from 'node:timers/promises';
import { describeError, isCancellation } from '../../core/errors.ts';
import type { Client } from '../../core/index.ts';
import type { App } from '../shell/app.ts';
import type { EndedRun, RunEntry } from './run-history.ts';

/** The metadata key by which the requests of a run are found in the log. */
export const runMark = 'prompt_tables_run';
/** The log may be a moment behind: what is found first is looked at once more. */
const costPausesMs = [3000, 20_000];
const pageSize = 25;
/** Searches are few: a run of more requests keeps an unknown cost. */
const mostPages = 4;

type KeepApp = Pick<App, 'connections' | 'errors' | 'history' | 'log' | 'signal'>;
type Cost = Partial<Pick<RunEntry, 'priceUsd' | 'inputTokens' | 'outputTokens'>>;

/** Writes a run of a workflow down, and what its requests have cost. Never throws: the run is over. */
export async function keepWorkflowRun(
  app: KeepApp,
  ended: EndedRun,
  mark: string,
  pausesMs: readonly number[] = costPausesMs,
): Promise<void> {
  const { signal } = app;
  try {
    const history = await app.history();
    const entry = await history.add(ended);
    if (entry === undefined || ended.executionId === undefined) return;
    for (const ms of pausesMs) {
      await pause(ms, undefined, { signal, ref: false });
      const cost = await costOf(app, ended.connectionId, mark);
      if (Object.keys(cost).length > 0) await history.change(entry.id, cost);
    }
  } catch (error) {
    if (!isCancellation(error) && !signal.aborted) {
      app.errors.note(error, 'Keeping a run of a workflow');
    }
  }
}

/** Sums over the requests of a run; a sum is left out when one of them does not tell its part. */
async function costOf(
  { connections, log, signal }: KeepApp,
  connectionId: string,
  mark: string,
): Promise<Cost> {
  try {
    const client = await connections.client(connectionId, { signal });
    const requests = await requestsOf(client, mark, signal);
    if (requests.length === 0) return {};
    const sum = (field: string): number | undefined =>
      requests.reduce<number | undefined>((total, request) => {
        const value = request[field];
        return total === undefined || typeof value !== 'number' ? undefined : total + value;
      }, 0);
    const [priceUsd, inputTokens, outputTokens] = [
      ...[sum('price'), sum('input_tokens'), sum('output_tokens')],
    ];
    return {
      ...(priceUsd !== undefined && { priceUsd }),
      ...(inputTokens !== undefined && { inputTokens }),
      ...(outputTokens !== undefined && { outputTokens }),
    };
  } catch (error) {
    log.debug(`The cost of a workflow could not be looked up. ${describeError(error)}`);
    return {};
  }
}

/** All of them; none when there are more than can be looked through. */
async function requestsOf(
  client: Client,
  mark: string,
  signal: AbortSignal,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const filters = [{ field: 'metadata', operator: 'is', nested_key: runMark, value: mark }];
  const found: Readonly<Record<string, unknown>>[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const search = { filterGroup: { logic: 'AND', filters }, page, perPage: pageSize };
    const { items, has_next: hasNext } = await client.requests.search(search, { signal });
    found.push(...items);
    if (hasNext !== true) return found;
  }
  return [];
}
