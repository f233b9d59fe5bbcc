import assert from 'node:assert/strict';
import { modelParametersOf, schemaOf } from '../../../../src/core/kwargs/model-parameters.ts';
import { kwargsOf } from '../../../../src/core/kwargs/kwargs.ts';
import type { ParameterFact } from '../../../../src/core/kwargs/model-parameters.ts';

const metadata = (model: Readonly<Record<string, unknown>>) => ({ model });
const of = (provider: string, parameters: Readonly<Record<string, unknown>> = {}, more = {}) => {
  const found = modelParametersOf(metadata({ provider, name: 'm', parameters, ...more }));
  assert.ok(found);
  return found;
};
const names = (found: ReturnType<typeof of>) => found.parameters.map(({ fact }) => fact.name);

const everyProvider = [
  ...['openai', 'anthropic', 'google', 'mistral', 'cohere', 'xai', 'groq', 'deepseek', 'vscode'],
  ...['openrouter', 'openai.azure', 'anthropic.bedrock', 'amazon.bedrock', 'vertexai', 'ollama'],
];

/** A value that fits. */
function valueFor(fact: ParameterFact): unknown {
  switch (fact.kind) {
    case 'number':
      return fact.min;
    case 'whole':
      return Math.max(1, fact.min ?? 1);
    case 'word':
      return fact.words[0];
    case 'flag':
      return false;
    case 'json':
      return fact.holds === 'texts' ? ['END'] : { type: 'json_object', schema: {} };
  }
}

describe('parameters of models', () => {
  it('reach the arguments of the call, each that a provider is said to take', () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: {} } }];
    const template = { type: 'chat', messages: [{ role: 'user', content: [] }], tools } as const;
    for (const provider of everyProvider) {
      for (const apiType of [undefined, 'responses']) {
        const found = of(provider, {}, { api_type: apiType });
        const model = { provider, name: 'm', apiType };
        const plain = JSON.stringify(kwargsOf(template, { ...model, parameters: {} }));
        for (const { fact } of found.parameters) {
          const value = valueFor(fact);
          assert.ok(schemaOf(fact).safeParse(value).success, `${provider} ${fact.name}`);
          const parameters = { [fact.name]: value };
          const sent = JSON.stringify(kwargsOf(template, { ...model, parameters }));
          assert.notEqual(sent, plain, `${provider} ${String(apiType)}: ${fact.name} is not sent`);
        }
      }
    }
  });

  it('have their own values by any spelling, and are overridden by the one that the prompt has', () => {
    const { parameters, others } = of('google', {
      ...{ maxOutputTokens: 100, temperature: 0.2, top_k: null },
      ...{ safety_settings: [{ a: 1 }], base_url: 'https://evil.example' },
    });
    const by = new Map(parameters.map((one) => [one.fact.name, one]));
    assert.deepEqual(
      [by.get('max_tokens')?.name, by.get('max_tokens')?.own],
      ['maxOutputTokens', 100],
    );
    assert.deepEqual([by.get('top_p')?.name, by.get('top_p')?.own], ['top_p', undefined]);
    assert.equal(by.get('top_k')?.own, undefined);
    // What is not known stays; what would steer the request is shown nowhere.
    assert.deepEqual(others, { safety_settings: [{ a: 1 }] });
  });

  it('that no field can show stay as they are', () => {
    const { parameters, others } = of('openai', { temperature: '0.2', topP: 7, seed: 3 });
    assert.deepEqual(others, { temperature: '0.2', topP: 7 });
    assert.ok(!parameters.some(({ fact }) => ['temperature', 'top_p'].includes(fact.name)));
    assert.equal(parameters.find(({ fact }) => fact.name === 'seed')?.own, 3);
  });

  it('are those of the API and of the model that is asked', () => {
    assert.ok(names(of('openai')).includes('stop'));
    assert.ok(!names(of('openai', {}, { api_type: 'responses' })).includes('stop'));
    assert.deepEqual(names(of('openai', {}, { api_type: 'images' })), []);
    assert.ok(names(of('vertexai', {}, { name: 'claude-x' })).includes('thinking'));
    const own = metadata({
      ...{
        provider: 'openai',
        name: 'gpt',
        parameters: { temperature: 1, response_format: { type: 'text' } },
      },
    });
    const other = modelParametersOf(own, { provider: 'anthropic', model: 'claude' });
    const value = (name: string) => other?.parameters.find(({ fact }) => fact.name === name)?.own;
    assert.deepEqual(
      [value('temperature'), value('response_format')],
      [undefined, { type: 'text' }],
    );
    assert.equal(modelParametersOf(null), undefined);
    assert.equal(modelParametersOf({ model: 'broken' }), undefined);
  });
});
