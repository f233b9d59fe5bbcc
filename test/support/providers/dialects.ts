/** Models that talk and call tools, in the language of each provider, and what each takes. */
import assert from 'node:assert/strict';
import { awsChunk, awsEvent, awsStreamHeaders } from './aws-stream.ts';
import type { ProviderAnswerScript, ProviderRequestSeen } from './fake-provider.ts';
import { sse } from './fake-provider.ts';

export interface Said {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly args: object }[];
}

/** One thing of a conversation, whoever says it: `user: Hi`, `call: weather {"city":"Oslo"}`. */
export type Line = string;

export interface Dialect {
  readonly title: string;
  readonly provider: string;
  readonly apiType: string | null;
  readonly model: string;
  readonly environment: (url: string) => Readonly<Record<string, string>>;
  readonly answer: (said: Said, isStream: boolean) => ProviderAnswerScript;
  readonly isStream: (request: ProviderRequestSeen) => boolean;
  /** What was said so far. Fails where the provider would refuse the request. */
  readonly read: (body: Readonly<Record<string, unknown>>) => readonly Line[];
}

type Json = Readonly<Record<string, never>>;
interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}
const text = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : ((content ?? []) as readonly { text?: string }[]).map((part) => part.text ?? '').join('');
const line = (role: string, said: string): Line => `${role}: ${said}`;
const callLine = (name: string, args: unknown): Line =>
  line('call', `${name} ${JSON.stringify(args)}`);

/** Calls are answered at once, each one time, and in their order. */
class Calls {
  readonly #open: string[] = [];
  readonly #used = new Set<string>();

  begin(id: string): void {
    assert.notEqual(id, '');
    assert.ok(!this.#used.has(id), `the id ${id} of a call is used twice`);
    this.#used.add(id);
    this.#open.push(id);
  }

  answer(id: string): void {
    assert.equal(this.#open.shift(), id, 'a result of no call, or in another order');
  }

  demandAnswered(): void {
    assert.deepEqual(this.#open, [], 'calls without results');
  }
}

function readChat(body: Readonly<Record<string, unknown>>): readonly Line[] {
  const calls = new Calls();
  const lines = (body['messages'] as readonly Message[]).flatMap((message): Line[] => {
    if (message.role === 'tool') {
      calls.answer(message.tool_call_id ?? '');
      return [line('tool', text(message.content))];
    }
    calls.demandAnswered();
    const made = message.tool_calls ?? [];
    for (const { id } of made) calls.begin(id);
    const said = text(message.content);
    if (made.length === 0) assert.notEqual(said, '');
    return [
      ...(said === '' ? [] : [line(message.role, said)]),
      ...made.map((call) => callLine(call.function.name, JSON.parse(call.function.arguments))),
    ];
  });
  calls.demandAnswered();
  return lines;
}

const chatCalls = (said: Said, isStream: boolean) =>
  (said.calls ?? []).map(({ id, name, args }, index) => ({
    ...(isStream && { index }),
    ...{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } },
  }));

function answerChat(said: Said, isStream: boolean): ProviderAnswerScript {
  const tool_calls = chatCalls(said, isStream);
  const message = {
    role: 'assistant',
    content: said.text ?? null,
    ...(tool_calls.length > 0 && { tool_calls }),
  };
  const finish_reason = tool_calls.length > 0 ? 'tool_calls' : 'stop';
  const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'm' };
  if (!isStream) {
    return {
      body: {
        ...{ ...head, object: 'chat.completion' },
        choices: [{ index: 0, message, finish_reason }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      },
    };
  }
  const chunk = (delta: object, reason: string | null): object => ({
    ...{ ...head, object: 'chat.completion.chunk' },
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  return { pieces: [sse([chunk(message, null), chunk({}, finish_reason)], { done: true })] };
}

function answerResponses(said: Said, isStream: boolean): ProviderAnswerScript {
  const output = [
    ...(said.text === undefined
      ? []
      : [
          {
            ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
            content: [{ type: 'output_text', text: said.text, annotations: [] }],
          },
        ]),
    ...(said.calls ?? []).map(({ id, name, args }) => ({
      ...{ type: 'function_call', id: `fc_${id}`, call_id: id, name, status: 'completed' },
      arguments: JSON.stringify(args),
    })),
  ];
  const response = { id: 'resp_1', object: 'response', status: 'completed', model: 'm', output };
  if (!isStream) return { body: response };
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ...output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response },
  ];
  return { pieces: [sse(events, { named: true })] };
}

function readResponses(body: Readonly<Record<string, unknown>>): readonly Line[] {
  const calls = new Calls();
  const lines = (body['input'] as readonly Json[]).map(
    (item: Readonly<Record<string, unknown>>) => {
      if (item['type'] === 'function_call') {
        calls.begin(String(item['call_id']));
        return callLine(String(item['name']), JSON.parse(String(item['arguments'])));
      }
      if (item['type'] === 'function_call_output') {
        calls.answer(String(item['call_id']));
        return line('tool', String(item['output']));
      }
      calls.demandAnswered();
      assert.notEqual(text(item['content']), '');
      return line(String(item['role']), text(item['content']));
    },
  );
  calls.demandAnswered();
  return lines;
}

function claudeMessage(said: Said): { content: readonly Readonly<Record<string, unknown>>[] } {
  return {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-test-1' },
    content: [
      ...(said.text === undefined ? [] : [{ type: 'text', text: said.text }]),
      ...(said.calls ?? []).map(({ id, name, args }) => ({
        ...{ type: 'tool_use', id, name, input: args },
      })),
    ],
    ...{ stop_reason: said.calls === undefined ? 'end_turn' : 'tool_use', stop_sequence: null },
    ...{ usage: { input_tokens: 1, output_tokens: 1 } },
  };
}
function claudeEvents(said: Said): readonly object[] {
  const message = claudeMessage(said);
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...message.content.flatMap((block, index) => {
      const isCall = block['type'] === 'tool_use';
      const delta = isCall
        ? { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) }
        : { type: 'text_delta', text: block['text'] };
      return [
        {
          ...{ type: 'content_block_start', index },
          content_block: isCall ? { ...block, input: {} } : { type: 'text', text: '' },
        },
        { type: 'content_block_delta', index, delta },
        { type: 'content_block_stop', index },
      ];
    }),
    {
      type: 'message_delta',
      delta: { stop_reason: said.calls === undefined ? 'end_turn' : 'tool_use' },
      usage: { output_tokens: 1 },
    },
    { type: 'message_stop' },
  ];
}

