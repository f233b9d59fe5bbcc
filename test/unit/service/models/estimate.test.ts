import assert from 'node:assert/strict';
import { estimateCost } from '../../../../src/service/models/estimate.ts';
import { Prices } from '../../../../src/service/requests/prices.ts';

/** $1 a token that goes in, $1,000 a token that comes out: whole dollars tell them apart. */
const prices = new Prices({ 'openai/m': { input: 1e6, output: 1e9 } });

const tokensOf = async (kwargs: Record<string, unknown>, apiType?: string) => {
  const usd = await estimateCost(prices, { provider: 'openai', model: 'm', kwargs, apiType });
  assert.ok(usd !== null);
  return { input: Math.round(usd % 1000), output: Math.floor(usd / 1000) };
};

describe('the estimate of what a call costs', () => {
  it('takes the limit of the answer, wherever a provider has it', async () => {
    for (const kwargs of [
      { max_tokens: 7 },
      { max_completion_tokens: 7 },
      { generationConfig: { maxOutputTokens: 7 } },
      { inferenceConfig: { maxTokens: 7 } },
    ]) {
      assert.equal((await tokensOf(kwargs)).output, 7, JSON.stringify(kwargs));
    }
    assert.equal((await tokensOf({})).output, 1024);
    assert.equal((await tokensOf({ input: ['a'] }, 'embeddings')).output, 0);
  });

  it('counts a text generously and a picture for what it is', async () => {
    const text = 'word '.repeat(100);
    const { input } = await tokensOf({ messages: [{ role: 'user', content: text }] });
    assert.ok(input >= 100 && input < 250, String(input));
    const picture = `data:image/png;base64,${'A'.repeat(3_000_000)}`;
    const usd = await estimateCost(prices, {
      provider: 'openai',
      model: 'm',
      kwargs: { max_tokens: 1, messages: [{ content: [{ image_url: { url: picture } }] }] },
    });
    assert.ok(usd !== null && usd < 4000, String(usd));
  });

  it('is null for a model whose price nobody knows', async () => {
    const call = { provider: 'openai', model: 'model-of-nobody', kwargs: {} };
    assert.equal(await estimateCost(prices, call), null);
  });
});
