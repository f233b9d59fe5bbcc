import assert from 'node:assert/strict';
import type { EndingKind } from '../../../../src/core/providers/ending-kinds.ts';
import { describeEnding, endingOf, isAnswer } from '../../../../src/core/providers/ending.ts';
import type { ModelCall } from '../../../../src/core/providers/provider.ts';
import { findProvider } from '../../../../src/core/providers/registry.ts';
import { callOf, providerOf } from '../../../support/providers/playback.ts';
import { recordings } from '../../../support/providers/recordings/all.ts';

const chat = (reason: string | null, message: object | null = { content: 'Hi' }): object => ({
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }],
});
const called = { tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] };
const calling = (call: object): object => ({ content: null, tool_calls: [{ id: 'a', ...call }] });
const halfCall = calling({ function: { name: 'f', arguments: '{"a":' } });
const said = { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] };
const responses = (status: string, output: unknown[] = [said], more: object = {}): object => ({
  ...{ object: 'response', status, output, ...more },
});
const claude = (reason: string, content: unknown[] = [{ type: 'text', text: 'Hi' }]): object => ({
  ...{ type: 'message', content, stop_reason: reason },
});
const thought = { type: 'thinking', thinking: 'Hm', signature: 's' };
const gemini = (reason: string | undefined, parts: object[] = [{ text: 'Hi' }]): object => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: reason }],
});
const converse = (reason: string, content: object[] = [{ text: 'Hi' }]): object => ({
  ...{ output: { message: { role: 'assistant', content } }, stopReason: reason },
});
const cohere = (reason: string, text = 'Hi'): object => ({
  message: { role: 'assistant', content: text === '' ? [] : [{ type: 'text', text }] },
  finish_reason: reason,
});

interface Dialect {
  readonly provider: string;
  readonly apiType?: string;
  readonly model?: string;
  readonly cases: readonly (readonly [EndingKind, unknown])[];
}

const ofChat: Dialect['cases'] = [
  ['complete', chat('stop')],
  ['unknown', chat('a-word-of-tomorrow')],
  ['empty', chat('a-word-of-tomorrow', { content: '' })],
  ['complete', chat(null)],
  ['complete', chat('tool_calls', { content: null, ...called })],
  ['cutOff', chat('length')],
  ['cutOff', chat('length', { content: null, ...called })],
  ['empty', chat('length', { content: '' })],
  ['empty', chat('stop', { content: null })],
  ['empty', chat('stop', { content: ' \n' })],
  ['empty', chat('stop', { content: '', reasoning_content: 'Hm' })],
  ['filtered', chat('content_filter', { content: '' })],
  ['filtered', chat('content_filter')],
  ['refused', chat('stop', { content: null, refusal: 'I must not.' })],
  ['refused', chat('stop', { content: [{ type: 'refusal', refusal: 'I must not.' }] })],
  ['malformed', chat('tool_calls', halfCall)],
  ['malformed', chat('stop', calling({ function: { arguments: '{}' } }))],
  ['cutOff', chat('length', halfCall)],
  ['complete', chat('tool_calls', calling({ function: { name: 'f', arguments: '' } }))],
  [
    'complete',
    chat('tool_calls', calling({ type: 'custom', custom: { name: 'f', input: 'a b' } })),
  ],
  ['failed', chat('error', { content: '' })],
  ['empty', { detail: 'Not Found' }],
  ['empty', { id: 'x', object: 'chat.completion', choices: [] }],
  ['empty', { id: 'x' }],
  ['empty', {}],
];

