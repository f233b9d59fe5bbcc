import assert from 'node:assert/strict';
import { ValidationError } from '../../../../src/core/errors.ts';
import type { RequestDetail, RequestsPage } from '../../../../src/core/index.ts';
import { requestText } from '../../../../src/extension/requests/document.ts';
import type { Filter } from '../../../../src/extension/requests/filters.ts';
import { readTime } from '../../../../src/extension/shell/read-time.ts';
import {
  filterText,
  groupOf,
  logFields,
  operatorsOf,
} from '../../../../src/extension/requests/filters.ts';
import { replayable } from '../../../../src/extension/requests/replayable.ts';
import type { LogParts } from '../../../../src/extension/requests/session.ts';
import { LogSession } from '../../../../src/extension/requests/session.ts';
import type { LogView } from '../../../../src/extension/requests/view.ts';
import { LogViews, plainView } from '../../../../src/extension/requests/view.ts';
import { recordsIn } from '../../../../src/extension/shell/records-in-file.ts';
import { VariableSets } from '../../../../src/extension/ask/variable-sets.ts';
import type { GridSheet } from '../../../../src/protocol/grid-sheet.ts';
import type { CopiedForm } from '../../../../src/extension/grid/paste/note-copied.ts';
import { until } from '../../../support/until.ts';

const t = (message: string, ...args: readonly (string | number)[]): string =>
  message.replaceAll(/\{(\d)\}/g, (_, at: string) => String(args[Number(at)]));
const { signal } = new AbortController();

const memory = () => {
  const kept = new Map<string, unknown>();
  return {
    get: (key: string) => kept.get(key),
    update(key: string, value: unknown) {
      kept.set(key, structuredClone(value));
      return Promise.resolve();
    },
  };
};

describe('request log: filters', () => {
  const filters: readonly Filter[] = [
    { field: 'cost', operator: 'between', value: [0.1, 2] },
    { field: 'metadata', nestedKey: 'user', operator: 'is', value: 'ada' },
    { field: 'prompt_id', operator: 'is', value: 7, shown: 'greet' },
    { field: 'is_json', operator: 'is_true' },
  ];

  it('are sent as the service reads them, and told in words', () => {
    assert.deepEqual(groupOf(filters), {
      logic: 'AND',
      filters: [
        { field: 'cost', operator: 'between', value: [0.1, 2] },
        { field: 'metadata', operator: 'is', value: 'ada', nested_key: 'user' },
        { field: 'prompt_id', operator: 'is', value: 7 },
        { field: 'is_json', operator: 'is_true' },
      ],
    });
    assert.deepEqual(
      filters.map((filter) => filterText(filter, t)),
      [
        'Cost (USD) is between 0.1 – 2',
        'Metadata user is ada',
        'Prompt is greet',
        'Answers with JSON yes',
      ],
    );
    assert.equal(groupOf([]), undefined);
  });

  it('have operators for every field', () => {
    for (const { kind } of logFields(t)) assert.ok(operatorsOf(kind, t).length > 1);
  });

  it('read times as they are, and how long ago', () => {
    const now = Date.parse('2026-01-31T12:00:00Z');
    assert.equal(readTime('24h', now), '2026-01-30T12:00:00.000Z');
    assert.equal(readTime('90 m', now), '2026-01-31T10:30:00.000Z');
    assert.equal(readTime('2026-01-01T00:00:00Z', now), '2026-01-01T00:00:00.000Z');
    assert.equal(readTime('soon', now), undefined);
  });
});

