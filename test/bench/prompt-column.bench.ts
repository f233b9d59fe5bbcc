/**
 * A table of 1,000 rows with one prompt column, beside promptfoo with the same prompts: the same
 * provider of 200 ms, the same concurrency, one after the other in turns. Both begin with nothing:
 * each starts its process, takes the rows in, asks, and gives the answers out.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RunningService } from '../service/support/running-service.ts';
import { watchMemory } from './process-tree.ts';
import { environmentOf, promptColumn, startProvider } from './prompt-provider.ts';
import { installPromptfoo } from './promptfoo/install.ts';
import type { Figure } from './figure.ts';
import { until } from '../support/until.ts';

export const name = 'Prompt column';

const ROWS = 1000;
const LATENCY_MS = 200;
const CONCURRENCY = 16;
const TURNS = 3;
const LIMIT_MS = 300_000;

interface Measured {
  readonly wallMs: number;
  readonly memoryMb: number;
}

const words = Array.from({ length: ROWS }, (_, row) => `word ${String(row)}`);
async function ours(url: string): Promise<Measured> {
  const began = performance.now();
  const service = await RunningService.start({
    environment: {
      ...environmentOf(url),
      PROMPT_TABLES_MODEL: 'openai/gpt-4o-mini',
      PROMPT_TABLES_CONCURRENCY: String(CONCURRENCY),
    },
  });
  const memory = watchMemory(service.ready.pid);
  try {
    const { api } = service;
    const sheet = await api.sheetOf(`word\n${words.join('\n')}\n`);
    const { column } = await api.expect(201, 'POST', `${sheet.path}/columns`, promptColumn);
    let body: object = {};
    const asked = await api.call('POST', `${sheet.path}/operations`, body);
    if (asked.body.requires_confirmation) {
      body = { confirmation_token: asked.body.confirmation_token };
      await api.expect(202, 'POST', `${sheet.path}/operations`, body);
    }
    await until(
      'no cell is left',
      async () => (await api.get(`${sheet.path}/operations`)).pending_count === 0,
      { limitMs: LIMIT_MS, everyMs: 50 },
    );
    const exported = await api.call('GET', `${sheet.path}/export?format=json`);
    assert.equal(exported.text.split('Yes.').length - 1, ROWS, column.id);
    return { wallMs: performance.now() - began, memoryMb: memory.stop() };
  } finally {
    memory.stop();
    await service.stop();
  }
}

async function theirs(url: string, entry: string): Promise<Measured> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pt-promptfoo-'));
  try {
    const [config, out] = [path.join(folder, 'config.json'), path.join(folder, 'out.json')];
    writeFileSync(
      config,
      JSON.stringify({
        prompts: ['Say {{word}}'],
        providers: [
          { id: 'openai:chat:gpt-4o-mini', config: { apiKey: 'sk-fake', apiBaseUrl: url } },
        ],
        tests: words.map((word) => ({ vars: { word } })),
      }),
    );
    const began = performance.now();
    const flags = ['--no-cache', '--no-progress-bar', '--no-table', '--no-write', '--no-share'];
    const child = spawn(
      process.execPath,
      [entry, 'eval', '-c', config, '-o', out, '-j', String(CONCURRENCY), ...flags],
      {
        env: {
          ...process.env,
          ...environmentOf(url),
          PROMPTFOO_CONFIG_DIR: folder,
          PROMPTFOO_DISABLE_TELEMETRY: '1',
          PROMPTFOO_DISABLE_UPDATE: '1',
          PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
        },
        stdio: 'ignore',
        timeout: LIMIT_MS,
      },
    );
    const memory = watchMemory(child.pid ?? 0);
    const [code] = (await once(child, 'exit')) as [number | null];
    const measured = { wallMs: performance.now() - began, memoryMb: memory.stop() };
    assert.equal(code, 0, 'promptfoo has failed');
    const { results } = JSON.parse(readFileSync(out, 'utf8')) as {
      readonly results: { readonly stats: { readonly successes: number } };
    };
    assert.equal(results.stats.successes, ROWS);
    return measured;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

export async function run(): Promise<Figure[]> {
  const entry = await installPromptfoo();
  const provider = await startProvider(LATENCY_MS);
  try {
    const [own, peer]: [Measured[], Measured[]] = [[], []];
    for (let turn = 0; turn < TURNS; turn += 1) {
      own.push(await ours(provider.url));
      peer.push(await theirs(provider.url, entry));
    }
    assert.equal(provider.asked(), 2 * TURNS * ROWS, 'Both ask once for each row.');
    const of = (all: readonly Measured[], what: keyof Measured): number =>
      median(all.map((one) => one[what]));
    const least = (ROWS / CONCURRENCY) * LATENCY_MS;
    const ratio = (what: keyof Measured): number => of(own, what) / of(peer, what);
    return [
      { metric: `${String(ROWS)} rows, ours`, value: of(own, 'wallMs') / 1000, unit: 's' },
      { metric: `${String(ROWS)} rows, promptfoo`, value: of(peer, 'wallMs') / 1000, unit: 's' },
      { metric: 'the provider alone takes', value: least / 1000, unit: 's' },
      limited('time, ours against promptfoo', ratio('wallMs')),
      { metric: 'most memory, ours', value: of(own, 'memoryMb'), unit: 'MB' },
      { metric: 'most memory, promptfoo', value: of(peer, 'memoryMb'), unit: 'MB' },
      limited('memory, ours against promptfoo', ratio('memoryMb')),
    ];
  } finally {
    provider.close();
  }
}

const limited = (metric: string, value: number): Figure => ({
  metric,
  value,
  unit: 'times',
  limit: 1,
  pass: value <= 1,
});
