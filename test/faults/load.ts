import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Api, SheetPlace } from '../service/support/api.ts';
import { cellAt } from '../service/support/api.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import { until } from '../support/until.ts';

/** What a campaign has measured. A `limit` that is not kept makes the campaign fail. */
export interface Figure {
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
  readonly limit?: number;
}

export interface Campaign {
  readonly name: string;
  /** Goes on for about so long. Throws when something is lost, stuck or done twice. */
  run(untilMs: number): Promise<Figure[]>;
}

/** A provider that takes a while, says back what it was asked, and counts how often it was. */
export class CountingProvider {
  readonly #asked: ReadonlyMap<string, number>;
  readonly #fake: FakeProvider;

  private constructor(fake: FakeProvider, asked: ReadonlyMap<string, number>) {
    this.#fake = fake;
    this.#asked = asked;
  }

  static async start(latencyMs: number): Promise<CountingProvider> {
    const asked = new Map<string, number>();
    const fake = await startFakeProvider(async ({ json }) => {
      const text = JSON.stringify(json['messages']);
      const word = /word-[\w-]+/.exec(text)?.[0] ?? text;
      asked.set(word, (asked.get(word) ?? 0) + 1);
      await pause(latencyMs);
      return {
        body: {
          id: 'c',
          object: 'chat.completion',
          created: 1,
          model: 'gpt-4o-mini',
          choices: [
            {
              index: 0,
              finish_reason: 'stop',
              message: { role: 'assistant', content: `got ${word}` },
            },
          ],
          usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
        },
      };
    });
    return new CountingProvider(fake, asked);
  }

  get environment(): Readonly<Record<string, string>> {
    return {
      OPENAI_API_KEY: 'sk-fake',
      OPENAI_BASE_URL: `${this.#fake.url}/v1`,
      PROMPT_TABLES_MODEL: 'openai/gpt-4o-mini',
    };
  }

  timesAsked(word: string): number {
    return this.#asked.get(word) ?? 0;
  }

  close(): Promise<void> {
    return this.#fake.close();
  }
}

/** A sheet whose rows are each counted and sent to a model. */
export class PaidSheet {
  readonly place: SheetPlace;
  readonly words: readonly string[];
  readonly #answer: string;
  readonly #length: string;

  private constructor(place: SheetPlace, words: readonly string[], answer: string, length: string) {
    this.place = place;
    this.words = words;
    this.#answer = answer;
    this.#length = length;
  }

  static async create(api: Api, mark: string, rows: number): Promise<PaidSheet> {
    const words = Array.from({ length: rows }, (_, row) => `word-${mark}-${String(row)}`);
    const place = await api.sheetOf(`Word\n${words.join('\n')}\n`);
    const add = async (title: string, type: string, config: object): Promise<string> => {
      const body = { title, type, config };
      return (await api.expect(201, 'POST', `${place.path}/columns`, body)).column.id;
    };
    const length = await add('Length', 'COUNT', { source: 'Word', type: 'chars' });
    const answer = await add('Answer', 'PROMPT_TEMPLATE', {
      prompt_template_variable_mappings: { word: 'Word' },
      inline_template: {
        prompt_template: {
          type: 'chat',
          messages: [
            {
              role: 'user',
              input_variables: ['word'],
              template_format: 'f-string',
              content: [{ type: 'text', text: 'Say {word}' }],
            },
          ],
          input_variables: ['word'],
        },
        metadata: { model: { provider: 'openai', name: 'gpt-4o-mini', parameters: {} } },
      },
    });
    return new PaidSheet(place, words, answer, length);
  }

  async start(api: Api): Promise<string> {
    return (await api.expect(202, 'POST', `${this.place.path}/operations`, {})).operation_id;
  }

  async pending(api: Api, operationId: string): Promise<number> {
    const { operation } = await api.get(`${this.place.path}/operations/${operationId}`);
    return operation.pending_count;
  }

  /** Words of the rows (of the first hundred) whose answers are there. */
  async answered(api: Api): Promise<string[]> {
    const page = await api.get(`${this.place.path}/rows?limit=100`);
    return this.words.filter((_, row) => {
      const isOnPage = row < page.data.length;
      return isOnPage && cellAt(page, row, this.#answer).status === 'completed';
    });
  }

  /** Every cell is right, none runs or waits; answers the number of calls that were made twice. */
  async verify(api: Api, provider: CountingProvider): Promise<number> {
    const { status_counts: counts } = await api.get(`${this.place.path}/status-counts`);
    const { QUEUED, RUNNING, STALE } = counts;
    assert.deepEqual({ QUEUED, RUNNING, STALE }, { QUEUED: 0, RUNNING: 0, STALE: 0 });
    const requests = new Set<unknown>();
    let cursor = '';
    let row = 0;
    for (;;) {
      const page = await api.get(`${this.place.path}/rows?limit=100${cursor}`);
      for (let position = 0; position < page.data.length; position += 1) {
        const word = this.words[row];
        const length = cellAt(page, position, this.#length);
        assert.deepEqual([length.status, length.value], ['completed', word?.length]);
        const answer = cellAt(page, position, this.#answer);
        assert.deepEqual([answer.status, answer.value], ['completed', `got ${word ?? ''}`]);
        const { request_ids: ids } = answer['request_metrics' as keyof typeof answer] as {
          readonly request_ids: readonly number[];
        };
        for (const id of ids) {
          assert.ok(!requests.has(id), 'One request counts for two cells.');
          requests.add(id);
        }
        row += 1;
      }
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    assert.equal(row, this.words.length);
    const asked = this.words.map((word) => provider.timesAsked(word));
    assert.ok(
      asked.every((times) => times > 0),
      'An answer came from nowhere.',
    );
    return asked.reduce((sum, times) => sum + times - 1, 0);
  }
}

/** Writes numbers to one cell; knows which one the service has said to have kept. */
export class Writer {
  readonly #place: SheetPlace;
  readonly #cell: string;
  #next = 1;
  /** The last one that was answered with success. */
  kept = 0;

  private constructor(place: SheetPlace, cell: string) {
    this.#place = place;
    this.#cell = cell;
  }

  static async create(api: Api): Promise<Writer> {
    const place = await api.sheetOf('n\n0\n');
    return new Writer(place, cellAt(await api.get(`${place.path}/rows`), 0, place.columnId).id);
  }

  /** Answers whether it was kept; a service that is gone keeps nothing. */
  async write(api: Api): Promise<boolean> {
    const value = this.#next;
    const path = `${this.#place.path}/cells/${this.#cell}`;
    const answer = await api.call('PATCH', path, { value }).catch(() => undefined);
    if (answer === undefined) {
      // It may have been kept: what comes next is another one.
      this.#next += 1;
      return false;
    }
    if (answer.status !== 200) return false;
    this.kept = value;
    this.#next = value + 1;
    return true;
  }

  /** What was answered with success is there, or something later. */
  async verify(api: Api): Promise<void> {
    const { cell } = await api.get(`${this.#place.path}/cells/${this.#cell}`);
    const value = Number(cell.value);
    assert.ok(
      value >= this.kept && value < this.#next,
      `A write that was acknowledged is lost: ${String(this.kept)} against ${String(value)}.`,
    );
  }
}

export async function within(
  what: string,
  limitMs: number,
  isDone: () => Promise<boolean>,
): Promise<number> {
  const began = performance.now();
  await until(what, isDone, { limitMs, everyMs: 50 });
  return performance.now() - began;
}

export const between = (low: number, high: number): number => low + Math.random() * (high - low);
