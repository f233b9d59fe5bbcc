/** What a prompt says of where its requests go is left out; what it asks the model is not. */
import assert from 'node:assert/strict';
import {
  ignoredInWords,
  namesInWords,
  steeringIn,
  withoutSteering,
} from '../../../../src/core/destination/steering.ts';
import {
  nestings,
  spellings,
  steeringWords,
  unmistakable,
} from '../../../support/canaries/parameters.ts';

const bait = { url: 'http://127.0.0.1:9', mark: 'bait-4f9d' };

describe('core: parameters that would steer a call', () => {
  it('are left out in every spelling, wherever parameters stand', () => {
    let count = 0;
    for (const { words, value } of steeringWords) {
      for (const spell of spellings) {
        for (const [where, nest] of Object.entries(nestings)) {
          const given = nest({ [spell(words)]: value(bait), temperature: 1 });
          const { kept, ignored } = withoutSteering(given);
          assert.deepEqual(kept, nest({ temperature: 1 }), `${spell(words)} in ${where}`);
          assert.equal(ignored.length, 1);
          assert.ok(ignored[0]?.endsWith(spell(words)));
          count += 1;
        }
      }
    }
    assert.ok(count > 15_000, String(count));
  });

  it('are left out inside of anything unknown too, when they can mean nothing else', () => {
    const found = steeringWords.filter(({ words }) => unmistakable(words));
    assert.ok(found.length > 50);
    for (const { words, value } of found) {
      for (const spell of spellings) {
        const own = { [spell(words)]: value(bait) };
        const { kept } = withoutSteering({
          reasoning: { inner: own, list: [[own], { own }] },
          stream_options: own,
        });
        assert.deepEqual(
          kept,
          { reasoning: { inner: {}, list: [[{}], { own: {} }] }, stream_options: {} },
          spell(words),
        );
      }
    }
  });

  it('leave what a model is asked as it is, whatever names the author has given', () => {
    const schema = {
      type: 'object',
      properties: { base_url: {}, headers: {}, region: {}, api_key: {}, endpoint: {} },
    };
    const asked = {
      model: 'm',
      messages: [{ role: 'user', content: 'base_url', base_url: 'x' }],
      tools: [
        { type: 'function', function: { name: 'f', parameters: schema } },
        { type: 'mcp', server_label: 'l', server_url: 'https://mcp.example', headers: { a: 'b' } },
      ],
      tool_choice: { type: 'function', function: { name: 'f' } },
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
      text: { format: { type: 'json_schema', schema } },
      web_search_options: { user_location: { approximate: { region: 'Bavaria', city: 'M' } } },
      generation_config: {
        responseJsonSchema: schema,
        system_instruction: { parts: [{ text: 'host' }] },
        max_output_tokens: 3,
      },
      metadata: { region: 'eu' },
      max_tokens: 1,
      max_completion_tokens: 2,
      prompt_cache_key: 'k',
      user: 'u',
      stop: ['url'],
      logit_bias: { 50256: -100 },
      reasoning: { effort: 'low' },
      thinking: { type: 'enabled', budget_tokens: 5 },
      provider: { order: ['a'], allow_fallbacks: false },
      service_tier: 'auto',
      stream_options: { include_usage: true },
      audio: { voice: 'v', format: 'mp3' },
      safety_settings: [{ category: 'c', threshold: 't' }],
      guardrailConfig: { guardrailIdentifier: 'g' },
      performanceConfig: { latency: 'optimized' },
      betas: ['b'],
    };
    assert.deepEqual(withoutSteering(asked), { kept: asked, ignored: [] });
  });

  it('keeps names apart from what objects inherit, and ends with whatever is deep', () => {
    const given = JSON.parse('{"__proto__": {"base_url": 1, "x": 2}, "constructor": 3}') as Record<
      string,
      unknown
    >;
    const { kept, ignored } = withoutSteering(given);
    assert.deepEqual(Object.keys(kept), ['__proto__', 'constructor']);
    assert.equal(({} as { x?: unknown }).x, undefined);
    assert.deepEqual(ignored, ['__proto__.base_url']);
    let deep: unknown = { base_url: 'x' };
    for (let at = 0; at < 50_000; at += 1) deep = at % 2 === 0 ? { a: deep } : [deep];
    const cut = withoutSteering({ a: deep });
    assert.doesNotMatch(JSON.stringify(cut.kept), /base_url/);
  });

  it('are named once, in one line of bounded length', () => {
    assert.deepEqual(steeringIn({ base_url: 1 }, { base_url: 2, region: 3 }, null, 'x'), [
      'base_url',
      'region',
    ]);
    assert.equal(
      ignoredInWords(['base_url']),
      "Ignored parameters: base_url. Prompts can't set where requests are sent.",
    );
    const strange = Array.from(
      { length: 30 },
      (_, at) => `a\n\u202e${'x'.repeat(200)}${String(at)}`,
    );
    const line = namesInWords(strange);
    assert.ok(line.length < 700);
    assert.doesNotMatch(line, /[\n\u202e]/);
    assert.match(line, /\(\+22\)$/);
  });
});
