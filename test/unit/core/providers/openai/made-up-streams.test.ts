/** Answers made up at random, cut into events as the protocol has it, put together again. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import { accumulateResponse } from 'openai/lib/responses/ResponseAccumulator';
import { ChatAccumulator } from '../../../../../src/core/providers/openai/chat-accumulator.ts';
import { ResponseAccumulator } from '../../../../../src/core/providers/openai/response-accumulator.ts';
import type { Accumulator } from '../../../../../src/core/providers/provider.ts';
import { callOf } from '../../../../support/providers/playback.ts';
import { recordings } from '../../../../support/providers/recordings/all.ts';

const call = callOf(recordings[0]!);

const fed = (accumulator: Accumulator, events: readonly object[]): Accumulator => {
  for (const data of events) accumulator.add({ name: undefined, data });
  return accumulator;
};

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const pieces = fc.array(text, { minLength: 1, maxLength: 4 });
const name = fc.stringMatching(/^[a-z]{1,8}$/);

const choice = fc.record({
  content: fc.option(pieces),
  refusal: fc.option(pieces),
  calls: fc.array(fc.record({ name, given: pieces }), { maxLength: 3 }),
  finish: fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter'),
});

type Choice = typeof choice extends fc.Arbitrary<infer Made> ? Made : never;

const head = { id: 'chatcmpl-1', created: 1, model: 'm', system_fingerprint: 'fp' };
const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

const chunk = (index: number, delta: object, finish: string | null = null): object => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index, delta, logprobs: null, finish_reason: finish }],
});

/** The deltas of one choice. Those of its calls come by turns. */
function deltasOf({ content, refusal, calls, finish }: Choice, index: number): object[] {
  const begun = calls.map((made, at) => ({
    tool_calls: [
      {
        index: at,
        id: `call_${index}_${at}`,
        type: 'function',
        function: { name: made.name, arguments: '' },
      },
    ],
  }));
  const longest = Math.max(0, ...calls.map(({ given }) => given.length));
  const turns = Array.from({ length: longest }, (_, turn) =>
    calls.flatMap(({ given }, at) => {
      const piece = given[turn];
      return piece === undefined
        ? []
        : [{ tool_calls: [{ index: at, function: { arguments: piece } }] }];
    }),
  ).flat();
  return [
    chunk(index, { role: 'assistant', content: null, refusal: null }),
    ...(content ?? []).map((piece) => chunk(index, { content: piece })),
    ...(refusal ?? []).map((piece) => chunk(index, { refusal: piece })),
    ...[...begun, ...turns].map((delta) => chunk(index, delta)),
    chunk(index, {}, finish),
  ];
}

const wholeOf = (choices: readonly Choice[]): object => ({
  ...head,
  object: 'chat.completion',
  choices: choices.map(({ content, refusal, calls, finish }, index) => ({
    index,
    message: {
      role: 'assistant',
      content: content?.join('') ?? null,
      refusal: refusal?.join('') ?? null,
      ...(calls.length > 0 && {
        tool_calls: calls.map((made, at) => ({
          id: `call_${index}_${at}`,
          type: 'function',
          function: { name: made.name, arguments: made.given.join('') },
        })),
      }),
    },
    logprobs: null,
    finish_reason: finish,
  })),
  usage,
});

/** Lists dealt out by turns: `order` says whose turn it is. */
function dealt(lists: readonly (readonly object[])[], order: readonly number[]): object[] {
  const left = lists.map((list) => [...list]);
  const all: object[] = [];
  for (let turn = 0; left.some((list) => list.length > 0); turn += 1) {
    const open = left.filter((list) => list.length > 0);
    const next = open[(order[turn % order.length] ?? 0) % open.length]?.shift();
    if (next !== undefined) all.push(next);
  }
  return all;
}

async function officialChat(events: readonly object[]): Promise<unknown> {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const stream = new Blob([lines]).stream();
  const completion = await ChatCompletionStream.fromReadableStream(stream).finalChatCompletion();
  const plain = JSON.parse(JSON.stringify(completion)) as {
    choices: { message: { parsed?: unknown; tool_calls?: { function: object }[] } }[];
  };
  for (const { message } of plain.choices) {
    delete message.parsed;
    for (const { function: given } of message.tool_calls ?? []) {
      delete (given as { parsed_arguments?: unknown }).parsed_arguments;
    }
  }
  return plain;
}

