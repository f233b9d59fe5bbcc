import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { Client } from '../../src/core/index.ts';
import type { ScorecardConfiguration } from '../../src/core/index.ts';
import { sample } from '../../src/service/scorecards/history.ts';
import { addRows, judgeRow, meanOf, noSums } from '../../src/service/scorecards/judge.ts';
import { scoreOf, verdictOf } from '../../src/service/scorecards/score-of.ts';
import { toolCallsOf } from '../../src/service/scorecards/step-kinds.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import { timeLimit } from '../support/time-limit.ts';
import type { Api, SheetPlace } from './support/api.ts';
import type { Loose } from './support/loose.ts';
import { onEachBackend } from './support/backends.ts';
import { RunningService, firstKey, newFolder } from './support/running-service.ts';
import type { SharedService } from './support/shared-service.ts';
import { until } from '../support/until.ts';

const settled = async <T extends { status?: string | null | undefined }>(
  look: () => Promise<T>,
): Promise<T> => {
  let found = await look();
  await until(
    () => `it has ended: ${JSON.stringify(found)}`,
    async () => {
      found = await look();
      return !['queued', 'running'].includes(found.status ?? '');
    },
  );
  return found;
};

onEachBackend('Scores', (backend) => {
  let service: SharedService;
  let api: Api;
  let client: Client;
  before(async () => {
    service = await backend.share();
    ({ api } = service);
    client = new Client({ apiKey: service.key, baseURL: service.url });
  });
  after(() => client.close());

  const columnsOf = async (place: SheetPlace): Promise<Record<string, string>> => {
    const { data } = await api.get(`${place.path}/columns`);
    return Object.fromEntries(data.map(({ title, id }) => [title, id]));
  };
  const calculated = async (place: SheetPlace, part: object = {}): Promise<Loose> => {
    const { calculation_id: id } = await client.tables.scorecards.recalculate(place, part);
    return settled(
      async () => (await client.tables.scorecards.calculation(place, id)).calculation as Loose,
    );
  };
  const sheetOf = async (): Promise<{ place: SheetPlace; ids: Record<string, string> }> => {
    const place = await api.sheetOf(
      [
        'answer,expected,calls,grade',
        'the cat sat,cat,"[{""name"":""find"",""arguments"":""{}""}]",80',
        'the dog sat,cat,"[]",40',
        '"","",,',
      ].join('\n'),
    );
    return { place, ids: await columnsOf(place) };
  };
  const configuration = (ids: Record<string, string>): ScorecardConfiguration => ({
    name: 'Quality',
    aggregation: { pass_threshold: 0.75, warn_threshold: 0.5 },
    evaluated_column_ids: [ids['answer'] ?? ''],
    steps: [
      {
        title: 'has the word',
        primitive_type: 'CONTAINS',
        weight: 2,
        required: true,
        primitive_config: { value_source: 'expected' },
      },
      {
        title: 'grade',
        primitive_type: 'COLUMN_AGGREGATE',
        source_column_ids: [ids['grade'] ?? ''],
        score_adapter: { min: 0, max: 100 },
      },
      {
        title: 'short',
        primitive_type: 'COUNT',
        primitive_config: { type: 'words', min: 1, max: 5 },
        evidence_mode: 'hidden',
      },
    ],
  });

  it('a scorecard judges each row by its steps, weights and thresholds', async () => {
    const { place, ids } = await sheetOf();
    const empty = await client.tables.scorecards.get(place);
    assert.equal(empty.scorecard, null);
    const scorecard = await client.tables.scorecards.configure(place, configuration(ids));
    assert.equal(scorecard.status, 'ready');
    const steps = scorecard.steps as Loose[];
    const [contains, grade, short] = steps.map(({ id }) => id as string);
    assert.deepEqual(
      steps.map(({ weight, required, thresholds }) => [weight, required, thresholds]),
      [
        [2, true, {}],
        [1, false, {}],
        [1, false, {}],
      ],
    );
    const done = await calculated(place);
    assert.equal(done.status, 'completed');
    const rows = [];
    for await (const row of client.tables.scorecards.allRows(place, { limit: 2 })) rows.push(row);
    const scores = rows.map((row) => row.aggregate_score);
    assert.ok(Math.abs((scores[0] ?? 0) - (2 + 0.8 + 1) / 4) < 1e-9, String(scores[0]));
    assert.ok(Math.abs((scores[1] ?? 0) - (0 + 0.4 + 1) / 4) < 1e-9, String(scores[1]));
    assert.deepEqual(
      rows.map((row) => row.aggregate_verdict),
      ['pass', 'fail', 'warn'],
    );
    const third = rows[2]?.step_results as Loose;
    assert.deepEqual(
      [third[contains ?? ''].verdict, third[grade ?? ''].verdict, third[short ?? ''].score],
      ['pass', 'skipped', 0],
    );
    assert.equal(third[short ?? ''].evidence, null);
    const got = (await client.tables.scorecards.get(place)) as Loose;
    assert.equal(got.scorecard.status, 'completed');
    assert.equal(got.scorecard.stale_state.is_stale, false);
    assert.deepEqual(
      [got.progress.scored_rows, got.progress.total_rows, got.progress.verdict_counts.fail],
      [3, 3, 1],
    );
    const summary = got.criterion_summaries[grade ?? ''];
    assert.ok(Math.abs(summary.score - 0.6) < 1e-9);
    assert.equal(summary.scored_rows, 2);
    const failed = await client.tables.scorecards.rows(place, { verdict: 'fail' });
    assert.deepEqual(
      failed.rows.map(({ row_index }) => row_index),
      [1],
    );
    const one = (await client.tables.scorecards.row(place, 1)) as Loose;
    assert.equal(one.calculation_id, done.id);
    assert.match(one.id, /^[0-9a-f-]{36}$/);
    const { other } = service;
    for (const path of ['', '/rows', '/rows/0', `/calculations/${done.id as string}`]) {
      await other.expect(404, 'GET', `${place.path}/scorecard${path}`);
    }
  });

  it('reads what it has read when a column is renamed, and however it is saved then', async () => {
    const { place, ids } = await sheetOf();
    const code = 'return data.get("expected") === "cat"';
    const { steps: [contains] = [], ...rest } = configuration(ids);
    const draft = {
      ...rest,
      steps: [
        contains,
        {
          title: 'code',
          primitive_type: 'CODE_EXECUTION',
          primitive_config: { language: 'JAVASCRIPT', code },
        },
      ],
    };
    await api.expect(200, 'PATCH', `${place.path}/scorecard`, draft);
    await calculated(place);
    const verdicts = async (): Promise<unknown[][]> => {
      const { rows } = await client.tables.scorecards.rows(place);
      return rows.map(({ step_results: results }) =>
        Object.values(results as Loose).map(({ verdict }: Loose) => verdict),
      );
    };
    const look = async (): Promise<Loose> =>
      ((await client.tables.scorecards.get(place)) as Loose).scorecard;
    const before = await verdicts();
    assert.deepEqual(before[0], ['pass', 'pass']);
    const versions = `${place.path}/versions`;
    const { version } = await api.expect(201, 'POST', versions, { name: 'before' });
    await api.expect(200, 'PATCH', `${place.path}/columns/${ids['expected'] ?? ''}`, {
      title: 'wanted',
    });
    // A column of the old name is another one.
    await api.expect(201, 'POST', `${place.path}/columns`, { title: 'expected', type: 'TEXT' });
    const { steps, stale_state: stale } = await look();
    assert.deepEqual(steps[0].primitive_config, { value_source: 'wanted' });
    assert.equal(stale.is_stale, false);
    const [first, second] = steps as Loose[];
    const edited = { ...second, primitive_config: { language: 'JAVASCRIPT', code: `${code};` } };
    for (const sent of [
      [first, second],
      [{ ...first, weight: 3 }, edited],
    ]) {
      await api.expect(200, 'PATCH', `${place.path}/scorecard`, { ...draft, steps: sent });
      await calculated(place);
      assert.deepEqual(await verdicts(), before);
    }
    // The old title is back with the version that had it.
    await api.expect(201, 'POST', versions, { source_version_id: version.id });
    assert.deepEqual((await look()).steps[0].primitive_config, { value_source: 'expected' });
    // A column that is gone is said, also of a step that was not changed.
    await api.expect(200, 'DELETE', `${place.path}/columns/${ids['expected'] ?? ''}`);
    const gone = { ...draft, steps: [first] };
    await api.expect(400, 'PATCH', `${place.path}/scorecard`, gone);
    // Code that asks for it gets it when a version brings it back.
    await api.expect(200, 'PATCH', `${place.path}/scorecard`, { ...draft, steps: [edited] });
    await api.expect(201, 'POST', versions, { source_version_id: version.id });
    await calculated(place);
    assert.deepEqual(
      await verdicts(),
      before.map(([, ofCode]) => [ofCode]),
    );
  });

  it('becomes stale by what its steps read, and only by that; a part is calculated anew', async () => {
    const { place, ids } = await sheetOf();
    await client.tables.scorecards.configure(place, configuration(ids));
    const first = await calculated(place);
    const write = async (title: string, row: number, value: string): Promise<void> => {
      const page = await api.get(`${place.path}/rows`);
      const cell = page.data[row]?.cells[ids[title] ?? ''];
      await api.expect(200, 'PATCH', `${place.path}/cells/${cell?.id ?? ''}`, { value });
    };
    const state = async (): Promise<Loose> =>
      (await client.tables.scorecards.get(place)).scorecard?.stale_state;
    await write('calls', 0, 'unread');
    assert.equal((await state()).is_stale, false);
    await write('answer', 1, 'a cat now');
    await write('answer', 2, 'and here');
    assert.deepEqual((await state()).stale_row_indices, [1, 2]);
    assert.equal((await client.tables.scorecards.get(place)).scorecard?.status, 'stale');
    const part = await calculated(place, { rowIndices: [1] });
    assert.ok(part.aggregate_score > first.aggregate_score);
    assert.ok(part.drift_summary.score_delta > 0);
    assert.equal(part.drift_summary.baseline_calculation_id, first.id);
    assert.deepEqual((await state()).stale_row_indices, [2]);
    await api.expect(201, 'POST', `${place.path}/rows`, { count: 1 });
    assert.deepEqual((await state()).reasons, ['cells_changed', 'rows_added']);
    await calculated(place);
    assert.equal((await state()).is_stale, false);
    const changed = configuration(ids);
    const known = (await client.tables.scorecards.get(place)).scorecard?.steps as Loose[];
    await client.tables.scorecards.configure(place, {
      ...changed,
      steps: changed.steps?.map((step, at) => ({
        ...step,
        id: known[at].id as string,
        ...(at === 2 && { primitive_config: { type: 'words', max: 1 } }),
      })),
    });
    assert.deepEqual((await state()).stale_step_ids, [known[2].id]);
    assert.deepEqual((await state()).reasons, ['configuration_changed']);
  });

  it('has steps for code, structures, comparisons and tool calls; one that fails says why', async () => {
    const { place, ids } = await sheetOf();
    const step = (
      title: string,
      type: string,
      source: string,
      config: Record<string, unknown>,
    ) => ({
      title,
      primitive_type: type,
      source_column_ids: [ids[source] ?? ''],
      primitive_config: config,
    });
    await client.tables.scorecards.configure(place, {
      name: 'All',
      aggregation: {},
      steps: [
        step('code', 'CODE_EXECUTION', 'answer', {
          language: 'JAVASCRIPT',
          code: 'return { score: data.answer.length / 20, reason: "by length" }',
        }),
        step('regex', 'REGEX', 'answer', { regex_pattern: 'c.t' }),
        step('structure', 'STRUCTURE', 'calls', {
          schema: { type: 'array', items: { type: 'object', required: ['name'] }, maxItems: 1 },
        }),
        step('few', 'MAX_TOOL_CALLS', 'calls', { max_tool_calls: 0 }),
        step('valid', 'NO_INVALID_TOOL_CALLS', 'calls', { tool_names: ['find'] }),
        step('used', 'TOOL_EVALUATOR', 'calls', { tool_name: 'find' }),
        step('path', 'TRAJECTORY', 'calls', { expected: ['find'], mode: 'strict' }),
        step('number', 'ASSERT_VALID', 'grade', { type: 'number' }),
        step('range', 'COLUMN_AGGREGATE', 'grade', {}),
        {
          title: 'same',
          primitive_type: 'COMPARE',
          source_column_ids: [ids['answer'] ?? '', ids['expected'] ?? ''],
          primitive_config: { comparison_type: { type: 'STRING' } },
        },
      ],
    });
    await calculated(place);
    const row = (await client.tables.scorecards.row(place, 0)) as Loose;
    const steps = (await client.tables.scorecards.get(place)).scorecard?.steps as Loose[];
    const results: Loose = Object.fromEntries(
      steps.map(({ id, title }) => [title, row.step_results[id]]),
    );
    const scores = Object.fromEntries(
      Object.entries(results).map(([title, result]) => [title, (result as Loose).score]),
    );
    assert.deepEqual(scores, {
      code: 0.55,
      regex: 1,
      structure: 1,
      few: 0,
      valid: 1,
      used: 1,
      path: 1,
      number: 1,
      range: null,
      same: 0,
    });
    assert.equal(results.code.evidence, 'by length');
    assert.equal(results.range.verdict, 'error');
    assert.match(results.range.error, /score_adapter/);
    assert.match(row.error_summary, /^range: /);
  });

  it('refuses steps that make no sense, and works without steps until it is asked to calculate', async () => {
    const { place, ids } = await sheetOf();
    const refused = (steps: readonly object[], more: object = {}) =>
      api.expect(400, 'PATCH', `${place.path}/scorecard`, {
        name: 'x',
        aggregation: {},
        steps,
        ...more,
      });
    const source = { source_column_ids: [ids['answer']] };
    await refused([{ title: 'a', primitive_type: 'NO_SUCH' }]);
    await refused([{ title: 'a', primitive_type: 'CONTAINS', ...source }]);
    await refused([{ title: 'a', primitive_type: 'CONTAINS', source_column_ids: ['nowhere'] }]);
    await refused([
      { title: 'a', primitive_type: 'REGEX', ...source, primitive_config: { regex_pattern: '(' } },
    ]);
    await refused([
      {
        title: 'a',
        primitive_type: 'STRUCTURE',
        ...source,
        primitive_config: { schema: { odd: 1 } },
      },
    ]);
    await refused([], { aggregation: { pass_threshold: 2 } });
    await refused([{ title: 'a', primitive_type: 'COLUMN_AGGREGATE', ...source, weight: -1 }]);
    await api.expect(400, 'POST', `${place.path}/scorecard/recalculate`);
    await api.expect(404, 'POST', `${place.path}/scorecard/cancel`);
    const bare = await client.tables.scorecards.configure(place, { name: 'bare', aggregation: {} });
    assert.equal(bare.status, 'needs_setup');
    await api.expect(400, 'POST', `${place.path}/scorecard/recalculate`, {});
    assert.equal(await client.tables.scorecards.delete(place), true);
    assert.equal((await client.tables.scorecards.get(place)).scorecard, null);
  });

  it('can be cancelled, which ends what its code is doing', async () => {
    const place = await api.sheetOf(
      `a\n${Array.from({ length: 50 }, (_, n) => String(n)).join('\n')}`,
    );
    const ids = await columnsOf(place);
    await client.tables.scorecards.configure(place, {
      name: 'slow',
      aggregation: {},
      steps: [
        {
          title: 'slow',
          primitive_type: 'CODE_EXECUTION',
          source_column_ids: [ids['a'] ?? ''],
          primitive_config: {
            language: 'JAVASCRIPT',
            code: 'const end = Date.now() + 4000; while (Date.now() < end); return data.a !== ""',
          },
        },
      ],
    });
    const { calculation_id: id } = await client.tables.scorecards.recalculate(place);
    const startedAt = Date.now();
    const cancelled = await client.tables.scorecards.cancel(place);
    assert.deepEqual([cancelled.calculation_id, cancelled.cancelled_count], [id, 50]);
    const { calculation } = await client.tables.scorecards.calculation(place, id);
    assert.equal(calculation['status'], 'cancelled');
    // The next one need not wait for the code of the one before.
    await client.tables.scorecards.configure(place, {
      name: 'quick',
      aggregation: {},
      steps: [
        {
          title: 'quick',
          primitive_type: 'COLUMN_AGGREGATE',
          source_column_ids: [ids['a'] ?? ''],
          score_adapter: { min: 0, max: 49 },
        },
      ],
    });
    const done = await calculated(place);
    assert.ok(Math.abs(done.aggregate_score - 0.5) < 1e-9);
    assert.ok(Date.now() - startedAt < timeLimit(4000), 'it waited for the code');
    assert.equal((await client.tables.scorecards.cancel(place)).cancelled_count, 0);
  });

  it('a score of the older kind takes the share of true values and the mean of numbers', async () => {
    const place = await api.sheetOf('ok,points,word\ntrue,10,up\nfalse,20,down\ntrue,,up\n,30,x');
    const ids = await columnsOf(place);
    const before = (await client.tables.scores.get(place)) as Loose;
    assert.deepEqual(
      [before.score_type, before.aggregate_score, before.status],
      ['none', null, null],
    );
    const { version } = await client.tables.scores.configure(place, {
      scoreType: 'auto',
      columnNames: ['ok', 'points', 'word'],
      trueValues: ['true', 'up'],
      falseValues: ['false', 'down'],
    });
    assert.ok(Number(version) > 1);
    await client.tables.scores.recalculate(place);
    const score = (await settled(() => client.tables.scores.get(place))) as Loose;
    assert.equal(score.score_type, 'multi_column');
    assert.deepEqual(
      score.columns.map((column: Loose) => [
        column.title,
        Math.round(column.score * 100) / 100,
        column.included_count,
        column.excluded_count,
        column.resolved_scoring_type,
      ]),
      [
        ['ok', 66.67, 3, 1, 'boolean'],
        ['points', 20, 3, 1, 'numeric'],
        ['word', 66.67, 3, 1, 'boolean'],
      ],
    );
    assert.ok(Math.abs(score.aggregate_score - (200 / 3 + 20 + 200 / 3) / 3) < 1e-9);
    assert.deepEqual([score.total_rows, score.scored_rows], [4, 4]);
    assert.equal(score.details.is_stale, false);
    await api.expect(200, 'DELETE', `${place.path}/rows`, { row_indices: [0] });
    assert.equal(((await client.tables.scores.get(place)) as Loose).details.is_stale, true);
    const migrated = (await client.tables.scorecards.migrateLegacyScore(place, {
      deleteLegacyScore: true,
    })) as Loose;
    assert.deepEqual([migrated.converted_count, migrated.legacy_score_deleted], [3, true]);
    const read = (await client.tables.scores.get(place)) as Loose;
    assert.equal(read.score_type, 'scorecard');
    const started = await client.tables.scores.recalculate(place);
    assert.equal(started.score_source, 'scorecard');
    await api.expect(400, 'PATCH', `${place.path}/score`, { column_names: ['none'] });
    await api.expect(400, 'PATCH', `${place.path}/score`, { score_config: {} });
    await api.expect(400, 'PATCH', `${place.path}/score`, { score_type: 'custom' });
    await api.expect(400, 'PATCH', `${place.path}/score`, { column_ids: [place.sheetId] });
    assert.ok(ids['ok']);
  });

  it('a score may be code of ones own; Python is off unless it is allowed', async () => {
    const place = await api.sheetOf('a,b\n1,x\n2,y');
    await client.tables.scores.configure(place, {
      code: 'return { score: data.reduce((sum, row) => sum + Number(row.a), 0), score_matrix: [[1, "x"]] }',
      codeLanguage: 'JAVASCRIPT',
    });
    await client.tables.scores.recalculate(place);
    const score = (await settled(() => client.tables.scores.get(place))) as Loose;
    assert.deepEqual(
      [score.score_type, score.overall_score, score.score_matrix, score.has_custom_scoring],
      ['custom', 3, [[1, 'x']], true],
    );
    await client.tables.scores.configure(place, { code: 'return 1' });
    await client.tables.scores.recalculate(place);
    const failed = (await settled(() => client.tables.scores.get(place))) as Loose;
    assert.equal(failed.status, 'failed');
    assert.match(failed.score_calculation_error, /PROMPT_TABLES_PYTHON=1/);
  });

  it('a saved version keeps its score, and the history goes over the versions', async () => {
    const { place, ids } = await sheetOf();
    const unscored = await client.tables.versions.create(place, { name: 'before' });
    assert.deepEqual(unscored.score, {});
    await client.tables.scorecards.configure(place, configuration(ids));
    const first = await calculated(place);
    const one = (await client.tables.versions.create(place, { name: 'one' })) as Loose;
    assert.deepEqual(
      [one.score.aggregate_score, one.score.is_stale, one.score_configuration.steps.length],
      [first.aggregate_score, false, 3],
    );
    await api.expect(200, 'DELETE', `${place.path}/rows`, { row_indices: [1] });
    const second = await calculated(place);
    await client.tables.versions.create(place, { name: 'two' });
    const history = await client.tables.scores.history(place);
    assert.deepEqual(
      history.points.map((point) => [point['name'], point['score']]),
      [
        ['one', first.aggregate_score],
        ['two', second.aggregate_score],
      ],
    );
    assert.equal(history['is_sampled'], false);
    await api.expect(400, 'GET', `${place.path}/versions/score-history?max_points=1`);
  });
});

