import assert from 'node:assert/strict';
import { tokensOf } from '../../../../src/extension/run-panel/usage.ts';

describe('run panel: tokens', () => {
  const cases: readonly (readonly [string, unknown, object])[] = [
    ['OpenAI chat', { usage: { prompt_tokens: 3, completion_tokens: 5 } }, { input: 3, output: 5 }],
    [
      'OpenAI responses, whose cached tokens are among the others',
      { usage: { input_tokens: 9, output_tokens: 4, input_tokens_details: { cached_tokens: 6 } } },
      { input: 9, output: 4 },
    ],
    [
      'Anthropic, whose cached tokens are not',
      {
        usage: {
          input_tokens: 1,
          cache_read_input_tokens: 10,
          cache_creation_input_tokens: null,
          output_tokens: 4,
        },
      },
      { input: 11, output: 4 },
    ],
    [
      'Gemini',
      {
        usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 2, thoughtsTokenCount: 30 },
      },
      { input: 7, output: 32 },
    ],
    ['Bedrock', { usage: { inputTokens: 2, outputTokens: 8 } }, { input: 2, output: 8 }],
    [
      'Cohere',
      {
        usage: {
          billed_units: { input_tokens: 1, output_tokens: 1 },
          tokens: { input_tokens: 64, output_tokens: 12 },
        },
      },
      { input: 64, output: 12 },
    ],
    ['nobody', { choices: [] }, {}],
    ['nothing', undefined, {}],
    ['a text', 'usage', {}],
  ];
  for (const [name, response, tokens] of cases) {
    it(`reads those of ${name}`, () => assert.deepEqual(tokensOf(response), tokens));
  }
});
