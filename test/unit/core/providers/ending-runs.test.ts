/** How a run ends, for every provider and dialect, streamed or not, as its caller and the log see it. */
import assert from 'node:assert/strict';
import type { EndingKind } from '../../../../src/core/providers/ending-kinds.ts';
import { endingOf } from '../../../../src/core/providers/ending.ts';
import { isMapping } from '../../../../src/core/mapping.ts';
import type { Reply } from '../../../../src/core/providers/reply.ts';
import { awsEvent, awsStreamHeaders } from '../../../support/providers/aws-stream.ts';
import { doors } from '../../../support/providers/doors.ts';
import type { ProviderAnswerScript } from '../../../support/providers/fake-provider.ts';
import { chatTemplate } from '../../../support/providers/fake-service.ts';
import { runOnce } from '../../../support/providers/run-once.ts';

/** `error`: the body says that it failed. `broken`: the stream ends before its end. */
type End = EndingKind | 'error' | 'broken';

interface Reported {
  readonly whole?: object;
  /** Events of a stream; absent: the same as a whole answer would be. */
  readonly events?: readonly object[];
}

interface Dialect {
  readonly name: string;
  readonly template: object;
  readonly environment: (url: string) => Readonly<Record<string, string>>;
  /** Events as bytes of the provider's stream. */
  readonly stream: (events: readonly object[], isBroken: boolean) => ProviderAnswerScript;
  readonly ends: Readonly<Partial<Record<End, Reported>>>;
}

const question = [{ role: 'user', content: 'What is it?' }];
const sse =
  (isNamed: boolean, done = '') =>
  (events: readonly object[], isBroken: boolean): ProviderAnswerScript => {
    const text = events
      .map((event) => {
        const name = isNamed && 'type' in event ? `event: ${String(event.type)}\n` : '';
        return `${name}data: ${JSON.stringify(event)}\n\n`;
      })
      .join('');
    return {
      headers: { 'content-type': 'text/event-stream' },
      pieces: [Buffer.from(`${text}${isBroken ? '' : done}`)],
    };
  };

const chunk = (delta: object, finish: string | null = null): object => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const chatOf = (finish: string, message: object, ...deltas: object[]): Reported => ({
  whole: {
    ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  },
  events: [...deltas.map((delta) => chunk(delta)), chunk({}, finish)],
});
const chatEnds: Dialect['ends'] = {
  complete: chatOf('stop', { content: 'Hi you' }, { content: 'Hi ' }, { content: 'you' }),
  cutOff: chatOf('length', { content: 'Half' }, { content: 'Half' }),
  filtered: chatOf('content_filter', { content: 'Some' }, { content: 'Some' }),
  refused: chatOf('stop', { content: null, refusal: 'No.' }, { refusal: 'No.' }),
  empty: chatOf('length', { content: '' }, { content: '' }),
  unknown: chatOf('a_new_word', { content: 'Hi' }, { content: 'Hi' }),
  error: {
    whole: { error: { message: 'Overloaded.', code: 529 } },
    events: [chunk({ content: 'Half' }), { error: { message: 'Overloaded.', code: 529 } }],
  },
  broken: { events: [chunk({ content: 'Half' })] },
};

const chatLike = ({ provider, at, keyVariable }: (typeof doors)[number]): Dialect => ({
  name: `${provider}, chat`,
  template: chatTemplate({
    ...{ provider, model: 'm', apiType: provider === 'openrouter' ? 'chat' : 'chat-completions' },
    kwargs: { model: 'm', messages: question },
  }),
  environment: (url) => ({ ...at(url), [keyVariable]: 'test-provider-key' }),
  stream: sse(false, 'data: [DONE]\n\n'),
  ends: chatEnds,
});

const message = (part: object): object => ({
  ...{ type: 'message', id: 'msg', role: 'assistant', status: 'completed', content: [part] },
});
const said = message({ type: 'output_text', text: 'Hi', annotations: [] });
const responseOf = (status: string, output: object[], more: object = {}): Reported => {
  const response = { id: 'r', object: 'response', status, output, model: 'm', ...more };
  const created = { ...response, status: 'in_progress', output: [] };
  const parts = output.flatMap((item, index) => [
    { type: 'response.output_item.added', output_index: index, item: { ...item, content: [] } },
    { type: 'response.output_item.done', output_index: index, item },
  ]);
  return {
    whole: response,
    events: [
      { type: 'response.created', response: created },
      ...parts,
      { type: `response.${status}`, response },
    ],
  };
};
const reasonOf = (reason: string): object => ({ incomplete_details: { reason } });
const [openai] = doors;
const responses: Dialect = {
  name: 'openai, responses',
  template: chatTemplate({
    ...{ provider: 'openai', model: 'm', apiType: 'responses' },
    kwargs: { model: 'm', input: question },
  }),
  environment: (url) => ({ ...openai?.at(url), OPENAI_API_KEY: 'test-provider-key' }),
  stream: sse(true),
  ends: {
    complete: responseOf('completed', [said]),
    cutOff: responseOf('incomplete', [said], reasonOf('max_output_tokens')),
    filtered: responseOf('incomplete', [said], reasonOf('content_filter')),
    refused: responseOf('completed', [message({ type: 'refusal', refusal: 'No.' })]),
    empty: responseOf('incomplete', [], reasonOf('max_output_tokens')),
    broken: { events: responseOf('completed', [said]).events?.slice(0, 2) ?? [] },
  },
};