describe('Scorecards that ask models', function () {
  this.timeout(40_000);
  let provider: FakeProvider;
  let hangs = false;
  let tokens = 1;
  const open = new Set<Promise<void>>();
  const folder = newFolder();
  const environment = (): Record<string, string> => ({
    OPENAI_API_KEY: 'sk-canary',
    OPENAI_BASE_URL: `${provider.url}/v1`,
    PROMPT_TABLES_MODEL: 'openai/gpt-4o-mini',
  });
  beforeEach(async () => {
    hangs = false;
    tokens = 1;
    open.clear();
    provider = await startFakeProvider(({ closed }) => {
      if (hangs) {
        open.add(closed);
        return { pieces: [], then: 'hang' };
      }
      return {
        body: {
          id: 'c',
          object: 'chat.completion',
          created: 1,
          model: 'gpt-4o-mini',
          choices: [
            { index: 0, message: { role: 'assistant', content: 'true' }, finish_reason: 'stop' },
          ],
          usage: { prompt_tokens: 10, completion_tokens: tokens, total_tokens: 10 + tokens },
        },
      };
    });
  });
  afterEach(() => provider.close());
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('pay once: for what has not changed, after a kill, and not for what is cancelled', async () => {
    let service = await RunningService.start({ folder, environment: environment() });
    let client = new Client({ apiKey: firstKey, baseURL: service.ready.url });
    try {
      const place = await service.api.sheetOf('answer\none\ntwo\nthree');
      const { data } = await service.api.get(`${place.path}/columns`);
      await client.tables.scorecards.configure(place, {
        name: 'asked',
        aggregation: {},
        steps: [
          {
            title: 'is a number',
            primitive_type: 'LLM_ASSERTION',
            source_column_ids: [data[0]?.id ?? ''],
            primitive_config: { prompt: 'It is a number.' },
          },
        ],
      });
      const ended = async (id: string): Promise<Loose> => {
        return settled(
          async () => (await client.tables.scorecards.calculation(place, id)).calculation as Loose,
        );
      };
      const calculate = async (part: object = {}): Promise<Loose> =>
        ended((await client.tables.scorecards.recalculate(place, part)).calculation_id);
      assert.equal((await calculate()).aggregate_score, 1);
      assert.equal(provider.requests.length, 3);
      await calculate();
      assert.equal(provider.requests.length, 3);
      const page = await service.api.get(`${place.path}/rows`);
      const cell = page.data[1]?.cells[data[0]?.id ?? ''];
      await service.api.expect(200, 'PATCH', `${place.path}/cells/${cell?.id ?? ''}`, {
        value: '2',
      });
      await calculate();
      assert.equal(provider.requests.length, 4);
      await calculate({ rowIndices: [0] });
      assert.equal(provider.requests.length, 5);

      hangs = true;
      const { calculation_id: cancelledId } = await client.tables.scorecards.recalculate(place, {
        rowIndices: [0, 1],
      });
      await until('both are asked', () => open.size >= 2);
      await client.tables.scorecards.cancel(place);
      await Promise.all(open);
      assert.equal((await ended(cancelledId)).status, 'cancelled');

      open.clear();
      const { calculation_id: killedId } = await client.tables.scorecards.recalculate(place, {
        rowIndices: [2],
      });
      await until('it is asked', () => open.size >= 1);
      await service.kill('SIGKILL');
      await client.close();
      hangs = false;
      service = await RunningService.start({ folder, environment: environment() });
      client = new Client({ apiKey: firstKey, baseURL: service.ready.url });
      const resumed = await ended(killedId);
      assert.deepEqual([resumed.status, resumed.scored_rows], ['completed', 3]);
      assert.equal(provider.requests.length, 9);
    } finally {
      await client.close();
      await service.stop();
    }
  });

  it('stop before they cross their cost ceiling, keep what there is, and go on from there', async () => {
    const prices = path.join(folder, 'prices.json');
    // $0.51 for each answer; ten dollars more are set aside, since nothing limits its length.
    tokens = 50;
    writeFileSync(
      prices,
      JSON.stringify({ 'openai/gpt-4o-mini': { input: 1000, output: 10_000 } }),
    );
    const service = await RunningService.start({
      environment: {
        ...environment(),
        PROMPT_TABLES_PRICES: prices,
        PROMPT_TABLES_CONCURRENCY: '1',
      },
    });
    const client = new Client({ apiKey: firstKey, baseURL: service.ready.url });
    try {
      const rows = 12;
      const words = Array.from({ length: rows }, (_none, row) => `word ${String(row)}`);
      const place = await service.api.sheetOf(`answer\n${words.join('\n')}`);
      const { data } = await service.api.get(`${place.path}/columns`);
      await client.tables.scorecards.configure(place, {
        name: 'dear',
        aggregation: {},
        steps: [
          {
            title: 'is a word',
            primitive_type: 'LLM_ASSERTION',
            source_column_ids: [data[0]?.id ?? ''],
            primitive_config: { prompt: 'It is a word.' },
          },
        ],
      });
      const asked = provider.requests.length;
      const calculate = async (costCeilingUsd?: number): Promise<Loose> => {
        const started = await client.tables.scorecards.recalculate(place, {}, { costCeilingUsd });
        return settled(
          async () =>
            (await client.tables.scorecards.calculation(place, started.calculation_id))
              .calculation as Loose,
        );
      };
      const ceiling = 13;
      const stopped = await calculate(ceiling);
      const made = provider.requests.length - asked;
      assert.ok(made > 0 && made < rows, String(made));
      assert.equal(stopped.status, 'failed');
      assert.match(
        stopped.error_summary,
        /calculation has stopped.*\$13 .*What was computed is kept/,
      );
      assert.deepEqual([stopped.scored_rows, stopped.cost_ceiling_usd], [made, ceiling]);
      assert.ok(Math.abs(stopped.spent_usd - 0.51 * made) < 1e-9, String(stopped.spent_usd));
      const kept = await client.tables.scorecards.rows(place, { calculationId: stopped.id });
      assert.deepEqual([kept.rows.length, (kept as Loose).verdict_counts.pass], [made, made]);

      const whole = await calculate();
      assert.deepEqual([whole.status, whole.scored_rows], ['completed', rows]);
      assert.equal(provider.requests.length - asked, rows, 'What there was is not paid for again.');
      assert.equal(whole.cost_ceiling_usd, undefined);
    } finally {
      await client.close();
      await service.stop();
    }
  });
});

