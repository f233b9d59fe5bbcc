import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { FakeProvider, ProviderScript } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import type { Api } from './support/api.ts';
import { onSqlite } from './support/backends.ts';
import { SheetRun, metricsOf } from './support/sheet-run.ts';
import { until } from '../support/until.ts';

interface Heard {
  readonly role: string;
  readonly content: string;
}

type Talk = (messages: readonly Heard[]) => string;

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : ((content as { text: string }[])[0]?.text ?? '');

/** A model that says what `talk` makes of the messages. */
const saying =
  (talk: Talk): ProviderScript =>
  ({ json }) => {
    const messages = (json['messages'] as { role: string; content: unknown }[]).map(
      ({ role, content }) => ({ role, content: textOf(content) }),
    );
    return {
      body: {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1_700_000_000,
        model: 'gpt-4o-mini',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: talk(messages), refusal: null },
            finish_reason: 'stop',
          },
        ],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      },
    };
  };

const prompt = (text: string, variables: readonly string[]): object => ({
  inline_template: {
    inline: true,
    prompt_template: {
      type: 'chat',
      messages: [
        {
          role: 'user',
          input_variables: variables,
          template_format: 'f-string',
          content: [{ type: 'text', text }],
        },
      ],
      input_variables: variables,
    },
  },
});

