/**
 * The SDK against the public one, both against the same fakes in one run: cached templates, long
 * streams, many runs at once, time to load.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { installPublicSdk } from '../../scripts/public-sdk.mjs';
import type { Figure } from './figure.ts';

export const name = 'SDK against the public SDK';

const here = path.join(import.meta.dirname, 'sdk-peers');
const rounds = 3;
const chunkCounts = [5_000, 10_000, 20_000] as const;

async function startFakes(): Promise<{ url: string; stop: () => void }> {
  const child = spawn(process.execPath, [path.join(here, 'fakes.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { port } = JSON.parse(line.toString()) as { port: number };
  return { url: `http://127.0.0.1:${String(port)}`, stop: () => child.kill() };
}

type Which = 'ours' | 'theirs';

async function ask(
  url: string,
  which: Which,
  task: string,
  count: number,
  chunks = 100,
): Promise<Record<string, number>> {
  const child = spawn(
    process.execPath,
    ['--expose-gc', path.join(here, 'contender.ts'), which, task, String(count)],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        BENCH_URL: url,
        OPENAI_API_KEY: 'bench',
        OPENAI_BASE_URL: `${url}/chunks/${String(chunks)}/v1`,
      },
    },
  );
  let out = '';
  let complaints = '';
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (complaints += piece.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), 120_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${which} ${task} failed: ${complaints.slice(-2000)}`);
  return JSON.parse(out.trim().split('\n').at(-1) ?? '') as Record<string, number>;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export async function run(): Promise<Figure[]> {
  // Before anything is measured.
  await installPublicSdk();
  const { url, stop } = await startFakes();
  try {
    /** Both take turns, so that a busy machine is busy for both. */
    const both = async (task: string, count: number, field: string, chunks?: number) => {
      const values: Record<Which, number[]> = { ours: [], theirs: [] };
      for (let round = 0; round < rounds; round += 1) {
        for (const which of ['ours', 'theirs'] as const) {
          const measured = await ask(url, which, task, count, chunks);
          values[which].push(measured[field] ?? Number.NaN);
        }
      }
      return { ours: median(values.ours), theirs: median(values.theirs) };
    };
    const figures: Figure[] = [];

    const load = await both('import', 0, 'importMs');
    figures.push(
      { metric: 'time to load: ours', value: load.ours, unit: 'ms' },
      { metric: 'time to load: public SDK', value: load.theirs, unit: 'ms' },
      {
        metric: 'time to load: ours against the public SDK',
        value: load.ours / load.theirs,
        unit: 'x',
        limit: 0.4,
        pass: load.ours / load.theirs <= 0.4,
      },
      { metric: 'size of the module that is loaded', value: sizeKb('dist/core.mjs'), unit: 'KB' },
    );

    const get = await both('get', 20_000, 'perCallUs');
    const faster = get.theirs / get.ours;
    figures.push(
      { metric: 'cached templates.get: ours', value: get.ours, unit: 'µs CPU' },
      { metric: 'cached templates.get: public SDK', value: get.theirs, unit: 'µs CPU' },
      {
        metric: 'cached templates.get: times faster',
        value: faster,
        unit: 'x at least',
        limit: 5,
        pass: faster >= 5,
      },
    );

    const streams = new Map<number, number>();
    for (const chunks of chunkCounts) {
      const taken: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        taken.push((await ask(url, 'ours', 'stream', 0, chunks))['cpuMs'] ?? Number.NaN);
      }
      streams.set(chunks, median(taken));
    }
    const [few, , many] = chunkCounts.map((chunks) => streams.get(chunks) ?? Number.NaN);
    const growth = (many ?? Number.NaN) / (few ?? Number.NaN);
    // What each stream pays once, such as loading what runs prompts, is in both.
    const [fewest, , most] = chunkCounts;
    const eachUs = (((many ?? Number.NaN) - (few ?? Number.NaN)) / (most - fewest)) * 1000;
    const stream = await both('stream', 0, 'cpuMs', 10_000);
    const ratio = stream.ours / stream.theirs;
    const { keptMb = Number.NaN } = await ask(url, 'ours', 'stream', 0, 10_000);
    figures.push(
      { metric: '10,000 chunks, blueprint so far: ours', value: stream.ours, unit: 'ms CPU' },
      { metric: '10,000 chunks, deltas: public SDK', value: stream.theirs, unit: 'ms CPU' },
      {
        metric: '10,000 chunks: ours against the public SDK',
        value: ratio,
        unit: 'x',
        limit: 1,
        pass: ratio <= 1,
      },
      {
        metric: 'each further chunk: ours',
        value: eachUs,
        unit: 'µs CPU',
        limit: 10,
        pass: eachUs <= 10,
      },
      {
        metric: 'four times the chunks take',
        value: growth,
        unit: 'x',
        limit: 5,
        pass: growth <= 5,
      },
      {
        metric: 'memory kept after a stream whose chunks were let go',
        value: keptMb,
        unit: 'MB',
        limit: 5,
        pass: keptMb < 5,
      },
    );

    const runs = await both('runs', 1_000, 'cpuMs');
    const runRatio = runs.ours / runs.theirs;
    figures.push(
      { metric: '1,000 runs at once: ours', value: runs.ours, unit: 'ms CPU' },
      { metric: '1,000 runs at once: public SDK', value: runs.theirs, unit: 'ms CPU' },
      {
        metric: '1,000 runs at once: ours against the public SDK',
        value: runRatio,
        unit: 'x',
        limit: 1,
        pass: runRatio <= 1,
      },
    );
    return figures;
  } finally {
    stop();
  }
}

const sizeKb = (file: string): number =>
  fs.statSync(path.resolve(import.meta.dirname, '../..', file)).size / 1024;
