import assert from 'node:assert/strict';
import type { Cell } from '../../src/api/cell.ts';
import { Client } from '../../src/core/index.ts';
import { judgeSheet } from '../../src/core/evals/evaluate.ts';
import { presentationOf } from '../../src/extension/grid/cells/cell-presentation.ts';
import { cutOffStatus } from '../../src/protocol/grid-work.ts';
import { askedOf, chatReply, promptOf } from '../support/providers/chat.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { Loose } from './support/loose.ts';
import type { RunningService } from './support/running-service.ts';
import { firstKey } from './support/running-service.ts';
import { SheetRun, metricsOf } from './support/sheet-run.ts';
import { until } from '../support/until.ts';

const choice = (content: string | null, reason: string, more: object = {}): object => ({
  ...chatReply(''),
  choices: [{ index: 0, message: { role: 'assistant', content, ...more }, finish_reason: reason }],
});

/** What the model answers, by a word of the question; what the cell says then. */
const none: Readonly<Record<string, readonly [body: object, words: RegExp]>> = {
  filtered: [choice('', 'content_filter'), /\(content_filter\) was taken away by a content filter/],
  silent: [choice(null, 'stop'), /\(stop\) is empty/],
  choiceless: [{ ...chatReply(''), choices: [] }, /is empty/],
  bare: [{ id: 'x' }, /is empty/],
  spent: [choice('', 'length'), /\(length\) is empty: its limit of tokens was spent/],
  refused: [choice(null, 'stop', { refusal: 'I must not.' }), /is a refusal. I must not\./],
};
const half = choice('half an ans', 'length');