describe('request log: session', () => {
  type Item = RequestsPage['items'][number];
  let log: LogSession;
  let searches: unknown[];
  let sheets: GridSheet[];
  let problems: unknown[];
  let taken: [string, readonly number[]][];
  let copied: string;
  let copiedForm: CopiedForm | undefined;
  let answers: (() => Promise<RequestsPage>)[];

  const page = (ids: readonly number[], rest: object = {}): RequestsPage => ({
    items: ids.map((id): Item => ({
      id,
      engine: 'gpt-4o',
      price: 0.5,
      latency: 1.5,
      status: 'SUCCESS',
    })),
    ...rest,
  });
  const loaded = (): Promise<GridSheet> =>
    until('it is loaded', () => {
      const last = sheets.at(-1);
      return last?.log?.isLoading === false && last;
    });

  beforeEach(() => {
    [searches, sheets, problems, taken, answers, copied] = [[], [], [], [], [], ''];
    const parts: LogParts = {
      connection: { id: 'c', name: 'Acme', local: false },
      view: plainView,
      t,
      search(search) {
        searches.push(search);
        return answers.shift()?.() ?? Promise.resolve(page([]));
      },
      emit(name, payload) {
        if (name === 'sheet') sheets.push(payload as GridSheet);
        if (name === 'problem') problems.push(payload);
      },
      keep: () => undefined,
      askFilter: () => Promise.resolve({ field: 'engine', operator: 'is', value: 'gpt-4o' }),
      take(action, requests) {
        taken.push([action, requests.map(({ id }) => id)]);
        return Promise.resolve();
      },
      writeClipboard(text, form) {
        copied = text;
        copiedForm = form;
        return Promise.resolve();
      },
      copySettings: () => ({ formulaGuard: true, limitBytes: 1_000_000 }),
      note: () => undefined,
      describe: (error) => ({ code: 'x', message: (error as Error).message }),
    };
    log = new LogSession(parts);
  });
  afterEach(() => log.close());

  const ready = async (answer: RequestsPage): Promise<GridSheet> => {
    answers.push(() => Promise.resolve(answer));
    await log.handlers.ready({ page: 0 }, signal);
    return loaded();
  };

  it('loads page by page, and no request twice', async () => {
    const first = await ready(page([9, 8], { page: 1, pages: 2, total: 3, has_next: true }));
    assert.equal(first.log?.hasMore, true);
    assert.deepEqual(searches[0], {
      ...{ page: 1, perPage: 25, includePromptName: true },
      ...{ sortBy: 'request_start_time', sortOrder: 'desc' },
    });
    // One was logged meanwhile: 8 comes again.
    answers.push(() => Promise.resolve(page([8, 7], { page: 2, pages: 2, total: 4 })));
    await log.handlers.more({ all: false }, signal);
    const second = await loaded();
    assert.equal(second.rowCount, 3);
    assert.equal(second.log?.hasMore, false);
    assert.ok(second.generation > first.generation);
    const rows = await log.handlers.rows({ page: 0, generation: second.generation }, signal);
    assert.deepEqual(rows.columns['id']?.text, ['9', '8', '7']);
    assert.deepEqual(
      second.totals.map(({ count, sum }) => [count, sum]),
      [
        [3, 1.5],
        [3, 4500],
      ],
    );
  });

  it('is sorted by what the service sorts by, and says when it does not', async () => {
    const first = await ready(page([1]));
    assert.deepEqual([first.log?.sortColumn, first.order], ['time', 'desc']);
    assert.ok(first.log?.sortable.includes('cost'));
    await log.handlers.setOrder({ order: 'asc', columnId: 'cost' }, signal);
    const byCost = searches.at(-1) as { readonly sortBy: string; readonly sortOrder: string };
    assert.deepEqual([byCost.sortBy, byCost.sortOrder], ['cost', 'asc']);
    assert.deepEqual([sheets.at(-1)?.log?.sortColumn, sheets.at(-1)?.order], ['cost', 'asc']);
    // The order alone changes; what is no order of the service becomes that of time.
    await log.handlers.setOrder({ order: 'desc' }, signal);
    assert.equal(sheets.at(-1)?.log?.sortColumn, 'cost');
    answers.push(() => Promise.reject(new ValidationError('No such field.')));
    await log.handlers.setOrder({ order: 'asc', columnId: 'latency' }, signal);
    assert.deepEqual([sheets.at(-1)?.log?.sortColumn, sheets.at(-1)?.order], ['time', 'desc']);
    assert.deepEqual(problems.at(-1), {
      message: "This service can't sort by Latency (s): the newest are shown first.",
      retry: false,
    });
    // What was refused was something else: that is told.
    for (let at = 0; at < 2; at += 1) {
      answers.push(() => Promise.reject(new ValidationError('No such filter.')));
    }
    await log.handlers.setOrder({ order: 'asc', columnId: 'cost' }, signal);
    assert.match(JSON.stringify(problems.at(-1)), /No such filter/);
  });

  it('searches anew for words and filters, and says what they are', async () => {
    await ready(page([1]));
    await log.handlers.search({ text: 'hello' }, signal);
    await log.handlers.filter({ at: null }, signal);
    assert.deepEqual(searches.at(-1), {
      ...{ page: 1, perPage: 25, includePromptName: true, q: 'hello' },
      ...{ sortBy: 'request_start_time', sortOrder: 'desc' },
      filterGroup: {
        logic: 'AND',
        filters: [{ field: 'engine', operator: 'is', value: 'gpt-4o' }],
      },
    });
    assert.deepEqual(sheets.at(-1)?.log?.filters, ['Model is gpt-4o']);
    await log.handlers.dropFilter({ at: 0 }, signal);
    assert.deepEqual(sheets.at(-1)?.log?.filters, []);
  });

  it('keeps what is loaded when more cannot be had, and says why', async () => {
    await ready(page([1, 2], { has_next: true }));
    answers.push(() => Promise.reject(new Error('Too many searches.')));
    await log.handlers.more({ all: false }, signal);
    assert.deepEqual(problems.at(-1), { code: 'x', message: 'Too many searches.', retry: true });
    assert.equal((await loaded()).rowCount, 2);
  });

  it('loads all that follow, until the end, a fault, a stop or another search', async () => {
    const from = (at: number): Promise<RequestsPage> =>
      Promise.resolve(page([at], { page: at, has_next: at < 5 }));
    const begin = async (): Promise<void> => {
      answers.length = 0;
      await log.handlers.reload(null, signal);
    };
    await ready(await from(1));
    answers.push(...[2, 3, 4, 5].map((at) => () => from(at)));
    await log.handlers.more({ all: true }, signal);
    assert.equal(sheets.at(-1)?.rowCount, 5);
    assert.equal(sheets.at(-1)?.log?.isLoadingAll, false);

    // A fault ends it, with what has come.
    answers.push(() => from(1));
    await log.handlers.reload(null, signal);
    answers.push(
      () => from(2),
      () => Promise.reject(new Error('Away.')),
    );
    await log.handlers.more({ all: true }, signal);
    assert.equal(sheets.at(-1)?.rowCount, 2);
    assert.equal(sheets.at(-1)?.log?.isLoadingAll, false);

    // Asked for again it stops after what is under way; another search stops it as well.
    for (const stop of [
      () => log.handlers.more({ all: true }, signal),
      () => log.handlers.search({ text: 'other' }, signal),
    ]) {
      await begin();
      answers.push(() => from(1));
      await log.handlers.reload(null, signal);
      let letGo: () => void = () => undefined;
      answers.push(async () => {
        await new Promise<void>((resolve) => (letGo = resolve));
        return from(2);
      });
      const whole = log.handlers.more({ all: true }, signal);
      await until('all are being loaded', () => sheets.at(-1)?.log?.isLoadingAll === true);
      const asked = searches.length;
      const stopped = stop();
      letGo();
      await Promise.all([whole, stopped]);
      assert.equal(sheets.at(-1)?.log?.isLoadingAll, false);
      assert.ok(searches.length <= asked + 1);
    }
  });

  it('takes the row under the cursor, or all chosen ones into a sheet, and copies', async () => {
    await ready(page([5, 6, 7]));
    const selection = {
      cursor: { position: 1, columnId: 'id' },
      rows: [{ from: 1, to: 2 }],
      columnIds: ['id', 'cost'],
    };
    await log.handlers.take({ action: 'open', selection }, signal);
    await log.handlers.take({ action: 'import', selection }, signal);
    assert.deepEqual(taken, [
      ['open', [6]],
      ['import', [6, 7]],
    ]);
    await log.handlers.copy({ selection, format: 'csv', headers: true }, signal);
    assert.deepEqual(copied.trim().split(/\r?\n/), ['Request,Cost (USD)', '6,0.5', '7,0.5']);
    // A sheet knows one cell for one, and a block for a block.
    const one = { cursor: selection.cursor, rows: [{ from: 1, to: 1 }], columnIds: ['id'] };
    await log.handlers.copy({ selection: one, format: 'tsv', headers: false }, signal);
    assert.deepEqual(copiedForm, { shape: 'text', rows: 1, isGuarded: false });
    await log.handlers.copy({ selection, format: 'tsv', headers: true }, signal);
    assert.deepEqual(copiedForm, { shape: 'block', rows: 3, isGuarded: false });
    const nothing = { rows: [], columnIds: [] };
    await assert.rejects(async () =>
      log.handlers.take({ action: 'open', selection: nothing }, signal),
    );
  });

  it('knows no request that would change rows', () => {
    for (const name of ['edit', 'deleteRows', 'addRows', 'run', 'undo', 'change', 'readPaste']) {
      assert.ok(!Object.hasOwn(log.handlers, name), name);
    }
  });
});

