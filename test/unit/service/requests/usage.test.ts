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

  it('counts what has a price of its own, and is unknown where that is', async () => {
    const prices = new Prices();
    const price = (provider: string, model: string, response: object) =>
      prices.priceOf({ provider, model, at }, usageOf(response));
    const million = { prompt_tokens: 1_000_000, completion_tokens: 0 };
    const spoken = { promptTokenCount: 1_000_000, candidatesTokenCount: 0 };
    const audio = [{ modality: 'AUDIO', tokenCount: 1_000_000 }];
    const drawn = { promptTokenCount: 1, candidatesTokenCount: 1_000_000 };
    const images = [{ modality: 'IMAGE', tokenCount: 1_000_000 }];
    const claude = { input_tokens: 1, output_tokens: 0, cache_creation_input_tokens: 1_000_000 };
    const hour = { cache_creation: { ephemeral_1h_input_tokens: 1_000_000 } };
    const cases: readonly (readonly [string, string, object, number | null])[] = [
      ['google', 'gemini-2.5-flash', { usageMetadata: spoken }, 0.3],
      [
        'google',
        'gemini-2.5-flash',
        { usageMetadata: { ...spoken, promptTokensDetails: audio } },
        1,
      ],
      [
        'google',
        'gemini-2.5-flash-image',
        { usageMetadata: { ...drawn, candidatesTokensDetails: images } },
        30,
      ],
      // Its sound has a price that the list does not know.
      [
        'openai',
        'gpt-4o-audio-preview',
        { usage: { ...million, prompt_tokens_details: { audio_tokens: 5 } } },
        null,
      ],
      ['anthropic', 'claude-sonnet-4-20250514', { usage: claude }, 3.75],
      ['anthropic', 'claude-sonnet-4-20250514', { usage: { ...claude, ...hour } }, 6],
      [
        'anthropic',
        'claude-sonnet-4-20250514',
        { usage: { ...claude, server_tool_use: { web_search_requests: 1_000 } } },
        13.75,
      ],
      ['openai', 'gpt-4o', { usage: million, service_tier: 'default' }, 2.5],
      ['openai', 'gpt-4o', { usage: million, service_tier: 'flex' }, null],
      ['openai', 'gpt-4o', { usage: million, service_tier: 'priority' }, null],
      [
        'anthropic',
        'claude-sonnet-4-20250514',
        { usage: { ...claude, service_tier: 'batch' } },
        null,
      ],
      ['openrouter', 'x', { usage: { ...million, cost: 0 } }, 0],
      [
        'openrouter',
        'x',
        {
          usage: {
            ...{ cost: 0.25, is_byok: true, cost_details: { upstream_inference_cost: 0.5 } },
          },
        },
        0.75,
      ],
      ['openrouter', 'x', { usage: { cost: 0, is_byok: true } }, null],
      ['openai', 'sonar', { usage: { ...million, cost: { total_cost: 0.5 } } }, 0.5],
      // Half of the counts, none, zeros, and counts that contradict each other.
      ['openai', 'gpt-4o', { usage: { prompt_tokens: 5 } }, null],
      ['openai', 'gpt-4o', { usage: { completion_tokens: 5 } }, null],
      ['openai', 'gpt-4o', { usage: { total_tokens: 5 } }, null],
      ['openai', 'gpt-4o', { usage: { prompt_tokens: 0, completion_tokens: 0 } }, null],
      ['openai', 'gpt-4o', { usage: { prompt_tokens: 0, completion_tokens: 5 } }, null],
      ['openai', 'gpt-4o', { usage: {} }, null],
      [
        'google',
        'gemini-2.5-flash',
        {
          usageMetadata: {
            promptTokenCount: 1,
            candidatesTokenCount: 1,
            promptTokensDetails: audio,
          },
        },
        null,
      ],
      ...['vllm', 'ollama', 'lmstudio', 'mine'].map(
        (provider) => [provider, 'gpt-4o', { usage: million }, null] as const,
      ),
    ];
    for (const [provider, model, response, expected] of cases) {
      const found = await price(provider, model, response);
      const what = `${provider} ${model} ${JSON.stringify(response)}: ${String(found)}`;
      if (expected === null) assert.equal(found, null, what);
      else assert.ok(found !== null && Math.abs(found - expected) < 0.001, what);
    }
  });

  it('is that of all tokens, also of those that are in the total alone', () => {
    const counts = (usage: object) => {
      const { inputTokens, outputTokens } = usageOf({ usage });
      return [inputTokens, outputTokens];
    };
    const thoughts = { completion_tokens_details: { reasoning_tokens: 500 } };
    assert.deepEqual(
      [
        { prompt_tokens: 100, completion_tokens: 10, total_tokens: 610, ...thoughts },
        { prompt_tokens: 100, total_tokens: 100 },
        { prompt_tokens: 100, total_tokens: 130 },
        { completion_tokens: 30, total_tokens: 130 },
        { prompt_tokens: 100, completion_tokens: 30, total_tokens: 0 },
        { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
      ].map(counts),
      [
        [100, 510],
        [100, 0],
        [100, 30],
        [100, 30],
        [100, 30],
        [null, null],
      ],
    );
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