const item = fc.oneof(
  fc.record({
    type: fc.constant('message' as const),
    parts: fc.array(
      fc.record({ type: fc.constantFrom('output_text' as const, 'refusal' as const), pieces }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  fc.record({ type: fc.constant('function_call' as const), name, pieces }),
  fc.record({ type: fc.constant('custom_tool_call' as const), name, pieces }),
  fc.record({ type: fc.constant('mcp_call' as const), name, pieces }),
  fc.record({ type: fc.constant('code_interpreter_call' as const), pieces }),
  fc.record({
    type: fc.constant('reasoning' as const),
    summaries: fc.array(pieces, { maxLength: 3 }),
  }),
);

type Item = typeof item extends fc.Arbitrary<infer Made> ? Made : never;
type Slice = readonly [begun: object, events: object[], done: object];

const fields = {
  function_call: ['arguments', 'function_call_arguments'],
  custom_tool_call: ['input', 'custom_tool_call_input'],
  mcp_call: ['arguments', 'mcp_call_arguments'],
  code_interpreter_call: ['code', 'code_interpreter_call_code'],
} as const;

/** An item as it is begun, the events about it, and the item when it is done. */
function slice(made: Item, output_index: number): Slice {
  const id = `item_${output_index}`;
  const at = { item_id: id, output_index };
  const base = { id, type: made.type, status: 'completed' };
  if (made.type === 'message') {
    const content = made.parts.map(({ type, pieces: some }) => partOf(type, some.join('')));
    const events = made.parts.flatMap(({ type, pieces: some }, content_index) => {
      const where = { ...at, content_index };
      const kind = type === 'refusal' ? 'refusal' : 'output_text';
      const field = type === 'refusal' ? 'refusal' : 'text';
      return [
        { type: 'response.content_part.added', ...where, part: partOf(type, '') },
        ...some.map((delta) => ({ type: `response.${kind}.delta`, ...where, delta })),
        { type: `response.${kind}.done`, ...where, [field]: some.join('') },
        { type: 'response.content_part.done', ...where, part: content[content_index] },
      ];
    });
    const message = { ...base, role: 'assistant' };
    return [{ ...message, status: 'in_progress', content: [] }, events, { ...message, content }];
  }
  if (made.type === 'reasoning') {
    const part = (words: string): object => ({ type: 'summary_text', text: words });
    const summary = made.summaries.map((some) => part(some.join('')));
    const events = made.summaries.flatMap((some, summary_index) => {
      const where = { ...at, summary_index };
      return [
        { type: 'response.reasoning_summary_part.added', ...where, part: part('') },
        ...some.map((delta) => ({
          type: 'response.reasoning_summary_text.delta',
          ...where,
          delta,
        })),
        { type: 'response.reasoning_summary_text.done', ...where, text: some.join('') },
        { type: 'response.reasoning_summary_part.done', ...where, part: summary[summary_index] },
      ];
    });
    return [{ id, type: 'reasoning', summary: [] }, events, { id, type: 'reasoning', summary }];
  }
  const [field, kind] = fields[made.type];
  const whole = made.pieces.join('');
  const about = 'name' in made ? { name: made.name, call_id: `call_${output_index}` } : {};
  return [
    { ...base, ...about, status: 'in_progress', [field]: '' },
    [
      ...made.pieces.map((delta) => ({ type: `response.${kind}.delta`, ...at, delta })),
      { type: `response.${kind}.done`, ...at, [field]: whole },
    ],
    { ...base, ...about, [field]: whole },
  ];
}

const partOf = (type: 'output_text' | 'refusal', words: string): object =>
  type === 'refusal' ? { type, refusal: words } : { type, text: words, annotations: [] };

const started = {
  id: 'resp_1',
  object: 'response',
  status: 'in_progress',
  output: [],
  error: null,
};

function withoutText(response: unknown): unknown {
  const plain = JSON.parse(JSON.stringify(response)) as { output_text?: unknown };
  delete plain.output_text;
  return plain;
}

describe('core: made-up answers of OpenAI', () => {
  it('chat: any answer, its choices and calls by turns', async () => {
    const turns = fc.array(fc.nat(7), { minLength: 1, maxLength: 20 });
    const made = fc.array(choice, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(made, turns, async (choices, order) => {
        const events = [
          ...dealt(choices.map(deltasOf), order),
          { ...head, object: 'chat.completion.chunk', choices: [], usage },
        ];
        const accumulator = fed(new ChatAccumulator(call), events);
        const response = accumulator.response();
        assert.ok(accumulator.isWhole);
        assert.deepEqual(response, wholeOf(choices));
        assert.deepEqual(await officialChat(events), JSON.parse(JSON.stringify(response)));
      }),
      { numRuns: 60 },
    );
  });

  it('responses: any items, told by turns, before the last event and after it', () => {
    const turns = fc.array(fc.nat(7), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 4 }), turns, (items, order) => {
        const slices = items.map(slice);
        const added = slices.map(([begun], output_index) => ({
          type: 'response.output_item.added',
          output_index,
          item: begun,
        }));
        const reported = slices.map(([, events, done], output_index) => [
          ...events,
          { type: 'response.output_item.done', output_index, item: done },
        ]);
        const events = [
          { type: 'response.created', response: started },
          ...added,
          ...dealt(reported, order),
        ];
        const output = slices.map(([, , done]) => done);
        const whole = { ...started, status: 'completed', output };
        const accumulator = fed(new ResponseAccumulator('openai'), events);
        const ours = accumulator.response();
        assert.deepEqual(ours, { ...started, output });
        let theirs: unknown;
        for (const event of events) theirs = accumulateResponse(event as never, theirs as never);
        assert.deepEqual(withoutText(ours), withoutText(theirs));

        const before = JSON.stringify(accumulator.reply());
        fed(accumulator, [{ type: 'response.completed', response: whole }]);
        assert.ok(accumulator.isWhole);
        assert.deepEqual(accumulator.response(), whole);
        assert.equal(JSON.stringify(accumulator.reply()), before);
      }),
      { numRuns: 100 },
    );
  });
});