const claudeOf = (reason: string, text: string): Reported => {
  const content = text === '' ? [] : [{ type: 'text', text }];
  const usage = { input_tokens: 3, output_tokens: 2 };
  const head = { id: 'm', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };
  return {
    whole: { ...head, content, stop_reason: reason, usage },
    events: [
      { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } },
      ...(text === ''
        ? []
        : [
            { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
            { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
            { type: 'content_block_stop', index: 0 },
          ]),
      { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ],
  };
};
const failure = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded.' } };
const claude: Dialect = {
  name: 'anthropic',
  template: chatTemplate({
    ...{ provider: 'anthropic', model: 'm' },
    kwargs: { model: 'm', max_tokens: 9, messages: question },
  }),
  environment: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'test-provider-key' }),
  stream: sse(true),
  ends: {
    complete: claudeOf('end_turn', 'Hi'),
    cutOff: claudeOf('max_tokens', 'Half'),
    refused: claudeOf('refusal', ''),
    empty: claudeOf('max_tokens', ''),
    unknown: claudeOf('a_word_of_tomorrow', 'Hi'),
    error: {
      whole: failure,
      events: [...(claudeOf('end_turn', 'Half').events?.slice(0, 3) ?? []), failure],
    },
    broken: { events: claudeOf('end_turn', 'Half').events?.slice(0, 3) ?? [] },
  },
};

const geminiOf = (reason: string | undefined, ...texts: string[]): Reported => {
  const candidate = (text: string | undefined, finishReason?: string): object => ({
    candidates: [
      {
        content: { role: 'model', parts: text === undefined ? [] : [{ text }] },
        ...(finishReason !== undefined && { finishReason }),
      },
    ],
  });
  return {
    whole: candidate(texts.length === 0 ? undefined : texts.join(''), reason),
    events: [...texts.slice(0, -1).map((text) => candidate(text)), candidate(texts.at(-1), reason)],
  };
};
const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } };
const gemini: Dialect = {
  name: 'google',
  template: chatTemplate({
    ...{ provider: 'google', model: 'gemini-2.5-flash' },
    kwargs: { model: 'gemini-2.5-flash', contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  }),
  environment: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GOOGLE_API_KEY: 'test-provider-key' }),
  stream: sse(false),
  ends: {
    complete: geminiOf('STOP', 'Hi ', 'you'),
    cutOff: geminiOf('MAX_TOKENS', 'Half', ' of'),
    filtered: { whole: blocked, events: [blocked] },
    empty: geminiOf('MAX_TOKENS'),
    malformed: geminiOf('MALFORMED_FUNCTION_CALL'),
    failed: geminiOf('OTHER'),
    error: {
      whole: { error: { code: 503, message: 'Overloaded.', status: 'UNAVAILABLE' } },
      events: [
        ...(geminiOf('STOP', 'Half', '').events?.slice(0, 1) ?? []),
        { error: { code: 503, message: 'Overloaded.', status: 'UNAVAILABLE' } },
      ],
    },
    broken: { events: geminiOf('STOP', 'Half', '').events?.slice(0, 1) ?? [] },
  },
};

const converseOf = (reason: string, text: string): Reported => ({
  whole: {
    output: { message: { role: 'assistant', content: text === '' ? [] : [{ text }] } },
    ...{ stopReason: reason, usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 } },
  },
  events: [
    { messageStart: { role: 'assistant' } },
    ...(text === ''
      ? []
      : [
          { contentBlockDelta: { contentBlockIndex: 0, delta: { text } } },
          { contentBlockStop: { contentBlockIndex: 0 } },
        ]),
    { messageStop: { stopReason: reason } },
    { metadata: { usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 } } },
  ],
});
const bedrock: Dialect = {
  name: 'amazon.bedrock',
  template: chatTemplate({
    ...{ provider: 'amazon.bedrock', model: 'amazon.nova-pro-v1:0' },
    kwargs: {
      modelId: 'amazon.nova-pro-v1:0',
      messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
    },
  }),
  environment: (url) => ({
    AWS_ACCESS_KEY_ID: 'AKIACANARY',
    AWS_SECRET_ACCESS_KEY: 'secret-canary-1',
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
  }),
  stream: (events) => ({
    headers: awsStreamHeaders,
    pieces: [
      Buffer.concat(
        events.map((event) => {
          const [[type, payload] = ['', {}]] = Object.entries(event) as [string, object][];
          return awsEvent(type, payload);
        }),
      ),
    ],
  }),
  ends: {
    complete: converseOf('end_turn', 'Hi'),
    cutOff: converseOf('max_tokens', 'Half'),
    filtered: converseOf('guardrail_intervened', 'Blocked.'),
    empty: converseOf('end_turn', ''),
    malformed: converseOf('malformed_tool_use', ''),
    broken: { events: converseOf('end_turn', 'Half').events?.slice(0, 2) ?? [] },
  },
};

