/**
 * How quickly the engine computes: 100,000 deterministic cells, beside `node:sqlite` alone that writes
 * the same results, and 1, 2 and 4 processes on PostgreSQL, and one with ten times the rows.
 */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createOperation, getOperation } from '../../src/service/engine/index.ts';
import { openTestDatabase, TestSheet, type TestDatabase } from '../support/engine/sheet.ts';
import { killed, startWorkerProcess } from '../support/engine/start-worker-process.ts';
import { writeBare } from './bare-cells.ts';
import type { Figure } from './figure.ts';
import { until } from '../support/until.ts';

export const name = 'engine';

const ROWS = 100_000;
const FEW_ROWS = 30_000;
const MEMORY_LIMIT_MB = 500;
/** Written by the worker for a cell whose value has four bytes. */
const BYTES_LIMIT = 500;
/** Processor time of the worker, of that of a program that does nothing but write the results. */
const BARE_LIMIT = 3;
/** Cells a second at ten times the rows. */
const LEAST_OF_FEW = 0.8;
const LIMIT_MS = 600_000;
/** In which Linux counts processor time. */
const TICK_US = 10_000;
const settings = { confirmationSecret: 'bench', confirmationThreshold: Infinity };

export async function run(): Promise<Figure[]> {
  const sqlite = await measure('sqlite', 1, ROWS);
  const bare = await measureBare(ROWS);
  const one = await measure('postgres', 1, ROWS);
  const two = await measure('postgres', 2, ROWS);
  const four = await measure('postgres', 4, ROWS);
  const few = await measure('postgres', 1, FEW_ROWS);
  const many = await measure('postgres', 1, 10 * FEW_ROWS);
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
  const ofBare = ratio(sqlite.cpuUs, bare);
  const ofFew = ratio(many.cellsPerSecond, few.cellsPerSecond);
  figures.push(
    {
      metric: 'SQLite: written for a cell',
      value: sqlite.bytes,
      unit: 'B',
      limit: BYTES_LIMIT,
      pass: sqlite.bytes <= BYTES_LIMIT,
    },
    { metric: 'SQLite: processor time of a cell', value: sqlite.cpuUs, unit: 'µs' },
    {
      metric: 'SQLite: processor time against node:sqlite alone',
      value: ofBare,
      unit: 'x',
      limit: BARE_LIMIT,
      pass: ofBare <= BARE_LIMIT,
    },
    {
      metric: `PostgreSQL: cells/s of ${String(10 * FEW_ROWS)} rows against ${String(FEW_ROWS)}, at least`,
      value: ofFew,
      unit: 'x',
      limit: LEAST_OF_FEW,
      pass: ofFew >= LEAST_OF_FEW,
    },
  );
  const gain = ratio(two.cellsPerSecond, one.cellsPerSecond);
  return [...figures, { metric: 'PostgreSQL: 2 workers against 1', value: gain, unit: 'x' }];
}

const ratio = (value: number, other: number): number => Math.round((value / other) * 100) / 100;

interface Measured {
  readonly queueMs: number;
  readonly cellsPerSecond: number;
  readonly memoryMb: number;
  /** For each cell, by all workers: microseconds of processor time, bytes given to the system. */
  readonly cpuUs: number;
  readonly bytes: number;
}

async function queuedSheet(
  test: TestDatabase,
  rows: number,
): Promise<{ sheet: TestSheet; queue: () => Promise<string> }> {
  const value = (_: string, row: number): string => `some words ${String(row)}`;
  const sheet = await TestSheet.create(test.database, ['A'], rows, value);
  await sheet.addColumn('Length', 'COUNT', { source: 'A', type: 'chars' });
  const queue = async (): Promise<string> => {
    const place = { key: sheet.key, id: sheet.record.id };
    const outcome = await createOperation(test.database, place, {}, settings);
    if (outcome.kind !== 'queued') throw new Error(`The cells were not queued: ${outcome.kind}`);
    return outcome.operationId;
  };
  return { sheet, queue };
}

async function measureBare(rows: number): Promise<number> {
  const test = await openTestDatabase('sqlite');
  try {
    const { sheet, queue } = await queuedSheet(test, rows);
    await queue();
    if (test.address.kind !== 'sqlite') throw new Error('Not a folder.');
    return writeBare(test.address.path, sheet, 'Length', rows);
  } finally {
    await test.close();
  }
}

async function measure(
  kind: 'sqlite' | 'postgres',
  workerCount: number,
  rows: number,
): Promise<Measured> {
  const test = await openTestDatabase(kind);
  const workers: ChildProcess[] = [];
  try {
    const { sheet, queue } = await queuedSheet(test, rows);
    for (let count = 0; count < workerCount; count += 1) {
      workers.push(await startWorkerProcess(test.address, 20_000));
    }
    const before = workers.map(usedBy);
    const began = performance.now();
    const operationId = await queue();
    const queued = performance.now();
    await until(
      'all cells are computed',
      async () => (await getOperation(test.database, sheet.key, operationId))?.pendingCount === 0,
      { limitMs: LIMIT_MS },
    );
    const spentMs = performance.now() - queued;
    const used = workers.map(usedBy);
    const perCell = (of: 'cpuUs' | 'bytes'): number =>
      sumOf(used.map((now, at) => now[of] - (before[at]?.[of] ?? 0))) / rows;
    return {
      queueMs: Math.round(queued - began),
      cellsPerSecond: Math.round((rows * 1000) / spentMs),
      memoryMb: Math.max(...workers.map(peakMemoryMb)),
      cpuUs: Math.round(perCell('cpuUs') * 10) / 10,
      bytes: Math.round(perCell('bytes')),
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

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Microseconds of processor time, and bytes written, where the system tells. */
function usedBy({ pid }: ChildProcess): { cpuUs: number; bytes: number } {
  if (process.platform !== 'linux') return { cpuUs: 0, bytes: 0 };
  const file = (name: string): string => readFileSync(`/proc/${String(pid)}/${name}`, 'utf8');
  const stat = file('stat');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')'))
    .split(' ')
    .slice(12, 14)
    .map(Number);
  return {
    cpuUs: (user + system) * TICK_US,
    bytes: Number(/wchar: (\d+)/.exec(file('io'))?.[1] ?? 0),
  };
}