const dialects: readonly Dialect[] = [
  { provider: 'openai', cases: ofChat },
  { provider: 'openai.azure', cases: ofChat },
  { provider: 'openrouter', cases: ofChat },
  {
    provider: 'mistral',
    cases: [...ofChat, ['cutOff', chat('model_length')]],
  },
  {
    provider: 'openai',
    apiType: 'responses',
    cases: [
      ['complete', responses('completed')],
      ['empty', responses('completed', [])],
      ['empty', responses('completed', [{ type: 'reasoning', summary: [] }])],
      [
        'cutOff',
        responses('incomplete', [said], { incomplete_details: { reason: 'max_output_tokens' } }),
      ],
      [
        'empty',
        responses('incomplete', [], { incomplete_details: { reason: 'max_output_tokens' } }),
      ],
      [
        'filtered',
        responses('incomplete', [], { incomplete_details: { reason: 'content_filter' } }),
      ],
      ['failed', responses('failed', [], { error: { message: 'Overloaded.' } })],
      [
        'refused',
        responses('completed', [
          { type: 'message', content: [{ type: 'refusal', refusal: 'I must not.' }] },
        ]),
      ],
    ],
  },
  {
    provider: 'anthropic',
    cases: [
      ['complete', claude('end_turn')],
      ['complete', claude('tool_use', [{ type: 'tool_use', id: 'a', name: 'f', input: {} }])],
      ['complete', claude('stop_sequence')],
      ['cutOff', claude('pause_turn')],
      ['unknown', claude('a_word_of_tomorrow')],
      ['cutOff', claude('max_tokens')],
      ['cutOff', claude('model_context_window_exceeded')],
      ['empty', claude('max_tokens', [thought])],
      ['empty', claude('end_turn', [])],
      ['refused', claude('refusal', [])],
      ['refused', claude('refusal')],
    ],
  },
  {
    provider: 'google',
    model: 'gemini-2.5-flash',
    cases: [
      ['complete', gemini('STOP')],
      ['complete', gemini('STOP', [{ functionCall: { name: 'f', args: {} } }])],
      ['cutOff', gemini('MAX_TOKENS')],
      ['empty', { candidates: [{ content: { role: 'model' }, finishReason: 'MAX_TOKENS' }] }],
      ['empty', gemini('STOP', [])],
      ['filtered', gemini('SAFETY', [])],
      ['filtered', gemini('RECITATION')],
      ['filtered', gemini('PROHIBITED_CONTENT', [])],
      ['filtered', gemini('SPII', [])],
      ['malformed', gemini('MALFORMED_FUNCTION_CALL', [])],
      ['failed', gemini('OTHER', [])],
      ['filtered', { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: {} }],
      ['filtered', { promptFeedback: { blockReason: 'SAFETY' }, candidates: [] }],
    ],
  },
  {
    provider: 'amazon.bedrock',
    model: 'meta.llama3-8b-instruct-v1:0',
    cases: [
      ['complete', converse('end_turn')],
      ['cutOff', converse('max_tokens')],
      ['empty', converse('end_turn', [])],
      ['filtered', converse('guardrail_intervened')],
      ['filtered', converse('content_filtered', [])],
      ['malformed', converse('malformed_tool_use', [])],
    ],
  },
  {
    provider: 'cohere',
    cases: [
      ['complete', cohere('COMPLETE')],
      ['cutOff', cohere('MAX_TOKENS')],
      ['failed', cohere('ERROR', '')],
      ['failed', cohere('TIMEOUT', '')],
      ['empty', cohere('COMPLETE', '')],
    ],
  },
];

describe('core: how an answer ended', () => {
  for (const { provider, apiType, model = 'm', cases } of dialects) {
    it(`is read in the answers of ${provider}${apiType === undefined ? '' : `, ${apiType}`}`, async () => {
      const call = {
        ...callOf(recordings[0]!),
        ...{ provider, apiType, model, kwargs: { model } },
      } as ModelCall;
      const { replyOf } = await findProvider(call);
      for (const [kind, response] of cases) {
        const ending = endingOf(response, replyOf(response, call));
        assert.equal(ending.kind, kind, JSON.stringify(response));
        const isOne = ['complete', 'cutOff', 'unknown'].includes(kind);
        assert.equal(isAnswer(ending), isOne, kind);
        const sentence = describeEnding(ending, provider);
        if (kind === 'complete' || kind === 'unknown') assert.equal(sentence, undefined);
        else assert.ok(sentence?.startsWith(`The answer of ${provider} `), sentence);
        if (ending.reason !== undefined && sentence !== undefined)
          assert.ok(sentence.includes(ending.reason) || kind === 'refused', sentence);
        if (JSON.stringify(response).includes('I must not.'))
          assert.match(sentence ?? '', /I must not\.$/);
      }
    });
  }

  it('is the same for a stream that was put together', async () => {
    for (const recording of recordings) {
      const provider = await providerOf(recording);
      if (provider.streaming === undefined) continue;
      const call = callOf(recording);
      const accumulator = provider.streaming.accumulator(call);
      for (const data of recording.events) accumulator.add({ name: nameOf(data), data });
      const streamed = endingOf(accumulator.response(), accumulator.reply());
      const whole = endingOf(recording.whole, provider.replyOf(recording.whole, call));
      assert.equal(streamed.kind, whole.kind, recording.title);
      assert.ok(isAnswer(whole) || whole.kind === 'refused', `${recording.title}: ${whole.kind}`);
    }
  });
});

const nameOf = (data: object): string | undefined =>
  'type' in data && typeof data.type === 'string' ? data.type : undefined;
