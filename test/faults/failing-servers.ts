/** Servers of models, tools and endpoints that refuse, reset, fail, break off or take long, at random. */
import assert from 'node:assert/strict';
import { chatReply, promptOf } from '../support/providers/chat.ts';
import { FaultyServer, faults } from '../support/providers/faulty-server.ts';
import type { Api, Json } from '../service/support/api.ts';
import { RunningService } from '../service/support/running-service.ts';
import { SheetRun } from '../service/support/sheet-run.ts';
import type { Campaign, Figure } from './load.ts';

const ROWS = 40;
const MOST_LATE_MS = 150;
/** Attempts of a request to a model that is not answered well. */
const TRIES = 3;
/** For an operation of so many cells, on a machine that does other things too. */
const MOST_MS = 90_000;

interface Planned {
  readonly type: string;
  readonly config: object;
  /** Name of its requests at the server, and how many there may be in each row. */
  readonly asked?: readonly [name: string, most: number];
  readonly fails: boolean;
}

const some = <Item>(items: readonly Item[]): Item =>
  items[Math.floor(Math.random() * items.length)] as Item;

/** A column that meets one of the faults, or none. */
function planned(server: FaultyServer, kind: 'refuse' | 'reset', round: number): Planned {
  const fault = kind === 'refuse' ? undefined : some([...faults, undefined, undefined]);
  const mark = `${String(round)}-${Math.random().toString(36).slice(2, 8)}`;
  const origin = kind === 'refuse' && Math.random() < 0.8 ? server.closedUrl : server.url;
  const fails = fault !== undefined || origin === server.closedUrl;
  const path = `${mark}/${fault ?? 'good'}`;
  const what = Math.random();
  if (what < 0.4) {
    const method = some(['POST', 'PUT', 'GET', 'DELETE']);
    const config = { url: `${origin}/${path}`, method, input_mappings: { w: 'Word' } };
    return { type: 'ENDPOINT', config, asked: [`${method} /${path}`, 1], fails };
  }
  if (what < 0.5) {
    const base = fault === undefined ? server.closedUrl : server.url;
    const config = { mcp_server_id: `${base}/${path}`, tool_name: 'add' };
    return { type: 'MCP', config, fails: true };
  }
  if (what < 0.6) {
    const thrown = some(['no space left on device', 'ECONNREFUSED', 'Connection terminated']);
    const code = `throw Object.assign(new Error('${thrown}'), { code: 'ECONNRESET' })`;
    return { type: 'CODE_EXECUTION', config: { language: 'JAVASCRIPT', code }, fails: true };
  }
  // Where a model is, the environment of the service says: one server, one that is not there.
  const isClosed = kind === 'refuse';
  const provider = isClosed ? 'ollama' : some(['openai', 'mistral', 'vllm']);
  const prompt = promptOf(`say {word} ${mark}`, ['word'], {
    provider,
    name: 'a-model',
    parameters: {},
  });
  const mapping = { prompt_template_variable_mappings: { word: 'Word' } };
  const folder = { openai: 'reset', mistral: 'full', vllm: 'models', ollama: '' }[provider] ?? '';
  return {
    type: 'PROMPT_TEMPLATE',
    config: { ...prompt, ...mapping },
    asked: [`POST /${provider}/${folder}/chat/completions`, TRIES],
    fails: provider !== 'vllm',
  };
}

class Rounds {
  readonly #api: Api;
  readonly #server: FaultyServer;
  cells = 0;
  failed = 0;
  requests = 0;
  most = 0;
  longestMs = 0;

  constructor(api: Api, server: FaultyServer) {
    this.#api = api;
    this.#server = server;
  }

