/** Row pages of the local service over HTTP: how they grow with the sheet, and with the place in it. */
import type { Api } from '../service/support/api.ts';
import type { SheetPlace } from '../service/support/api.ts';
import { RunningService } from '../service/support/running-service.ts';
import { csvOf } from './csv-of.ts';

export const name = 'Local service';

interface Result {
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  readonly limit?: number;
  readonly pass?: boolean;
}

const COLUMNS = 10;
const PAGE_ROWS = 100;
const REPEATS = 40;

/** Cursor of the last page, by asking backwards for the row before it. */
async function lastCursor(api: Api, sheet: SheetPlace): Promise<string> {
  let cursor: string | undefined;
  for (;;) {
    const query = cursor === undefined ? '' : `&cursor=${cursor}`;
    const page = await api.get(
      `${sheet.path}/rows?limit=${String(PAGE_ROWS)}&include_columns=false${query}`,
    );
    if (page.next_cursor === null) return cursor ?? '';
    cursor = page.next_cursor;
  }
}

async function measure(api: Api, path: string): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < REPEATS; count += 1) {
    const started = performance.now();
    await api.call('GET', path);
    times.push(performance.now() - started);
  }
  return times.sort((left, right) => left - right);
}

const median = (times: readonly number[]): number =>
  times[Math.floor(times.length / 2)] ?? Number.NaN;

export async function run(): Promise<Result[]> {
  const service = await RunningService.start();
  try {
    const { api } = service;
    const small = await api.sheetOf(csvOf(1000, COLUMNS));
    const started = performance.now();
    const large = await api.sheetOf(csvOf(100_000, COLUMNS), 'large.csv', 300_000);
    const importSeconds = (performance.now() - started) / 1000;
    const query = `/rows?limit=${String(PAGE_ROWS)}&include_columns=false`;
    const cursor = await lastCursor(api, large);
    // Rounds in turn, so that a noisy moment of the machine meets all of them.
    const rounds = { small: [] as number[], first: [] as number[], last: [] as number[] };
    for (let round = 0; round < 5; round += 1) {
      rounds.small.push(median(await measure(api, small.path + query)));
      rounds.first.push(median(await measure(api, large.path + query)));
      rounds.last.push(median(await measure(api, `${large.path}${query}&cursor=${cursor}`)));
    }
    const [smallMs, firstMs, lastMs] = [rounds.small, rounds.first, rounds.last].map((times) =>
      median(times.sort((left, right) => left - right)),
    ) as [number, number, number];
    return [
      {
        metric: 'row page of 100 x 10 cells, sheet of 1,000 rows, p50',
        value: smallMs,
        unit: 'ms',
      },
      { metric: 'row page, sheet of 100,000 rows, p50', value: firstMs, unit: 'ms' },
      limited('row page, 100,000 rows against 1,000', firstMs / smallMs, 3),
      limited('row page, last against first of 100,000 rows', lastMs / firstMs, 2),
      { metric: 'CSV import of 100,000 rows x 10', value: importSeconds, unit: 's' },
    ];
  } finally {
    await service.stop();
  }
}

const limited = (metric: string, value: number, limit: number): Result => ({
  metric,
  value,
  unit: 'times',
  limit,
  pass: value <= limit,
});
