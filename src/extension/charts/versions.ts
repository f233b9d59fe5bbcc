import * as z from 'zod';
import type { Cell } from '../../api/cell.ts';
import { measure } from '../../api/exact-number.ts';
import { Row } from '../../api/row.ts';
import type { SheetVersion } from '../../api/version.ts';
import { hasErrorCode } from '../../core/errors.ts';
import type { Client, SheetRef } from '../../core/index.ts';
import type { VersionCharts, VersionFigures } from '../../protocol/charts.ts';
import { metricsOf, noSamples, factsOf } from './samples.ts';
import { historyOf } from './score.ts';

/** The newest ones: each of them is read with its cells. */
const mostVersions = 30;

/** Its shape is not published: this is what our own service sends, and the first rows only. */
const Snapshot = z.looseObject({
  rows: z.array(Row),
  row_count: z.number().nullish().catch(null),
  has_more_rows: z.boolean().default(true),
});
const VersionScore = z.looseObject({ aggregate_score: measure.nullish().catch(null) });

/** What the cells of a version have cost and taken, as far as the service sends them. */
export function figuresOf(version: SheetVersion, score: number | null): VersionFigures {
  const snapshot = Snapshot.safeParse(version.snapshot).data;
  const samples = noSamples();
  let cells = 0;
  for (const { cells: row } of snapshot?.rows ?? []) {
    for (const cell of Object.values<Cell>(row)) {
      if (cell.request_metrics === undefined || cell.request_metrics === null) continue;
      cells += 1;
      const metrics = metricsOf(cell);
      for (const name of ['latency', 'price', 'tokens'] as const) {
        const value = metrics[name];
        if (value !== undefined) samples[name].add(value, NaN);
      }
    }
  }
  const rows = snapshot?.rows.length ?? 0;
  const ofVersion = VersionScore.safeParse(version.score ?? {}).data?.aggregate_score ?? null;
  return {
    version: version.version_number,
    name: version.name ?? '',
    at: version.created_at ?? '',
    rows,
    of: snapshot?.has_more_rows === false ? rows : (snapshot?.row_count ?? null),
    isReported: snapshot !== undefined,
    cells,
    latency: factsOf(samples.latency, []),
    price: factsOf(samples.price, []),
    tokens: factsOf(samples.tokens, []),
    score: score ?? ofVersion,
  };
}

/** Cost, latency and score of the saved versions of a sheet. */
export class VersionsOfSheet {
  #figures: readonly VersionFigures[] = [];
  #state: VersionCharts['state'] = 'idle';
  #of = 0;
  #hasMore = false;

  get charts(): VersionCharts {
    return {
      state: this.#state,
      versions: [...this.#figures].sort((a, b) => a.version - b.version),
      of: this.#of,
      hasMore: this.#hasMore,
    };
  }

  /** Reads them one after the other; `onVersion` after each. Stopped, it keeps what it has. */
  async read(
    client: Client,
    ref: SheetRef,
    { signal, onVersion }: { readonly signal: AbortSignal; readonly onVersion: () => void },
  ): Promise<void> {
    this.#figures = [];
    this.#of = 0;
    this.#state = 'reading';
    try {
      const page = await client.tables.versions.page(ref, { limit: mostVersions }, { signal });
      this.#of = page.items.length;
      this.#hasMore = page.nextCursor !== undefined;
      const scores = await scoresOf(client, ref, signal);
      for (const { id, version_number: number } of page.items) {
        const version = await client.tables.versions.get(ref, id, { signal });
        this.#figures = [...this.#figures, figuresOf(version, scores.get(number) ?? null)];
        onVersion();
      }
      this.#state = 'done';
    } catch (error) {
      this.#state = 'stopped';
      throw error;
    }
  }
}

/** By number of the version; a service that knows none answers 404. */
async function scoresOf(
  client: Client,
  ref: SheetRef,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  try {
    const history = historyOf(await client.tables.scores.history(ref, {}, { signal }));
    return new Map(history.map(({ version, score }) => [version, score]));
  } catch (error) {
    if (hasErrorCode(error, 'not_found')) return new Map();
    throw error;
  }
}