onEachBackend('Answers that are none', (backend) => {
  let provider: FakeProvider;
  let api: Api;
  let service: RunningService;
  before(async () => {
    provider = await startFakeProvider((request) => {
      const asked = JSON.stringify(request.json['messages']);
      const found = Object.entries(none).find(([word]) => asked.includes(word));
      if (found !== undefined) return { body: found[1][0] };
      return { body: asked.includes('half') ? half : chatReply(askedOf(request)) };
    });
    service = await backend.start({
      environment: {
        OPENAI_API_KEY: 'sk-canary',
        OPENAI_BASE_URL: `${provider.url}/v1`,
        PROMPT_TABLES_MODEL: 'openai/gpt-4o-mini',
      },
    });
    ({ api } = service);
  });
  after(() => provider.close());

  const logged = async (id: number): Promise<Loose> =>
    JSON.parse((await api.call('GET', `/api/public/v2/requests/${String(id)}`)).text);
  const words = Object.keys(none);
  const sheetOf = (rows: readonly string[]): Promise<SheetRun> =>
    SheetRun.of(api, ['Word', ...rows].join('\n'));
  const prompt = {
    ...promptOf('say {word}', ['word']),
    prompt_template_variable_mappings: { word: 'Word' },
  };

  it('are errors of the cell and of the log, with the reason and what they cost', async () => {
    const sheet = await sheetOf([...words, 'fine']);
    const column = await sheet.add('PROMPT_TEMPLATE', prompt);
    const asked = provider.requests.length;
    const operation = await sheet.run();
    assert.equal(provider.requests.length - asked, words.length + 1, 'none is asked again');
    assert.equal(operation.failed_count, words.length);
    for (const [row, word] of words.entries()) {
      const cell = await sheet.cell(column, row);
      assert.deepEqual(
        [cell.status, cell.error, cell.value],
        ['error', 'model_failed', null],
        word,
      );
      assert.match(cell.error_message, none[word]?.[1] ?? /./);
      const [id] = (metricsOf(cell) as unknown as { request_ids: number[] }).request_ids;
      const request = await logged(Number(id));
      assert.deepEqual([request.status, request.error_type], ['ERROR', 'PROVIDER_ERROR'], word);
      assert.match(String(request.error_message), none[word]?.[1] ?? /./);
      assert.deepEqual(request.request_response ?? none[word]?.[0], none[word]?.[0]);
    }
    assert.equal(await sheet.value(column, words.length), 'say fine');
  });

  it('fail what is built on them: extractions, assertions, loops and nodes', async () => {
    const sheet = await sheetOf(['filtered']);
    const columns = [
      await sheet.add('AI_DATA_EXTRACTION', { source: 'Word', query: 'What?' }),
      await sheet.add('LLM_ASSERTION', { source: 'Word', prompt: 'It is.' }),
      await sheet.add('FOR_LOOP', {
        ...{ loop_type: 'prompt', max_iterations: 2, return_all_outputs: true },
        prompt_config: promptOf('say filtered', []),
      }),
    ];
    await sheet.run();
    for (const column of columns)
      assert.match(String(await sheet.value(column)), /^model_failed: .*content filter/);

    const node = {
      ...{ name: 'Say', node_type: 'PROMPT_TEMPLATE', is_output_node: true, dependencies: [] },
      configuration: promptOf('say silent', []),
    };
    const flow = { name: 'none', nodes: [node], required_input_variables: {} };
    await api.expect(201, 'POST', '/rest/workflows', flow);
    const run: Loose = await api.expect(201, 'POST', '/workflows/none/run', {});
    const id = String(run.workflow_version_execution_id);
    const results = `/workflow-version-execution-results?workflow_version_execution_id=${id}&return_all_outputs=true`;
    const answer = await until('the run has ended', async () => {
      const now = await api.call('GET', results);
      return now.status === 200 && now;
    });
    assert.match(answer.text, /"FAILED"/);
    assert.match(answer.text, /is empty/);
  });

  it('keep half an answer, and say in the log that it was cut off', async () => {
    const sheet = await sheetOf(['half']);
    const column = await sheet.add('PROMPT_TEMPLATE', prompt);
    await sheet.run();
    const cell = await sheet.cell(column);
    assert.deepEqual([cell.status, cell.value], ['completed', 'half an ans']);
    const [id] = (metricsOf(cell) as unknown as { request_ids: number[] }).request_ids;
    const { status, error_type, error_message } = await logged(Number(id));
    assert.deepEqual([status, error_type], ['WARNING', 'PROVIDER_PARTIAL_RESPONSE']);
    assert.match(String(error_message), /\(length\) was cut off at its limit of tokens/);
  });

  it('are found by their status, and by a run of failed cells alone', async () => {
    const sheet = await sheetOf(['filtered', 'fine', 'refused', 'half']);
    const column = await sheet.add('PROMPT_TEMPLATE', prompt);
    await sheet.run();
    const { path } = sheet.place;
    const { status_counts: counts }: Loose = await api.get(`${path}/operations`);
    assert.equal(counts.FAILED ?? counts.error ?? counts.ERROR, 2, JSON.stringify(counts));
    const asked = provider.requests.length;
    const again = await sheet.run({ statuses: ['FAILED'], column_ids: [column] });
    assert.equal(provider.requests.length - asked, 2);
    assert.equal(again.failed_count, 2);
  });

  it('that are cut off are marked wherever they are kept: cells, loops, nodes, scorecards', async () => {
    const sheet = await sheetOf(['half', 'fine', 'filtered']);
    const column = await sheet.add('PROMPT_TEMPLATE', prompt, 'Answer');
    const loop = await sheet.add('FOR_LOOP', {
      ...{ loop_type: 'prompt', max_iterations: 2, return_all_outputs: true },
      prompt_config: promptOf('say half', []),
    });
    const nodes = ['half', 'fine'].map((word) => ({
      ...{ name: word, node_type: 'PROMPT_TEMPLATE', is_output_node: true, dependencies: [] },
      configuration: promptOf(`say ${word}`, []),
    }));
    await api.expect(201, 'POST', '/rest/workflows', {
      ...{ name: 'halves', nodes, required_input_variables: {} },
    });
    const flow = await sheet.add('WORKFLOW', { workflow_id: 'halves' }, 'Flow');
    await sheet.run();
    const cutOff = async (id: string, row: number): Promise<unknown> =>
      (metricsOf(await sheet.cell(id, row)) as Loose).cut_off_count ?? 0;
    assert.deepEqual(
      [
        await cutOff(column, 0),
        await cutOff(column, 1),
        await cutOff(loop, 1),
        await cutOff(flow, 1),
      ],
      [1, 0, 2, 1],
    );
    const half = await sheet.cell(column, 0);
    assert.equal(half.status, 'completed');
    const view = { computed: true, system: false };
    const shown = async (row: number): Promise<string> =>
      presentationOf((await sheet.cell(column, row)) as unknown as Cell, view).status;
    assert.deepEqual(
      [await shown(0), await shown(1), await shown(2)],
      [cutOffStatus, 'completed', 'error'],
    );

    const run: Loose = await api.expect(201, 'POST', '/workflows/halves/run', {});
    const id = String(run.workflow_version_execution_id);
    const results = `/workflow-version-execution-results?workflow_version_execution_id=${id}&return_all_outputs=true`;
    const answer = await until('the run has ended', async () => {
      const now = await api.call('GET', results);
      return now.status === 200 && now;
    });
    const outputs: Loose = JSON.parse(answer.text);
    assert.equal(outputs.half.status, 'SUCCESS');
    assert.match(outputs.half.warning, /cut off at its limit of tokens/);
    assert.equal('warning' in outputs.fine, false);

    const { path } = sheet.place;
    const step = { title: 'Says', primitive_type: 'CONTAINS', source_column_ids: [column] };
    await api.expect(200, 'PATCH', `${path}/scorecard`, {
      ...{ name: 'Halves', aggregation: {} },
      steps: [{ ...step, primitive_config: { source: 'Answer', value: 'half' } }],
    });
    await api.expect(202, 'POST', `${path}/scorecard/recalculate`, {});
    const calculation = await until('the score is calculated', async (): Promise<Loose> => {
      const { latest_calculation: latest }: Loose = await api.get(`${path}/scorecard`);
      return latest?.status === 'completed' && latest;
    });
    assert.equal(calculation.cut_off_rows, 1, JSON.stringify(calculation));
    const [summary]: Loose[] = Object.values(calculation.criterion_summaries);
    assert.equal(summary.cut_off_rows, 1);
    // A score of the older kind looks at what is made of the half as well.
    const length = await sheet.add('COUNT', { source: 'Answer', type: 'chars' }, 'Length');
    await sheet.run();
    const legacy = async (body: object): Promise<Loose> => {
      await api.expect(200, 'PATCH', `${path}/score`, body);
      await api.expect(202, 'POST', `${path}/score`, {});
      const score = await until('the score is there', async (): Promise<Loose> => {
        const now: Loose = await api.get(`${path}/score`);
        return ['completed', 'failed'].includes(String(now.status)) && now;
      });
      assert.equal(score.score_calculation_error, null);
      return score.details;
    };
    const details = await legacy({ score_type: 'numeric', column_ids: [length] });
    assert.deepEqual([details.cut_off_rows, details.cut_off_by_column], [1, { [length]: 1 }]);
    const custom = { score_type: 'custom', code: 'return 1', code_language: 'JAVASCRIPT' };
    // Loop and workflow have half an answer in every row.
    assert.equal((await legacy(custom)).cut_off_rows, 3);
    // The row whose model has refused is an error, and not left out without a word.
    assert.equal(summary.verdict_counts.error, 1);
    const ref = { tableId: sheet.place.tableId, sheetId: sheet.place.sheetId };
    const rows: (readonly string[])[] = [];
    const client = new Client({ apiKey: firstKey, baseURL: service.ready.url });
    try {
      const judging = { checks: ['Answer'] };
      for await (const row of judgeSheet(client.tables, ref, judging)) rows.push(row.cutOff);
    } finally {
      await client.close();
    }
    assert.deepEqual(rows, [
      ['Answer', 'FOR_LOOP', 'Flow'],
      ['FOR_LOOP', 'Flow'],
      ['FOR_LOOP', 'Flow'],
    ]);
  });
});
