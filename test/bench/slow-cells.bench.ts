/**
 * Cells that are slow for the engine: JavaScript, beside an engine that is made anew for each cell, and
 * models, beside a client that asks the same provider as many questions at the same time.
 */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import variant from '@jitl/quickjs-singlefile-mjs-release-sync';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import { Agent, request } from 'undici';
import { Sandbox } from '../../src/service/sandbox/sandbox.ts';
import { RunningService } from '../service/support/running-service.ts';
import type { Figure } from './figure.ts';
import { environmentOf, promptColumn, startProvider, type Provider } from './prompt-provider.ts';

export const name = 'Slow cells';

const CODE_CELLS = 6000;
const ROUNDS = 3;
const LANES = 64;
const code = 'const words = data.text.split(" ");\nreturn words.length + data.n';
/** Of the cells a second of an engine that is made anew for each, in one thread; 0.4 to 0.8 once. */
const LEAST_GAIN = 1.5;

const ROWS = 500;
const LATENCY_MS = 20;
/** How many times as long as the bare client a column may take, by the setting. */
const settings = [
  { atOnce: 16, most: 1.3 },
  { atOnce: 64, most: 2.2 },
  { atOnce: 256, most: 4 },
] as const;
const LIMIT_MS = 120_000;

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Does something so many times, so many at a time; answers milliseconds. */
async function timed(
  count: number,
  lanes: number,
  one: (number: number) => Promise<void>,
): Promise<number> {
  const began = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return performance.now() - began;
}

async function codeCells(): Promise<Figure[]> {
  const module = await newQuickJSWASMModuleFromVariant(variant);
  const sandbox = new Sandbox();
  const { signal } = new AbortController();
  const ours = async (n: number): Promise<void> => {
    const value = await sandbox.runJavaScript(code, { n, text: 'some words of a row' }, { signal });
    assert.equal(value, 5 + n);
  };
  const anew = async (n: number): Promise<void> => {
    const runtime = module.newRuntime();
    const context = runtime.newContext();
    const data = JSON.stringify({ n, text: 'some words of a row' });
    const result = context.evalCode(`((data) => {${code}})(${data})`);
    assert.equal(context.getNumber(context.unwrapResult(result)), 5 + n);
    result.dispose();
    context.dispose();
    runtime.dispose();
  };
  try {
    await timed(500, LANES, ours);
    const [own, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      own.push((CODE_CELLS * 1000) / (await timed(CODE_CELLS, LANES, ours)));
      bare.push((CODE_CELLS * 1000) / (await timed(CODE_CELLS, 1, anew)));
    }
    const gain = median(own) / median(bare);
    return [
      { metric: 'JavaScript', value: Math.round(median(own)), unit: 'cells/s' },
      { metric: 'an engine for each cell', value: Math.round(median(bare)), unit: 'cells/s' },
      {
        metric: 'JavaScript, at least so many times as an engine for each cell',
        value: gain,
        unit: 'times',
        limit: LEAST_GAIN,
        pass: gain >= LEAST_GAIN,
      },
    ];
  } finally {
    sandbox.close();
  }
}

async function bareClient({ url }: Provider, atOnce: number): Promise<number> {
  const dispatcher = new Agent({ connections: atOnce });
  try {
    return await timed(ROWS, atOnce, async (row) => {
      const body = JSON.stringify({ messages: [{ role: 'user', content: `Say ${String(row)}` }] });
      const answer = await request(`${url}/chat/completions`, { method: 'POST', body, dispatcher });
      assert.match(await answer.body.text(), /Yes\./);
    });
  } finally {
    await dispatcher.close();
  }
}

async function ourColumn({ api }: RunningService): Promise<number> {
  const words = Array.from({ length: ROWS }, (_, row) => `word ${String(row)}`);
  const sheet = await api.sheetOf(`word\n${words.join('\n')}\n`);
  await api.expect(201, 'POST', `${sheet.path}/columns`, promptColumn);
  const began = performance.now();
  await api.expect(202, 'POST', `${sheet.path}/operations`, {});
  for (;;) {
    const { pending_count: left } = await api.get(`${sheet.path}/operations`);
    if (left === 0) return performance.now() - began;
    assert.ok(performance.now() - began < LIMIT_MS, `${String(left)} cells are left`);
    await pause(10);
  }
}

async function promptCells(atOnce: number, most: number): Promise<Figure[]> {
  const provider = await startProvider(LATENCY_MS);
  const service = await RunningService.start({
    environment: {
      ...environmentOf(provider.url),
      PROMPT_TABLES_CONCURRENCY: String(atOnce),
    },
  });
  try {
    await ourColumn(service);
    provider.takeMost();
    const [own, bare, underWay]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      own.push(await ourColumn(service));
      underWay.push(provider.takeMost());
      bare.push(await bareClient(provider, atOnce));
      provider.takeMost();
    }
    const ratio = median(own) / median(bare);
    const title = `${String(ROWS)} prompts, ${String(atOnce)} at once`;
    return [
      { metric: title, value: median(own) / 1000, unit: 's' },
      {
        metric: `${title}: against a bare client`,
        value: ratio,
        unit: 'times',
        limit: most,
        pass: ratio <= most,
      },
      {
        metric: `${title}: most under way`,
        value: Math.max(...underWay),
        unit: 'requests',
        limit: atOnce,
        pass: Math.max(...underWay) === atOnce,
      },
    ];
  } finally {
    await service.stop();
    provider.close();
  }
}

export async function run(): Promise<Figure[]> {
  const figures = await codeCells();
  for (const { atOnce, most } of settings) figures.push(...(await promptCells(atOnce, most)));
  return figures;
}
