/** How quickly the engine computes: 100,000 deterministic cells, and 1, 2 and 4 processes on PostgreSQL. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createOperation, getOperation } from '../../src/service/engine/index.ts';
import { openTestDatabase, TestSheet } from '../support/engine/sheet.ts';
import { killed, startWorkerProcess } from '../support/engine/start-worker-process.ts';
import type { Figure } from './figure.ts';
import { until } from '../support/until.ts';

export const name = 'engine';

const ROWS = 100_000;
const MEMORY_LIMIT_MB = 500;
const LIMIT_MS = 600_000;
const settings = { confirmationSecret: 'bench', confirmationThreshold: Infinity };

export async function run(): Promise<Figure[]> {
  const sqlite = await measure('sqlite', 1, ROWS);
  const one = await measure('postgres', 1, ROWS);
  const two = await measure('postgres', 2, ROWS);
  const four = await measure('postgres', 4, ROWS);
  const figures: Figure[] = [];
  for (const [title, { queueMs, cellsPerSecond, memoryMb }] of [
    ['SQLite', sqlite],
    ['PostgreSQL, 1 worker', one],
    ['PostgreSQL, 2 workers', two],
    ['PostgreSQL, 4 workers', four],
  ] as const) {
    figures.push(
      { metric: `${title}: queue ${String(ROWS)} cells`, value: queueMs, unit: 'ms' },
      { metric: `${title}: compute`, value: cellsPerSecond, unit: 'cells/s' },
      {
        metric: `${title}: most memory of a worker`,
        value: memoryMb,
        unit: 'MB',
        limit: MEMORY_LIMIT_MB,
        pass: memoryMb <= MEMORY_LIMIT_MB,
      },
    );
  }
  const gain = Math.round((two.cellsPerSecond / one.cellsPerSecond) * 100) / 100;
  return [...figures, { metric: 'PostgreSQL: 2 workers against 1', value: gain, unit: 'x' }];
}

async function measure(
  kind: 'sqlite' | 'postgres',
  workerCount: number,
  rows: number,
): Promise<{ queueMs: number; cellsPerSecond: number; memoryMb: number }> {
  const test = await openTestDatabase(kind);
  const workers: ChildProcess[] = [];
  try {
    const sheet = await TestSheet.create(
      test.database,
      ['A'],
      rows,
      (_, row) => `some words ${String(row)}`,
    );
    await sheet.addColumn('Length', 'COUNT', { source: 'A', type: 'chars' });
    for (let count = 0; count < workerCount; count += 1) {
      workers.push(await startWorkerProcess(test.address, 20_000));
    }
    const began = performance.now();
    const outcome = await createOperation(
      test.database,
      { key: sheet.key, id: sheet.record.id },
      {},
      settings,
    );
    const queued = performance.now();
    if (outcome.kind !== 'queued') throw new Error(`The cells were not queued: ${outcome.kind}`);
    await until(
      'all cells are computed',
      async () =>
        (await getOperation(test.database, sheet.key, outcome.operationId))?.pendingCount === 0,
      { limitMs: LIMIT_MS },
    );
    return {
      queueMs: Math.round(queued - began),
      cellsPerSecond: Math.round((rows * 1000) / (performance.now() - queued)),
      memoryMb: Math.max(...workers.map(peakMemoryMb)),
    };
  } finally {
    for (const worker of workers) await killed(worker);
    await test.close();
  }
}

/** The most that a process has held in memory, where the system tells. */
function peakMemoryMb({ pid }: ChildProcess): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