  async one(kind: 'refuse' | 'reset', round: number): Promise<void> {
    this.#server.counts.clear();
    this.#server.lateMs = Math.random() < 0.5 ? MOST_LATE_MS : 0;
    const words = Array.from({ length: ROWS }, (_, row) => `word-${String(round)}-${String(row)}`);
    const sheet = await SheetRun.of(this.#api, `Word\n${words.join('\n')}`);
    const columns: { readonly id: string; readonly plan: Planned }[] = [];
    for (let count = 0; count < 5; count += 1) {
      const plan = planned(this.#server, kind, round);
      columns.push({ id: await sheet.add(plan.type, plan.config, `c${String(count)}`), plan });
    }
    const began = performance.now();
    const operation = await sheet.ended(await sheet.start(), MOST_MS);
    this.longestMs = Math.max(this.longestMs, performance.now() - began);
    await this.#verify(sheet, columns, words, operation);
  }

  async #verify(
    sheet: SheetRun,
    columns: readonly { readonly id: string; readonly plan: Planned }[],
    words: readonly string[],
    operation: Json,
  ): Promise<void> {
    const { path } = sheet.place;
    const { status_counts: counts } = await this.#api.get(`${path}/status-counts`);
    assert.deepEqual([counts.QUEUED, counts.RUNNING, counts.STALE], [0, 0, 0], 'Nothing is stuck.');
    const page = await this.#api.get(`${path}/rows?limit=${String(ROWS)}`);
    let failed = 0;
    for (const { id, plan } of columns) {
      for (const [row, word] of words.entries()) {
        const cell = page.data[row]?.cells[id];
        assert.equal(cell?.status, plan.fails ? 'error' : 'completed', JSON.stringify(cell));
        failed += plan.fails ? 1 : 0;
        if (plan.asked === undefined) continue;
        const [name, most] = plan.asked;
        const same = columns.filter(({ plan: { asked } }) => asked?.[0] === name).length;
        const asked = this.#server.count(`${name} ${word}`);
        this.requests += asked;
        this.most = Math.max(this.most, asked / same);
        assert.ok(asked <= most * same, `${name} ${word}: ${String(asked)} requests`);
      }
    }
    assert.deepEqual(
      [operation.failed_count, operation.cell_count],
      [failed, columns.length * ROWS],
      'The counts are honest.',
    );
    this.failed += failed;
    this.cells += columns.length * ROWS;
  }
}

const campaign = (kind: 'refuse' | 'reset', name: string): Campaign => ({
  name,
  async run(untilMs): Promise<Figure[]> {
    const server = await FaultyServer.start();
    server.good = ({ path }) => (path.startsWith('/vllm') ? chatReply('here') : { ok: true });
    const service = await RunningService.start({
      environment: {
        OPENAI_API_KEY: 'sk-fake',
        OPENAI_BASE_URL: `${server.url}/openai/reset`,
        MISTRAL_API_KEY: 'sk-fake',
        MISTRAL_BASE_URL: `${server.url}/mistral/full`,
        VLLM_BASE_URL: `${server.url}/vllm/models`,
        OLLAMA_BASE_URL: `${server.closedUrl}/ollama`,
        PROMPT_TABLES_ALLOWED_HOSTS: [server.url, server.closedUrl]
          .map((url) => new URL(url).host)
          .join(','),
      },
    });
    const rounds = new Rounds(service.api, server);
    let round = 0;
    try {
      while (Date.now() < untilMs) await rounds.one(kind, (round += 1));
    } finally {
      await service.stop();
      await server.close();
    }
    return [
      { metric: 'operations', value: round, unit: '' },
      { metric: 'cells', value: rounds.cells, unit: '' },
      { metric: 'cells that failed, as they had to', value: rounds.failed, unit: '' },
      { metric: 'requests', value: rounds.requests, unit: '' },
      { metric: 'most requests of one cell', value: rounds.most, unit: '', limit: TRIES },
      { metric: 'longest operation', value: rounds.longestMs / 1000, unit: 's', limit: 90 },
    ];
  },
});

export const refuse = campaign('refuse', 'servers that are not there');
export const reset = campaign('reset', 'servers that reset, fail, break off or take long');