describe('request log: replay', () => {
  const asked = { role: 'user', content: [{ type: 'text', text: 'Say {this}.' }] };
  const reply = { role: 'assistant', content: [{ type: 'text', text: 'This.' }] };
  const request = (rest: object): RequestDetail => ({ request_id: 7, ...rest });

  it('asks what was asked, with its model, and takes nothing in it for a variable', () => {
    const metadata = { model: { provider: 'openai', name: 'm', parameters: { temperature: 0 } } };
    const template = { type: 'chat', messages: [asked, reply], tools: [{ type: 'function' }] };
    assert.deepEqual(
      replayable(request({ prompt_blueprint: { prompt_template: template, metadata } })),
      {
        prompt_template: { ...template, messages: [asked] },
        metadata,
        isRendered: true,
      },
    );
    const bare = { prompt_blueprint: { prompt_template: { messages: [asked] } } };
    assert.deepEqual(replayable(request({ ...bare, provider: 'p', model: 'm' }))?.metadata, {
      model: { provider: 'p', name: 'm' },
    });
  });

  it('is for what the log tells', () => {
    const completion = { prompt_template: { type: 'completion', content: [] } };
    for (const blueprint of [
      null,
      {},
      completion,
      { prompt_template: { type: 'chat', messages: [reply] } },
      { prompt_template: { type: 'chat', messages: [asked] } },
    ]) {
      assert.equal(replayable(request({ prompt_blueprint: blueprint })), undefined);
    }
  });
});