onSqlite('Loop columns', (backend) => {
  let provider: FakeProvider;
  let script: ProviderScript = saying(() => '');
  let api: Api;
  before(async () => {
    provider = await startFakeProvider((request, count) => script(request, count));
    ({ api } = await backend.start({
      environment: {
        OPENAI_API_KEY: 'sk-canary',
        OPENAI_BASE_URL: `${provider.url}/v1`,
        PROMPT_TABLES_MODEL: 'openai/gpt-4o-mini',
      },
    }));
  });
  after(() => provider.close());

  it('go through a list, with what the turns before have said', async () => {
    script = saying((messages) => messages.at(-1)?.content.toUpperCase() ?? '');
    const sheet = await SheetRun.of(api, 'List,Word\n"[""a"", 2]",one\nnot a list,two');
    const column = await sheet.add('FOR_LOOP', {
      loop_type: 'prompt',
      prompt_config: prompt('{word} {item} {at} {previous_outputs}', [
        ...['word', 'item', 'at', 'previous_outputs'],
      ]),
      iterator_source: 'List',
      return_all_outputs: true,
      variable_mappings: { word: 'Word', item: '_iterator_item', at: 'loop_index' },
    });
    await sheet.run();
    const value = (await sheet.value(column)) as { outputs: string[] };
    assert.deepEqual(value, {
      iterations: 2,
      outputs: ['ONE A 0 []', value.outputs[1]],
      final_output: value.outputs[1],
    });
    assert.match(value.outputs[1] ?? '', /^ONE 2 1 \[.ONE A 0 \[\].\]$/);
    const metrics = metricsOf(await sheet.cell(column));
    assert.deepEqual([metrics.request_count, Object(metrics)['input_tokens']], [2, 20]);
    assert.match(String(await sheet.value(column, 1)), /^invalid_input: Column "List"/);
  });

  it('go on until the output says that it is done, or the limit is reached', async () => {
    let turn = 0;
    script = saying(() => JSON.stringify({ done: (turn += 1) === 3, turn }));
    const sheet = await SheetRun.of(api, 'Word\none');
    const config = {
      loop_type: 'PROMPT',
      prompt_config: prompt('again {loop_index}', ['loop_index']),
      end_condition_json_path: '$.done',
    };
    const column = await sheet.add('WHILE_LOOP', config);
    await sheet.run();
    assert.deepEqual(await sheet.value(column), {
      iterations: 3,
      outputs: [],
      final_output: '{"done":true,"turn":3}',
    });
    const limited = await sheet.add('WHILE_LOOP', { ...config, max_iterations: 2 }, 'Limited');
    await sheet.run();
    assert.equal(((await sheet.value(limited)) as { iterations: number }).iterations, 2);
    await sheet.refuse('FOR_LOOP', { ...config, max_iterations: 1001 });
    await sheet.refuse('FOR_LOOP', config);
    await sheet.refuse('FOR_LOOP', { loop_type: 'workflow', max_iterations: 2 });
  });

  it('count what the turns before a failure have cost, and end when cancelled', async () => {
    script = (request, count) =>
      textOf((request.json['messages'] as Heard[])[0]?.content).endsWith('1')
        ? { status: 400, body: { error: { message: 'no more' } } }
        : saying(() => 'fine')(request, count);
    const sheet = await SheetRun.of(api, 'Word\none');
    const config = {
      loop_type: 'prompt',
      prompt_config: prompt('turn {loop_index}', ['loop_index']),
      max_iterations: 5,
    };
    const column = await sheet.add('FOR_LOOP', config);
    await sheet.run();
    assert.match(String(await sheet.value(column)), /^model_failed: Turn 2 of the loop.*no more/);
    assert.equal(metricsOf(await sheet.cell(column)).request_count, 2);
    script = () => new Promise(() => undefined);
    const count = provider.requests.length;
    const id = await sheet.start({ statuses: [] });
    await until('the model is asked', () => provider.requests.length > count);
    await sheet.cancel(id);
    await provider.requests.at(-1)?.closed;
    await pause(100);
    assert.equal(provider.requests.length, count + 1);
    assert.notEqual((await sheet.cell(column)).status, 'running');
  });

  it('let a model play the person who talks to a prompt', async () => {
    let said = 0;
    script = saying((messages) => {
      const [first] = messages;
      if (first?.content.startsWith('You play')) return `question ${String((said += 1))}`;
      if (first?.content.startsWith('You read')) return String(said >= 2);
      return `answer to ${messages.at(-1)?.content ?? ''} of ${String(messages.length)}`;
    });
    const sheet = await SheetRun.of(api, 'Word\none');
    const config = {
      ...prompt('You sell {word}', ['word']),
      prompt_template_variable_mappings: { word: 'Word' },
      user_persona: 'An impatient customer',
    };
    const ends = { conversation_completed_prompt: 'The customer is satisfied' };
    const column = await sheet.add('CONVERSATION_SIMULATOR', { ...config, ...ends });
    await sheet.run();
    assert.deepEqual(await sheet.value(column), [
      { role: 'assistant', content: 'answer to You sell one of 1' },
      { role: 'user', content: 'question 1' },
      { role: 'assistant', content: 'answer to question 1 of 3' },
      { role: 'user', content: 'question 2' },
      { role: 'assistant', content: 'answer to question 2 of 5' },
    ]);
    assert.equal(metricsOf(await sheet.cell(column)).request_count, 3 + 2 + 3);
    const short = { ...config, is_user_first: true, max_turns: 1 };
    const other = await sheet.add('CONVERSATION_SIMULATOR', short, 'Short');
    await sheet.run();
    assert.equal(((await sheet.value(other)) as unknown[]).length, 2);
    await sheet.refuse('CONVERSATION_SIMULATOR', { ...config, max_turns: 151 });
    await sheet.refuse('CONVERSATION_SIMULATOR', { ...config, user_persona_source: 'Word' });
  });

  it('run workflows, alone and in a loop, and say what is none', async () => {
    script = saying((messages) => messages.at(-1)?.content.toUpperCase() ?? '');
    await api.expect(200, 'POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: 'shout' },
      prompt_version: {
        prompt_template: {
          type: 'chat',
          messages: [{ role: 'user', content: [{ type: 'text', text: 'say {word}' }] }],
        },
        metadata: { model: { provider: 'openai', name: 'gpt-4o-mini', parameters: {} } },
      },
    });
    await api.expect(201, 'POST', '/rest/workflows', {
      name: 'shouting',
      required_input_variables: { word: 'string' },
      nodes: [
        {
          name: 'Shout',
          node_type: 'PROMPT_TEMPLATE',
          configuration: { template: { prompt_name: 'shout' } },
          dependencies: ['word'],
          is_output_node: true,
        },
      ],
      edges: [],
    });
    const sheet = await SheetRun.of(api, 'Word\none');
    const input_mappings = { word: 'Word' };
    const column = await sheet.add('WORKFLOW', { workflow_id: 'shouting', input_mappings });
    const none = await sheet.add('WORKFLOW', { workflow_id: 99_999, input_mappings }, 'None');
    const loop = await sheet.add('FOR_LOOP', {
      loop_type: 'workflow',
      workflow_config: { workflow_id: 'shouting' },
      max_iterations: 2,
      variable_mappings: { word: 'loop_index' },
      return_all_outputs: true,
    });
    const condition = await sheet.add('CONDITION', {});
    await sheet.run();
    assert.equal(await sheet.value(column), 'SAY ONE');
    assert.equal(metricsOf(await sheet.cell(column)).request_count, 1);
    assert.match(String(await sheet.value(none)), /^invalid_config: .*workflow/);
    const looped = (await sheet.value(loop)) as { outputs: unknown };
    assert.deepEqual(looped.outputs, ['SAY 0', 'SAY 1']);
    assert.match(String(await sheet.value(condition)), /^invalid_config: .*compares nothing/);
  });
});