interface Block {
  readonly type?: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly toolUse?: { readonly toolUseId: string; readonly name: string; readonly input: unknown };
  readonly toolResult?: { readonly toolUseId: string; readonly content: unknown };
}

/** All results of one message's calls stand in the next one. */
function readBlocks(body: Readonly<Record<string, unknown>>): readonly Line[] {
  const calls = new Calls();
  const lines = (body['messages'] as readonly { role: string; content: unknown }[]).flatMap(
    ({ role, content }) => {
      const blocks = (
        typeof content === 'string' ? [{ type: 'text', text: content }] : content
      ) as readonly Block[];
      assert.ok(blocks.length > 0, 'a message without content');
      const said = blocks.map((block) => {
        const use = block.toolUse;
        const result = block.toolResult;
        if (block.type === 'tool_use' || use !== undefined) {
          calls.begin(use?.toolUseId ?? block.id ?? '');
          return callLine(use?.name ?? block.name ?? '', use?.input ?? block.input);
        }
        if (block.type === 'tool_result' || result !== undefined) {
          calls.answer(result?.toolUseId ?? block.tool_use_id ?? '');
          return line('tool', text(result?.content ?? block.content));
        }
        if (role === 'user') calls.demandAnswered();
        assert.notEqual(block.text, '');
        return line(role, block.text ?? '');
      });
      if (role === 'user') calls.demandAnswered();
      return said;
    },
  );
  calls.demandAnswered();
  return lines;
}

function answerConverse(said: Said, isStream: boolean): ProviderAnswerScript {
  const content = [
    ...(said.text === undefined ? [] : [{ text: said.text }]),
    ...(said.calls ?? []).map(({ id: toolUseId, name, args: input }) => ({
      toolUse: { toolUseId, name, input },
    })),
  ];
  const stopReason = said.calls === undefined ? 'end_turn' : 'tool_use';
  if (!isStream)
    return { body: { output: { message: { role: 'assistant', content } }, stopReason } };
  return {
    headers: awsStreamHeaders,
    pieces: [
      awsEvent('messageStart', { role: 'assistant' }),
      ...content.flatMap((block, contentBlockIndex) => {
        const isText = 'text' in block;
        const { toolUse } = { toolUse: undefined, ...block } as { toolUse?: { input: object } };
        const { input, ...start } = toolUse ?? { input: {} };
        return [
          ...(isText
            ? []
            : [awsEvent('contentBlockStart', { contentBlockIndex, start: { toolUse: start } })]),
          awsEvent('contentBlockDelta', {
            contentBlockIndex,
            delta: isText ? block : { toolUse: { input: JSON.stringify(input) } },
          }),
          awsEvent('contentBlockStop', { contentBlockIndex }),
        ];
      }),
      awsEvent('messageStop', { stopReason }),
    ],
  };
}

/** Gemini knows no ids: a result names its function, and all of one message stand together. */
function readGemini(body: Readonly<Record<string, unknown>>): readonly Line[] {
  const open: string[] = [];
  const contents = body['contents'] as readonly {
    role: string;
    parts: readonly {
      text?: string;
      functionCall?: { name: string; args: unknown };
      functionResponse?: { name: string; response: unknown };
    }[];
  }[];
  const lines = contents.flatMap(({ role, parts }) => {
    assert.ok(parts.length > 0, 'a content without parts');
    const said = parts.map((part) => {
      if (part.functionCall !== undefined) {
        open.push(part.functionCall.name);
        return callLine(part.functionCall.name, part.functionCall.args);
      }
      if (part.functionResponse !== undefined) {
        assert.equal(open.shift(), part.functionResponse.name);
        const { response } = part.functionResponse;
        const { result = JSON.stringify(response) } = response as { result?: string };
        return line('tool', result);
      }
      assert.notEqual(part.text, '');
      return line(role === 'model' ? 'assistant' : role, part.text ?? '');
    });
    if (role === 'user') assert.deepEqual(open, [], 'calls without results');
    return said;
  });
  assert.deepEqual(open, []);
  return lines;
}

