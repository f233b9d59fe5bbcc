/** What the service's own makers' clients send, where that is not what the description says. */
import assert from 'node:assert/strict';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { Loose } from './support/loose.ts';
import { SheetRun } from './support/sheet-run.ts';
import { until } from '../support/until.ts';

const requests = '/api/public/v2/requests';

onEachBackend('Clients of other makes', (backend) => {
  let api: Api;
  before(async () => {
    api = (await backend.start()).api;
  });

  it('find the API of a model that was published without one', async () => {
    for (const [provider, name, apiType] of [
      ['openai', 'gpt-4o-mini', 'chat-completions'],
      ['openai.azure', 'gpt-4o-mini', 'chat-completions'],
      ['openrouter', 'x/y', 'chat'],
      ['anthropic', 'claude-3-5-haiku-latest', undefined],
    ] as const) {
      await api.expect(200, 'POST', '/rest/prompt-templates', {
        prompt_template: { prompt_name: `of ${provider}`, tags: [] },
        prompt_version: {
          prompt_template: {
            type: 'chat',
            messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
          },
          metadata: { model: { provider, name, parameters: {} } },
        },
      });
      const found: Loose = await api.expect(
        200,
        'POST',
        `/prompt-templates/${encodeURIComponent(`of ${provider}`)}`,
        {},
      );
      assert.equal(found.metadata.model.api_type ?? undefined, apiType, provider);
      assert.equal(found.metadata.model.name, name);
    }
  });

  it('log a request without positional arguments', async () => {
    const now = new Date().toISOString();
    const logged: Loose = await api.expect(200, 'POST', '/track-request', {
      ...{ api_key: '', function_name: 'openai.chat.completions.create', provider_type: 'openai' },
      kwargs: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] },
      request_response: { choices: [{ index: 0, message: { role: 'assistant', content: 'Ho' } }] },
      ...{ request_start_time: now, request_end_time: now },
    });
    assert.ok(Number(logged.request_id) > 0);
  });

  it('log a request by seconds since 1970, with their fractions', async () => {
    const logged: Loose = await api.expect(200, 'POST', '/track-request', {
      ...{ function_name: 'openai.chat.completions.create', provider_type: 'openai', args: [] },
      kwargs: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] },
      request_response: { choices: [{ index: 0, message: { role: 'assistant', content: 'Ho' } }] },
      ...{ request_start_time: 1_772_359_200.25, request_end_time: 1_772_359_201.75 },
      ...{ return_prompt_blueprint: true, metadata: null, group_id: null, span_id: null },
    });
    const found: Loose = await api.get(`${requests}/${String(logged.request_id)}`);
    assert.deepEqual(
      [found.request_start_time, found.request_end_time],
      ['2026-03-01T10:00:00.250Z', '2026-03-01T10:00:01.750Z'],
    );
  });

  it('search the log by a list of filters, all of which must hold', async () => {
    const search = async (body: object): Promise<number> =>
      Number(((await api.expect(200, 'POST', `${requests}/search`, body)) as Loose).total);
    const is = (value: string): object => ({ field: 'engine', operator: 'is', value });
    assert.ok((await search({})) > 0);
    assert.ok((await search({ filters: [is('gpt-4o-mini')] })) > 0);
    assert.equal(await search({ filters: [is('no-such')] }), 0);
    assert.equal(await search({ filters: [is('gpt-4o-mini'), is('no-such')] }), 0);
    const group = { logic: 'AND', filters: [is('gpt-4o-mini')] };
    assert.equal(await search({ filter_group: group, filters: [is('no-such')] }), 0);
  });

  it('are told what does not fit in the fields that they show', async () => {
    const sent = await api.call('POST', `${requests}/search`, { per_page: 999 });
    const answer: Loose = JSON.parse(sent.text);
    assert.equal(sent.status, 422);
    assert.equal(answer.success, false);
    assert.match(String(answer.message), /^per_page: /);
    assert.equal(answer.detail[0].loc.join('.'), 'body.per_page');
    for (const body of [
      { q: 'x'.repeat(60_000) },
      { filters: [{ field: 'engine', operator: 'contains', value: 'y'.repeat(60_000) }] },
    ]) {
      const refused = await api.call('POST', `${requests}/search`, body);
      assert.equal(refused.status, 422, refused.text.slice(0, 200));
      assert.match(refused.text, /too long/);
    }
  });

  // What is computed of a row is the same on either database.
  if (backend.name !== 'SQLite') return;

  it('read values of a row in JavaScript by data.get', async () => {
    const sheet = await SheetRun.of(api, 'Word,get\nhello,taken');
    const code = (text: string): object => ({ language: 'JAVASCRIPT', code: text });
    const own = await sheet.add('CODE_EXECUTION', code('return data.get'));
    await sheet.run();
    assert.equal(await sheet.value(own), 'taken');
    const plain = await SheetRun.of(api, 'Word\nhello');
    const got = await plain.add(
      'CODE_EXECUTION',
      code(
        'const w = data.get("Word"); result = [w, data.get("No"), data.get("No", 1), Object.keys(data)]',
      ),
    );
    // As the official SDK writes a function that was passed by reference: nothing else names the column.
    const alone = await plain.add('CODE_EXECUTION', code('return data.get("Word")'), 'alone');
    await plain.run();
    assert.deepEqual(await plain.value(got), ['hello', null, 1, ['Word']]);
    assert.equal(await plain.value(alone), 'hello');
  });

  it('compare a column with one value, of whatever kind', async () => {
    const sheet = await SheetRun.of(api, 'A,N,J\nyes,10.50,"{""a"":[1,2]}"');
    const against = (source: string, target: unknown, type: object, title: string) =>
      sheet.add('COMPARE', { sources: [source], target, comparison_type: type }, title);
    const cases: readonly (readonly [string, unknown, object, unknown])[] = [
      ['A', 'yes', { type: 'STRING' }, true],
      ['A', 'Yes', { type: 'STRING' }, false],
      ['A', null, { type: 'STRING' }, false],
      ['N', 10.5, { type: 'NUMBER' }, true],
      ['N', 10, { type: 'NUMBER', operator: 'GT' }, true],
      ['J', { a: [1, 2] }, { type: 'JSON' }, true],
      ['J', [1, 2], { type: 'JSON' }, false],
    ];
    const columns: string[] = [];
    for (const [at, [source, target, type]] of cases.entries())
      columns.push(await against(source, target, type, `is ${String(at)}`));
    await sheet.run();
    for (const [at, [source, target, , expected]] of cases.entries())
      assert.equal(
        await sheet.value(columns[at]!),
        expected,
        `${source} ${JSON.stringify(target)}`,
      );
    for (const config of [{ sources: ['A'] }, { sources: ['A', 'N'], target: 'yes' }]) {
      const refused = await sheet.refuse('COMPARE', { ...config, comparison_type: 'STRING' });
      assert.match(JSON.stringify(refused), /name 2 columns, or one and what it is compared with/);
    }
  });

  it('judge the tools that were called by scenarios, and call what they can not read an error', async () => {
    const span = (name: string): object => ({ name });
    const trace = (...tools: string[]): string =>
      JSON.stringify({
        trace_id: 'x',
        spans: ['Agent', ...tools.map((one) => `Tool: ${one}`)].map(span),
      });
    // Sent in the order in which they end: what is inside of another one, before it.
    const nested = (...tools: (readonly [string, string, number])[]): string =>
      JSON.stringify({
        spans: tools.map(([name, parent, at]) => ({
          ...{ name: `Tool: ${name}`, span_id: name, parent_id: parent === '' ? 'run' : parent },
          start_time: `2026-03-01T10:00:0${String(at)}.000Z`,
        })),
      });
    const calls = JSON.stringify([{ function: { name: 'search', arguments: '{}' } }]);
    const scenarios = (...all: string[][]): object => ({
      accepted_scenarios: all.map((required_tools) => ({ required_tools })),
    });
    const cases: readonly (readonly [
      seen: string,
      wanted: unknown,
      strict: unknown,
      loose: unknown,
    ])[] = [
      [trace('search'), ['search'], true, true],
      [trace('search'), [['search']], true, true],
      [trace('search'), [['other']], false, false],
      [trace('search'), scenarios(['other']), false, false],
      [trace('search'), scenarios(['other'], ['search']), true, true],
      [trace('search', 'book'), scenarios(['search']), false, true],
      [trace('book', 'search'), scenarios(['search', 'book']), false, false],
      [calls, scenarios(['search']), true, true],
      [calls, [{ function: { name: 'search' } }], true, true],
      [
        `{"trace_id":"x","name":"a","children":[{"name":"Tool:search ","start":"1"}]}`,
        [['search']],
        true,
        true,
      ],
      [
        nested(['search', 'outer', 1], ['outer', '', 1], ['book', '', 2]),
        [['outer', 'search', 'book']],
        true,
        true,
      ],
      [nested(['book', '', 2], ['search', '', 1]), [['search', 'book']], true, true],
      [trace(), [[]], true, true],
      [trace(), { accepted_scenarios: [{ required_tools: [] }] }, true, true],
      [trace('search'), [[]], false, false],
      [trace('search'), [[], ['search']], true, true],
      [trace('search'), [], 'error', 'error'],
      [trace('search'), '[["search"], [42]]', 'error', 'error'],
      [trace('search'), '[["search"]]', true, true],
      [trace('search'), { what: 'ever' }, 'error', 'error'],
      [trace('search'), 'search', 'error', 'error'],
    ];
    const csv = [
      'Trace,Expected',
      ...cases.map(([seen, wanted]) =>
        [seen, typeof wanted === 'string' ? wanted : JSON.stringify(wanted)]
          .map((text) => `"${text.replaceAll('"', '""')}"`)
          .join(','),
      ),
    ].join('\n');
    const sheet = await api.sheetOf(csv);
    const columns = (await api.get(`${sheet.path}/columns`)).data as unknown as Loose[];
    const idOf = (title: string): string =>
      String(columns.find((column) => column.title === title)?.id);
    const step = (title: string, config: object): object => ({
      ...{ title, primitive_type: 'TRAJECTORY', source_column_ids: [idOf('Trace')] },
      primitive_config: { trace_source: 'Trace', ...config },
    });
    await api.expect(200, 'PATCH', `${sheet.path}/scorecard`, {
      ...{ name: 'Tools', aggregation: {} },
      steps: [
        step('strict', { expected_source: 'Expected', mode: 'strict' }),
        step('loose', { expected_source: 'Expected', mode: 'non_strict' }),
        step('inline', { accepted_scenarios: [['search']], mode: 'strict' }),
      ],
    });
    const { scorecard } = (await api.get(`${sheet.path}/scorecard`)) as Loose;
    await api.expect(202, 'POST', `${sheet.path}/scorecard/recalculate`, {});
    const ids = Object.fromEntries(scorecard.steps.map((one: Loose) => [one.title, one.id]));
    const rowAt = async (row: number): Promise<Loose> => {
      const { text } = await until('the row has its scores', async () => {
        const answer = await api.call('GET', `${sheet.path}/scorecard/rows/${String(row)}`);
        if (answer.status !== 200) return undefined;
        const found: Loose = JSON.parse(answer.text);
        return found.step_results?.[ids['inline']] !== undefined && answer;
      });
      return JSON.parse(text);
    };
    const toolsIn = (seen: string): string =>
      seen === calls ? 'search' : [...seen.matchAll(/Tool: ?(\w+)/g)].map(([, one]) => one).join();
    const verdict = (result: Loose): unknown =>
      result.verdict === 'error' ? 'error' : result.score === 1;
    for (const [row, [seen, wanted, strict, loose]] of cases.entries()) {
      const { step_results: results } = await rowAt(row);
      const what = `${seen} against ${JSON.stringify(wanted)}`;
      assert.equal(verdict(results[ids['strict']]), strict, `strict: ${what}`);
      assert.equal(verdict(results[ids['loose']]), loose, `loose: ${what}`);
      assert.equal(verdict(results[ids['inline']]), toolsIn(seen) === 'search', what);
    }
    for (const config of [
      { expected: 'search' },
      { expected: { what: 'ever' } },
      { accepted_scenarios: [] },
      { expected: [['search']], mode: 'exact' },
    ])
      await api.expect(400, 'PATCH', `${sheet.path}/scorecard`, {
        ...{ name: 'Tools', aggregation: {} },
        steps: [step('inline', config)],
      });
  });
});
