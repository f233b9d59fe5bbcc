import assert from 'node:assert/strict';
import { saidEnding } from '../../../../src/core/providers/ending.ts';
import { shownEnding } from '../../../../src/extension/run-panel/ending.ts';

const chat = (finish: string | null, message: object = {}) => ({
  choices: [{ index: 0, finish_reason: finish, message }],
});

describe('how an answer ended', () => {
  const cases: readonly (readonly [string, unknown, string | undefined])[] = [
    ['OpenAI stop', chat('stop'), undefined],
    ['OpenAI tool calls', chat('tool_calls'), undefined],
    ['OpenAI length', chat('length'), 'length'],
    ['OpenAI filter', chat('content_filter'), 'filtered'],
    ['OpenAI refusal', chat('stop', { refusal: 'I will not.' }), 'refused'],
    ['OpenAI without a word', chat(null), undefined],
    [
      'a second choice',
      // The one that is not shown.
      { choices: [...chat('stop').choices, ...chat('length').choices] },
      undefined,
    ],
    [
      'Responses length',
      { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      'length',
    ],
    [
      'Responses filter',
      { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      'filtered',
    ],
    [
      'Responses refusal',
      { status: 'completed', output: [{ content: [{ type: 'refusal', refusal: 'No.' }] }] },
      'refused',
    ],
    ['Responses whole', { status: 'completed', incomplete_details: null, output: [] }, undefined],
    ['Anthropic whole', { stop_reason: 'end_turn' }, undefined],
    ['Anthropic tool', { stop_reason: 'tool_use' }, undefined],
    ['Anthropic stop sequence', { stop_reason: 'stop_sequence' }, undefined],
    ['Anthropic length', { stop_reason: 'max_tokens' }, 'length'],
    ['Anthropic window', { stop_reason: 'model_context_window_exceeded' }, 'length'],
    ['Anthropic refusal', { stop_reason: 'refusal' }, 'refused'],
    ['Anthropic pause', { stop_reason: 'pause_turn' }, 'length'],
    ['Gemini whole', { candidates: [{ finishReason: 'STOP' }] }, undefined],
    ['Gemini length', { candidates: [{ finishReason: 'MAX_TOKENS' }] }, 'length'],
    ['Gemini safety', { candidates: [{ finishReason: 'SAFETY' }] }, 'filtered'],
    ['Gemini recitation', { candidates: [{ finish_reason: 'RECITATION' }] }, 'filtered'],
    ['Gemini call', { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] }, 'other'],
    [
      'Gemini blocked prompt',
      { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } },
      'filtered',
    ],
    ['Bedrock whole', { stopReason: 'end_turn' }, undefined],
    ['Bedrock length', { stopReason: 'max_tokens' }, 'length'],
    ['Bedrock guardrail', { stopReason: 'guardrail_intervened' }, 'filtered'],
    ['Mistral length', chat('model_length'), 'length'],
    ['Cohere whole', { finish_reason: 'COMPLETE' }, undefined],
    ['Cohere length', { finish_reason: 'MAX_TOKENS' }, 'length'],
    ['a word that is new', chat('budget_spent'), 'other'],
    ['nothing', null, undefined],
    ['a text', 'stop', undefined],
    ['fields of other types', { choices: 'length', stop_reason: 7, candidates: [null] }, undefined],
  ];
  for (const [name, response, kind] of cases) {
    it(`is ${kind ?? 'whole'}: ${name}`, () => {
      assert.equal(shownEnding(saidEnding(response))?.kind, kind);
    });
  }
});
