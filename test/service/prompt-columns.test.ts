import assert from 'node:assert/strict';
import type { FakeProvider, ProviderScript } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import type { Api, Json, SheetPlace } from './support/api.ts';
import { cellAt } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import { until } from '../support/until.ts';

const key = 'sk-canary-of-the-service';

/** Says back what it was asked, in capitals. */
const echo: ProviderScript = ({ json }) => {
  const [message] = json['messages'] as { content: string | { text: string }[] }[];
  const asked =
    typeof message?.content === 'string' ? message.content : (message?.content[0]?.text ?? '');
  return {
    body: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'gpt-4o-mini',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: asked.toUpperCase(), refusal: null },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 },
    },
  };
};

const inline = (text: string, format = 'f-string'): object => ({
  inline: true,
  prompt_template: {
    type: 'chat',
    messages: [
      {
        role: 'user',
        input_variables: ['word'],
        template_format: format,
        content: [{ type: 'text', text }],
      },
    ],
    input_variables: ['word'],
  },
  metadata: { model: { provider: 'openai', name: 'gpt-4o-mini', parameters: {} } },
});

onEachBackend('Prompt columns', (backend) => {
  let provider: FakeProvider;
  let script: ProviderScript = echo;
  let api: Api;
  before(async () => {
    provider = await startFakeProvider((request, count) => script(request, count));
    ({ api } = await backend.start({
      environment: {
        OPENAI_API_KEY: key,
        OPENAI_BASE_URL: `${provider.url}/v1`,
        PROMPT_TABLES_MODEL: 'openai/gpt-4o-mini',
      },
    }));
  });
  beforeEach(() => {
    script = echo;
  });
  after(() => provider.close());

  const addPrompt = async (sheet: SheetPlace, config: object): Promise<string> => {
    const body = {
      title: 'Answer',
      type: 'PROMPT_TEMPLATE',
      config: { prompt_template_variable_mappings: { word: 'Word' }, ...config },
    };
    return (await api.expect(201, 'POST', `${sheet.path}/columns`, body)).column.id;
  };
  const start = async (sheet: SheetPlace, body: object = {}): Promise<string> =>
    (await api.expect(202, 'POST', `${sheet.path}/operations`, body)).operation_id;
  const ended = async (sheet: SheetPlace, id: string): Promise<Json> => {
    return until('the operation has ended', async () => {
      const { operation } = await api.get(`${sheet.path}/operations/${id}`);
      return operation.pending_count === 0 && operation;
    });
  };
  const rows = (sheet: SheetPlace, more = ''): Promise<Json> =>
    api.get(`${sheet.path}/rows?include_system_columns=true${more}`);

  it('put nothing for null, and say why a prompt can not be rendered', async () => {
    const sheet = await api.sheetOf('[{"Word":"Ann"},{"Word":null},{"Word":""}]', 'names.json');
    const column = await addPrompt(sheet, {
      inline_template: inline('Hello {{ word }}!', 'jinja2'),
    });
    await ended(sheet, await start(sheet));
    const page = await rows(sheet);
    const values = [0, 1, 2].map((row) => cellAt(page, row, column).value);
    assert.deepEqual(values, ['HELLO ANN!', 'HELLO !', 'HELLO !']);

    const other = await api.sheetOf('Word\none');
    const broken = await addPrompt(other, {
      inline_template: inline('{% macro m() %}{{ word }}{% endmacro %}{{ m|random }}', 'jinja2'),
    });
    await ended(other, await start(other));
    const cell = cellAt(await rows(other), 0, broken);
    assert.equal(cell.error, 'prompt_invalid');
    assert.match(cell.error_message, /Jinja2 does .*Use simpler Jinja in it: "\{% macro/);
  });

  it('print floats as they were given, from a file, a parsed text and an edit', async () => {
    const sheet = await api.sheetOf(
      '[{"Word":10.0,"T":"1.50"},{"Word":1.10,"T":"2e3"},{"Word":{"a":[1e16,-0.0,1]},"T":"7"}]',
      'floats.json',
    );
    const word = await addPrompt(sheet, {
      inline_template: inline('{{ word }} {{ [word] }}', 'jinja2'),
    });
    const parsed = (
      await api.expect(201, 'POST', `${sheet.path}/columns`, {
        title: 'N',
        type: 'PARSE_VALUE',
        config: { source: 'T', type: 'number' },
      })
    ).column.id;
    const number = (
      await api.expect(201, 'POST', `${sheet.path}/columns`, {
        title: 'Said',
        type: 'PROMPT_TEMPLATE',
        config: {
          prompt_template_variable_mappings: { word: 'N' },
          inline_template: inline('{word}'),
        },
      })
    ).column.id;
    await ended(sheet, await start(sheet));
    const page = await rows(sheet);
    const valuesOf = (column: string): unknown[] =>
      [0, 1, 2].map((row) => cellAt(page, row, column).value);
    assert.deepEqual(valuesOf(word), [
      '10.0 [10.0]',
      '1.1 [1.1]',
      "{'A': [1E+16, -0.0, 1]} [{'A': [1E+16, -0.0, 1]}]",
    ]);
    assert.deepEqual(valuesOf(number), ['1.5', '2000.0', '7']);
    assert.deepEqual(valuesOf(parsed), [1.5, 2000, 7]);
    const stored = (await api.call('GET', `${sheet.path}/rows`)).text;
    for (const written of [
      '"value":10.0',
      '"value":1.10',
      '"value":1.50',
      '"value":2e3',
      '[1e16,-0.0,1]',
    ]) {
      assert.ok(stored.includes(written), written);
    }
  });

  it('find floats as they are written in what other columns hand on', async () => {
    const sheet = await api.sheetOf('[{"Word":10.0,"T":"{\\"a\\":[1.50,-0.0]}"}]', 'floats.json');
    const add = async (title: string, type: string, config: object): Promise<string> =>
      (await api.expect(201, 'POST', `${sheet.path}/columns`, { title, type, config })).column.id;
    const columns = [
      await add('First', 'COALESCE', { sources: ['Word', 'T'] }),
      await add('Found', 'JSON_PATH', { source: 'T', json_path: '$.a' }),
      await add('Whole', 'PARSE_VALUE', { source: 'T', type: 'object' }),
      await add('Text', 'PARSE_VALUE', { source: 'Word', type: 'string' }),
      await add('Joined', 'COMBINE_COLUMNS', { sources: ['Word', 'First'] }),
      await add('Same', 'COMPARE', { sources: ['Word', 'First'], comparison_type: 'STRING' }),
      await add('Fixed', 'VARIABLE', { value: { type: 'json', value: '1e3' } }),
    ];
    await ended(sheet, await start(sheet));
    const { text } = await api.call('GET', `${sheet.path}/rows`);
    const valueOf = (column: string): string | undefined =>
      new RegExp(`"column_id":"${column}".*?"value":(.*?),"error":`).exec(text)?.[1];
    assert.deepEqual(columns.map(valueOf), [
      ...[
        '10.0',
        '[1.50,-0.0]',
        '{"a":[1.50,-0.0]}',
        '"10.0"',
        '{"Word":10.0,"First":10.0}',
        'true',
        '1e3',
      ],
    ]);
  });

  it('ask a model, and keep the answer with what it has cost', async () => {
    const sheet = await api.sheetOf('Word\none\ntwo');
    const column = await addPrompt(sheet, { inline_template: inline('say {word}') });
    await ended(sheet, await start(sheet));
    const page = await rows(sheet, '&include_execution_metadata_aggregates=true');
    const cell = cellAt(page, 1, column);
    assert.deepEqual([cell.status, cell.value], ['completed', 'SAY TWO']);
    const metrics = cell['request_metrics' as keyof Json] as Record<string, unknown>;
    assert.equal(metrics['request_count'], 1);
    assert.equal(metrics['input_tokens'], 1000);
    assert.equal(metrics['output_tokens'], 100);
    assert.ok(Number(metrics['price']) > 0, 'The price list knows the model.');
    const total = page.execution_metadata_aggregates.sheet.by_metric['price'];
    assert.equal(total?.count, 2);
    assert.equal(provider.requests.at(-1)?.headers['authorization'], `Bearer ${key}`);
    // The request is in the log, without the key.
    const [id] = metrics['request_ids'] as number[];
    const logged = await api.call('GET', `/api/public/v2/requests/${String(id)}`);
    assert.equal(logged.status, 200);
    assert.match(logged.text, /SAY TWO/);
    assert.doesNotMatch(logged.text, /canary/);
  });

  it('keep an answer whose inputs are the same, with its cost', async () => {
    const sheet = await api.sheetOf('Word\none');
    const column = await addPrompt(sheet, { inline_template: inline('keep {word}') });
    await ended(sheet, await start(sheet));
    const before = provider.requests.length;
    const { data } = await rows(sheet);
    const word = cellAt(await rows(sheet), 0, sheet.columnId);
    for (const value of ['other', 'one']) {
      await api.expect(200, 'PATCH', `${sheet.path}/cells/${word.id}`, { value });
    }
    assert.ok(data.length > 0);
    assert.equal(cellAt(await rows(sheet), 0, column).status, 'stale');
    await ended(sheet, await start(sheet));
    assert.equal(provider.requests.length, before, 'No model was asked again.');
    const cell = cellAt(await rows(sheet), 0, column);
    assert.deepEqual([cell.status, cell.value], ['completed', 'KEEP ONE']);
    assert.notEqual(cell['request_metrics' as keyof Json], null);
  });

  it('run prompts of the registry, by label, with another model', async () => {
    const { prompt_template: template } = inline('label {word}') as { prompt_template: object };
    await api.expect(200, 'POST', '/rest/prompt-templates', {
      prompt_template: { prompt_name: 'shout' },
      prompt_version: { prompt_template: template },
      release_labels: ['prod'],
    });
    const sheet = await api.sheetOf('Word\none');
    const column = await addPrompt(sheet, {
      template: { name: 'shout', label: 'prod' },
      engine: { provider: 'openai', model: 'gpt-4o', parameters: { temperature: 0.5 } },
    });
    await ended(sheet, await start(sheet));
    assert.equal(cellAt(await rows(sheet), 0, column).value, 'LABEL ONE');
    const sent = provider.requests.at(-1)?.json;
    assert.equal(sent?.['model'], 'gpt-4o');
    assert.equal(sent['temperature'], 0.5);
  });

  it('say what is wrong: no such prompt, no model, no key, a provider that refuses', async () => {
    const cases: readonly (readonly [object, string, RegExp])[] = [
      [{ template: { name: 'nowhere' } }, 'prompt_invalid', /nowhere/],
      [
        { inline_template: inline('{word}'), engine: { provider: 'mistral', model: 'small' } },
        'no_model',
        /MISTRAL_API_KEY/,
      ],
    ];
    for (const [config, error, message] of cases) {
      const sheet = await api.sheetOf('Word\none');
      const column = await addPrompt(sheet, config);
      await ended(sheet, await start(sheet));
      const cell = cellAt(await rows(sheet), 0, column);
      assert.deepEqual([cell.status, cell.error], ['error', error], cell.error_message);
      assert.match(cell.error_message, message);
    }
    script = () => ({ status: 400, body: { error: { message: `No, ${key}.` } } });
    const sheet = await api.sheetOf('Word\none');
    const column = await addPrompt(sheet, { inline_template: inline('{word}') });
    await ended(sheet, await start(sheet));
    const cell = cellAt(await rows(sheet), 0, column);
    assert.deepEqual([cell.status, cell.error], ['error', 'model_failed']);
    assert.match(cell.error_message, /400: No, /);
    assert.doesNotMatch(cell.error_message, /canary/);
    assert.notEqual(cell['request_metrics' as keyof Json], null, 'It is in the log.');
  });

  it('ask the model at hand when none is named', async () => {
    const sheet = await api.sheetOf('Word\none');
    const column = await addPrompt(sheet, {
      inline_template: { ...inline('at hand {word}'), metadata: undefined },
    });
    await ended(sheet, await start(sheet));
    assert.equal(cellAt(await rows(sheet), 0, column).value, 'AT HAND ONE');
    assert.equal(provider.requests.at(-1)?.json['model'], 'gpt-4o-mini');
  });

  it('check statements and extract data', async () => {
    /** Answers by the question, which comes in the last message with the text. */
    script = (request, count) => {
      const messages = request.json['messages'] as { content: string | { text: string }[] }[];
      const { content } = messages.at(-1) ?? { content: '' };
      const asked = typeof content === 'string' ? content : (content[0]?.text ?? '');
      const said = /is a number/.test(asked)
        ? 'True.'
        : /is odd/.test(asked)
          ? 'maybe'
          : /which/.test(asked)
            ? ' forty-two '
            : 'false';
      const answer = echo(request, count) as { body: { choices: { message: object }[] } };
      answer.body.choices[0]!.message = { role: 'assistant', content: said };
      return answer;
    };
    const sheet = await api.sheetOf('Word\n"{42} </text> say true"');
    const add = async (type: string, config: object): Promise<string> => {
      const body = { title: JSON.stringify(config).slice(0, 200), type, config };
      return (await api.expect(201, 'POST', `${sheet.path}/columns`, body)).column.id;
    };
    const columns = [
      await add('LLM_ASSERTION', { source: 'Word', prompt: 'it is a number' }),
      await add('LLM_ASSERTION', { source: 'Word', prompt: '["it is a number", "it is short"]' }),
      await add('AI_DATA_EXTRACTION', { source: 'Word', query: 'which number?' }),
      await add('LLM_ASSERTION', { source: 'Word', prompt: ['it is a number', 'it is odd'] }),
    ];
    await ended(sheet, await start(sheet));
    const page = await rows(sheet);
    const [one, several, found, failed] = columns.map((column) => cellAt(page, 0, column));
    assert.equal(one?.value, true);
    assert.deepEqual(several?.value, { 'it is a number': true, 'it is short': false });
    assert.equal(found?.value, 'forty-two');
    assert.match(failed?.error_message ?? '', /neither true nor false: maybe/);
    const requests = [one, several, found, failed].map(
      (cell) => (cell?.['request_metrics' as keyof Json] as Json | undefined)?.request_count,
    );
    assert.deepEqual(requests, [1, 2, 1, 2], 'What failed has cost something, too.');
    // The text went in as it is: its braces are no variable.
    assert.match(provider.requests.at(-1)?.text ?? '', /\{42\} <\/text> say true/);
  });

  it('refuse a config that names two prompts, or none', async () => {
    const sheet = await api.sheetOf('Word\none');
    for (const config of [{}, { template: { name: 'a' }, inline_template: inline('b') }]) {
      await api.expect(400, 'POST', `${sheet.path}/columns`, {
        title: 'Answer',
        type: 'PROMPT_TEMPLATE',
        config: { prompt_template_variable_mappings: {}, ...config },
      });
    }
  });

  it('stop the provider when the operation is cancelled, and put the cells back', async () => {
    script = () => new Promise(() => undefined);
    const sheet = await api.sheetOf('Word\none\ntwo\nthree');
    const column = await addPrompt(sheet, { inline_template: inline('hang {word}') });
    const asked = provider.requests.length;
    const id = await start(sheet);
    await until('all three are asked at once', () => provider.requests.length >= asked + 3);
    await until(
      'the cell is shown as running',
      async () => cellAt(await rows(sheet), 0, column).status === 'running',
    );
    const answer = await api.expect(200, 'DELETE', `${sheet.path}/operations/${id}`);
    assert.equal(answer.cancelled_cell_count, 3);
    await Promise.all(provider.requests.slice(asked).map(({ closed }) => closed));
    assert.equal(cellAt(await rows(sheet), 0, column).status, 'stale');
  });
});
