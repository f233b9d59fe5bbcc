import assert from 'node:assert/strict';
import { askedOf, chatReply, promptOf } from '../support/providers/chat.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { Loose } from './support/loose.ts';
import { SheetRun, metricsOf } from './support/sheet-run.ts';

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
  before(async () => {
    provider = await startFakeProvider((request) => {
      const asked = JSON.stringify(request.json['messages']);
      const found = Object.entries(none).find(([word]) => asked.includes(word));
      if (found !== undefined) return { body: found[1][0] };
      return { body: asked.includes('half') ? half : chatReply(askedOf(request)) };
    });
    ({ api } = await backend.start({
      environment: {
        OPENAI_API_KEY: 'sk-canary',
        OPENAI_BASE_URL: `${provider.url}/v1`,
        PROMPT_TABLES_MODEL: 'openai/gpt-4o-mini',
      },
    }));
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
    const end = Date.now() + 30_000;
    let answer = await api.call('GET', results);
    while (answer.status !== 200 && Date.now() < end) answer = await api.call('GET', results);
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
});