describe('Judging', () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true });
  const result = fc.record({ score: fc.option(unit), isFailed: fc.boolean() });

  it('a row has a score between those of its steps, and the verdicts of all rows are counted', () => {
    fc.assert(
      fc.property(fc.array(fc.array(result, { minLength: 3, maxLength: 3 })), (rows) => {
        const steps = [1, 2, 3].map((weight) => ({ id: String(weight), title: 't', weight }));
        const config = {
          steps: steps as Loose,
          aggregation: { pass_threshold: 0.8, warn_threshold: 0.6 } as Loose,
        };
        const judged = rows.map((row) => {
          const results = Object.fromEntries(
            row.map(({ score, isFailed }, at) => [
              String(at + 1),
              {
                score,
                verdict: 'pass',
                ...(score === null && isFailed && { error: 'x' }),
              } as Loose,
            ]),
          );
          const verdict = judgeRow(config, results);
          const known = row.flatMap(({ score }) => (score === null ? [] : [score]));
          if (verdict.score === null) assert.equal(known.length, 0);
          else {
            assert.ok(verdict.score >= Math.min(...known) - 1e-9);
            assert.ok(verdict.score <= Math.max(...known) + 1e-9);
          }
          return { ...verdict, results };
        });
        const half = Math.floor(judged.length / 2);
        const parts = addRows(addRows(noSums(), judged.slice(0, half)), judged.slice(half));
        const whole = addRows(noSums(), judged);
        assert.deepEqual(parts.verdicts, whole.verdicts);
        const total = Object.values(whole.verdicts).reduce((sum, one) => sum + one, 0);
        assert.equal(total, rows.length);
        const [left, right] = [meanOf(parts), meanOf(whole)];
        assert.ok(left === right || Math.abs((left ?? 0) - (right ?? 0)) < 1e-9);
      }),
    );
  });

  it('values become scores from 0 to 1, and better scores have no worse verdicts', () => {
    const order = ['fail', 'warn', 'pass'];
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        unit,
        unit,
        (value, a, b) => {
          const score = scoreOf(value, { min: -5, max: 5 });
          assert.ok(score !== undefined && score >= 0 && score <= 1);
          const [low, high] = [Math.min(a, b), Math.max(a, b)];
          const limits = { pass: 0.8, warn: 0.6 };
          assert.ok(
            order.indexOf(verdictOf(low, limits)) <= order.indexOf(verdictOf(high, limits)),
          );
        },
      ),
    );
  });

  it('a sample of a history keeps its lowest and its highest point', () => {
    fc.assert(
      fc.property(
        fc.array(unit, { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 50, max: 100 }),
        (scores, most) => {
          const points = scores.map((score, at) => ({ score, version_number: at }) as Loose);
          const kept = sample(points, most).map(({ score }) => score);
          assert.ok(kept.length <= most);
          assert.equal(Math.min(...kept), Math.min(...scores));
          assert.equal(Math.max(...kept), Math.max(...scores));
        },
      ),
    );
  });

  it('tool calls are found in messages of every maker', () => {
    const names = (sent: Loose): string[] => toolCallsOf(sent).map(({ name }) => name);
    const call = { id: '1', type: 'function', function: { name: 'f', arguments: '{}' } };
    assert.deepEqual(names({ role: 'assistant', content: [], tool_calls: [call, call] }), [
      'f',
      'f',
    ]);
    assert.deepEqual(names(JSON.stringify({ messages: [{ tool_calls: [call] }] })), ['f']);
    assert.deepEqual(names({ content: [{ type: 'tool_use', name: 'g', input: {} }] }), ['g']);
    assert.deepEqual(names('[not json'), []);
    assert.deepEqual(names({ prompt_template: { messages: [{ tool_calls: [call] }] } }), ['f']);
  });
});