describe('request log: document', () => {
  it('tells what was asked, what came and what it cost', () => {
    const text = requestText(
      {
        ...{ request_id: 4, provider: 'openai', model: 'gpt-4o', price: 0.026_000_000_000_000_002 },
        ...{ latency_ms: 1250, status: 'SUCCESS', metadata: { user: 'ada' } },
        prompt_blueprint: {
          prompt_template: {
            type: 'chat',
            messages: [
              { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
              { role: 'assistant', content: 'Hello', tool_calls: [{ id: 'a' }] },
            ],
          },
        },
      },
      t,
    );
    assert.match(text, /- \*\*Cost\*\*: \$0\.026\n/);
    assert.match(
      text,
      /## Input\n\n### user\n\nHi\n\n## Output\n\n### assistant\n\nHello\n\n```json/,
    );
    assert.match(text, /## Metadata\n\n```json\n\{\n {2}"user": "ada"\n\}/);
  });
});

describe('request log: what is kept', () => {
  it('has the view of each workspace again, and the plain one for what it does not know', async () => {
    const views = new LogViews(memory());
    const view: LogView = { ...plainView, search: 'x', order: 'asc' };
    await views.set('c', view);
    assert.deepEqual(views.get('c'), view);
    assert.deepEqual(views.get('d'), plainView);
  });
});

describe('values of variables', () => {
  it('come out of JSON, JSON lines and CSV files', () => {
    assert.deepEqual(recordsIn('a.json', '{"city": "Rome"}', t), [{ city: 'Rome' }]);
    assert.deepEqual(recordsIn('a.json', '[{"a": 1}, {"a": 2}, 3]', t), [{ a: 1 }, { a: 2 }]);
    assert.deepEqual(recordsIn('a.jsonl', '{"a": 1}\n\n{"a": 2}\n', t), [{ a: 1 }, { a: 2 }]);
    assert.deepEqual(recordsIn('A.CSV', '\ufeffcity,note\nRome,"a, b"\n', t), [
      { city: 'Rome', note: 'a, b' },
    ]);
    assert.throws(() => recordsIn('a.json', '{', t), /a\.json could not be read/);
    assert.throws(() => recordsIn('a.json', '3', t), /has no named values/);
  });

  it('are kept as sets by name, each prompt its own', async () => {
    const sets = new VariableSets(memory(), 'prompt');
    const owner = { connectionId: 'c', name: 'greet' };
    await sets.keep(owner, { title: 'one', variables: [{ name: 'a', kind: 'text', text: '1' }] });
    await sets.keep(owner, { title: 'two', variables: [] });
    await sets.keep(owner, { title: 'one', variables: [{ name: 'a', kind: 'text', text: '2' }] });
    assert.deepEqual(
      sets.of(owner).map(({ title, variables }) => [title, variables[0]?.text]),
      [
        ['one', '2'],
        ['two', undefined],
      ],
    );
    await sets.remove(owner, 'one');
    assert.deepEqual(
      sets.of(owner).map(({ title }) => title),
      ['two'],
    );
    assert.deepEqual(sets.of({ ...owner, name: 'other' }), []);
  });
});