function answerGemini(said: Said, isStream: boolean): ProviderAnswerScript {
  const parts = [
    ...(said.text === undefined ? [] : [{ text: said.text }]),
    ...(said.calls ?? []).map(({ name, args }) => ({ functionCall: { name, args } })),
  ];
  const whole = {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
  };
  return isStream ? { pieces: [sse([whole])] } : { body: whole };
}

function answerCohere(said: Said, isStream: boolean): ProviderAnswerScript {
  const tool_calls = chatCalls(said, false);
  const finish_reason = tool_calls.length > 0 ? 'TOOL_CALL' : 'COMPLETE';
  if (!isStream) {
    const content = said.text === undefined ? [] : [{ type: 'text', text: said.text }];
    return {
      body: { id: 'c1', finish_reason, message: { role: 'assistant', content, tool_calls } },
    };
  }
  const events = [
    { id: 'c1', type: 'message-start', delta: { message: { role: 'assistant' } } },
    ...(said.text === undefined
      ? []
      : [
          {
            ...{ type: 'content-start', index: 0 },
            delta: { message: { content: { type: 'text', text: '' } } },
          },
          {
            ...{ type: 'content-delta', index: 0 },
            delta: { message: { content: { text: said.text } } },
          },
          { type: 'content-end', index: 0 },
        ]),
    ...tool_calls.flatMap((call, index) => [
      { type: 'tool-call-start', index, delta: { message: { tool_calls: call } } },
      { type: 'tool-call-end', index },
    ]),
    { type: 'message-end', delta: { finish_reason } },
  ];
  return { pieces: [sse(events, { named: true })] };
}

const inBody = ({ json }: ProviderRequestSeen): boolean => json['stream'] === true;
const key = 'test-provider-key';

const chat = (
  title: string,
  provider: string,
  environment: Dialect['environment'],
  apiType: string | null = null,
): Dialect => ({
  ...{ title, provider, apiType, model: 'test-1', environment },
  ...{ answer: answerChat, isStream: inBody, read: readChat },
});

export const dialects: readonly Dialect[] = [
  chat(
    'OpenAI, chat',
    'openai',
    (url) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1` }),
    'chat-completions',
  ),
  {
    ...chat(
      'OpenAI, responses',
      'openai',
      (url) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1` }),
      'responses',
    ),
    ...{ answer: answerResponses, read: readResponses },
  },
  chat('Azure', 'openai.azure', (url) => ({
    AZURE_OPENAI_API_KEY: key,
    AZURE_OPENAI_ENDPOINT: url,
    OPENAI_API_VERSION: '2025-04-01-preview',
  })),
  chat('Mistral', 'mistral', (url) => ({ MISTRAL_API_KEY: key, MISTRAL_BASE_URL: url })),
  chat('OpenRouter', 'openrouter', (url) => ({
    OPENROUTER_API_KEY: key,
    OPENROUTER_BASE_URL: url,
  })),
  chat('Ollama', 'ollama', (url) => ({ OLLAMA_BASE_URL: url })),
  chat('xAI', 'xai', (url) => ({ XAI_API_KEY: key, XAI_BASE_URL: url })),
  {
    ...chat('Cohere', 'cohere', (url) => ({ CO_API_KEY: key, CO_API_URL: url })),
    answer: answerCohere,
  },
  {
    ...chat('Anthropic', 'anthropic', (url) => ({
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_BASE_URL: url,
    })),
    answer: (said, isStream) =>
      isStream
        ? { pieces: [sse(claudeEvents(said), { named: true })] }
        : { body: claudeMessage(said) },
    read: readBlocks,
  },
  {
    ...chat('Claude on Bedrock', 'anthropic.bedrock', (url) => ({
      AWS_BEARER_TOKEN_BEDROCK: key,
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
    })),
    answer: (said, isStream) =>
      isStream
        ? { headers: awsStreamHeaders, pieces: claudeEvents(said).map(awsChunk) }
        : { body: claudeMessage(said) },
    isStream: ({ path }) => path.endsWith('stream'),
    read: readBlocks,
  },
  {
    ...chat('Bedrock', 'amazon.bedrock', (url) => ({
      AWS_BEARER_TOKEN_BEDROCK: key,
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
    })),
    answer: answerConverse,
    isStream: ({ path }) => path.endsWith('stream'),
    read: readBlocks,
  },
  {
    ...chat('Gemini', 'google', (url) => ({
      GOOGLE_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: url,
    })),
    answer: answerGemini,
    isStream: ({ path }) => path.includes('stream'),
    read: readGemini,
  },
];
