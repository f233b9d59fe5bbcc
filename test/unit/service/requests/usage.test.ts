import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Prices } from '../../../../src/service/requests/prices.ts';
import type { Usage } from '../../../../src/service/requests/usage.ts';
import { noUsage, usageOf } from '../../../../src/service/requests/usage.ts';

const tokens = (response: unknown): (number | null)[] => {
  const { inputTokens, outputTokens, cachedTokens, thinkingTokens } = usageOf(response);
  return [inputTokens, outputTokens, cachedTokens, thinkingTokens];
};

describe('service: tokens of an answer', () => {
  it('are read as each provider counts them', () => {
    const cases: [string, object, (number | null)[]][] = [
      [
        'OpenAI chat',
        {
          usage: {
            prompt_tokens: 10,
            completion_tokens: 5,
            prompt_tokens_details: { cached_tokens: 4 },
            completion_tokens_details: { reasoning_tokens: 3 },
          },
        },
        [10, 5, 4, 3],
      ],
      [
        'OpenAI responses',
        {
          usage: {
            input_tokens: 10,
            output_tokens: 5,
            input_tokens_details: { cached_tokens: 4 },
            output_tokens_details: { reasoning_tokens: 3 },
          },
        },
        [10, 5, 4, 3],
      ],
      [
        'Anthropic',
        {
          usage: {
            input_tokens: 10,
            output_tokens: 5,
            cache_read_input_tokens: 4,
            cache_creation_input_tokens: 2,
          },
        },
        [16, 5, 4, null],
      ],
      [
        'Gemini',
        {
          usageMetadata: {
            promptTokenCount: 10,
            candidatesTokenCount: 5,
            thoughtsTokenCount: 3,
            cachedContentTokenCount: 4,
          },
        },
        [10, 8, 4, 3],
      ],
      [
        'Bedrock',
        { usage: { inputTokens: 10, outputTokens: 5, cacheReadInputTokens: 4 } },
        [14, 5, 4, null],
      ],
      [
        'Cohere',
        { usage: { tokens: { input_tokens: 10, output_tokens: 5 } } },
        [10, 5, null, null],
      ],
      ['nobody', { usage: { something: 1 } }, [null, null, null, null]],
      ['nothing', {}, [null, null, null, null]],
    ];
    for (const [name, response, expected] of cases) {
      assert.deepEqual(tokens(response), expected, name);
    }
  });

  it('are read out of anything without an error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (usage) => {
        usageOf({ usage });
        usageOf({ usageMetadata: usage });
        usageOf(usage);
      }),
    );
  });
});

describe('service: price of a request', () => {
  const at = Date.parse('2026-03-01T00:00:00Z');
  const usage: Usage = {
    ...noUsage,
    inputTokens: 1_000_000,
    outputTokens: 1_000_000,
    cachedTokens: 500_000,
  };

  it('comes from the list, cheaper for what was cached, and never is nothing by ignorance', async () => {
    const prices = new Prices();
    const price = (provider: string, model: string, given = usage) =>
      prices.priceOf({ provider, model, at }, given);
    const [whole, cached] = [
      await price('openai', 'gpt-4o', { ...usage, cachedTokens: 0 }),
      await price('openai', 'gpt-4o'),
    ];
    assert.ok(whole !== null && cached !== null && cached < whole);
    for (const [provider, model] of [
      ['openai.azure', 'gpt-4o'],
      ['anthropic', 'claude-sonnet-4-20250514'],
      ['vertexai', 'gemini-2.5-flash'],
      ['amazon.bedrock', 'anthropic.claude-3-5-sonnet-20240620-v1:0'],
    ] as const) {
      assert.notEqual(await price(provider, model), null, provider);
    }
    assert.equal(await price('openai', 'no-such-model'), null);
    assert.equal(await price('ollama', 'llama3'), null);
    assert.equal(await price('openai', 'gpt-4o', noUsage), null);
    assert.equal(await price('openrouter', 'x', { ...usage, price: 0.5 }), 0.5);
  });

  it('is one’s own where that is known', async () => {
    const prices = new Prices({
      'openai/gpt-4o': { input: 1, output: 2, cached_input: 0.5 },
      local: { input: 0, output: 0 },
    });
    const price = (provider: string, model: string) =>
      prices.priceOf({ provider, model, at }, usage);
    assert.equal(await price('openai', 'gpt-4o'), 0.5 + 0.25 + 2);
    assert.equal(await price('ollama', 'local'), 0);
  });
});