const cohereOf = (reason: string, text: string): Reported => ({
  whole: {
    id: 'c',
    message: { role: 'assistant', content: text === '' ? [] : [{ type: 'text', text }] },
    finish_reason: reason,
  },
  events: [
    { type: 'message-start', id: 'c', delta: { message: { role: 'assistant' } } },
    ...(text === ''
      ? []
      : [
          part('start', { type: 'text', text: '' }),
          part('delta', { text }),
          { type: 'content-end', index: 0 },
        ]),
    { type: 'message-end', delta: { finish_reason: reason } },
  ],
});
const part = (type: string, content: object): object => ({
  ...{ type: `content-${type}`, index: 0, delta: { message: { content } } },
});
const cohere: Dialect = {
  name: 'cohere',
  template: chatTemplate({
    ...{ provider: 'cohere', model: 'm' },
    kwargs: { model: 'm', messages: question },
  }),
  environment: (url) => ({ CO_API_URL: url, CO_API_KEY: 'test-provider-key' }),
  stream: sse(true),
  ends: {
    complete: cohereOf('COMPLETE', 'Hi'),
    cutOff: cohereOf('MAX_TOKENS', 'Half'),
    empty: cohereOf('COMPLETE', ''),
    failed: cohereOf('ERROR', ''),
    broken: { events: cohereOf('COMPLETE', 'Half').events?.slice(0, 3) ?? [] },
  },
};

const dialects: readonly Dialect[] = [
  ...doors.filter(({ provider }) => provider !== 'cohere').map(chatLike),
  ...[responses, claude, gemini, bedrock, cohere],
];

const replyIn = (blueprint: unknown): Reply => {
  const prompt = isMapping(blueprint) ? blueprint['prompt_template'] : undefined;
  const messages: unknown = isMapping(prompt) ? prompt['messages'] : undefined;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  const found = isMapping(last) && last['role'] === 'assistant' ? last : {};
  return {
    content: (found['content'] ?? []) as Reply['content'],
    tool_calls: (found['tool_calls'] ?? []) as Reply['tool_calls'],
  };
};

/** What the log says of a run that ended so. */
const logged = (end: End): readonly (string | undefined)[] => {
  if (end === 'complete' || end === 'unknown') return [undefined, undefined];
  if (end === 'cutOff') return ['WARNING', 'PROVIDER_PARTIAL_RESPONSE'];
  return ['ERROR', 'PROVIDER_ERROR'];
};

describe('core: how a run ends', function () {
  this.timeout(60_000);
  for (const { name, template, environment, stream, ends } of dialects) {
    for (const isStreamed of [false, true]) {
      it(`is told to its caller and to the log: ${name}, ${isStreamed ? 'streamed' : 'whole'}`, async () => {
        for (const [end, { whole, events }] of Object.entries(ends) as [End, Reported][]) {
          if (!isStreamed && whole === undefined) continue;
          const isBroken = end === 'broken';
          const script = (): ProviderAnswerScript =>
            isStreamed ? stream(events ?? [whole ?? {}], isBroken) : { body: whole };
          const run = await runOnce({ template, environment, script, stream: isStreamed });
          const { tracked, error } = run;
          const what = `${name}: ${end}: ${error instanceof Error ? error.message : ''} ${JSON.stringify(tracked)}`;
          const [log] = tracked;
          assert.ok(log, what);
          // Some streams say at their end that they have failed.
          const isReported = end === 'failed' && isStreamed && error !== undefined;
          if (end === 'error' || isBroken || isReported) {
            // What had come is kept, as a part of an answer.
            assert.ok(error instanceof Error, what);
            assert.ok(['ERROR', 'WARNING'].includes(String(log['status'])), what);
            assert.match(
              String(log['error_message']),
              isBroken
                ? /before its answer was complete/
                : isReported
                  ? /stopped in the middle/
                  : /Overloaded/,
              what,
            );
            continue;
          }
          assert.equal(error, undefined, what);
          assert.deepEqual([log['status'], log['error_type']], logged(end), what);
          // The blueprint of a whole answer is the service's own.
          const blueprint = run.chunks.at(-2)?.prompt_blueprint;
          if (blueprint === undefined) continue;
          const ending = endingOf(run.result?.raw_response, replyIn(blueprint));
          assert.equal(ending.kind, end, what);
        }
      });
    }
  }
});
