import assert from 'node:assert/strict';
import type { Template } from '../../../../src/api/template.ts';
import { argumentsFor } from '../../../../src/core/kwargs/arguments-for.ts';
import { chooseModel } from '../../../../src/core/kwargs/choose-model.ts';
import type { Mapping } from '../../../../src/core/mapping.ts';
import { withGivenTools } from '../../../../src/core/run/given-tools.ts';
import { givenOptions } from '../../../../src/core/run/given.ts';
import type { RunFields } from '../../../../src/core/run/options.ts';

const tool = (name: string) => ({
  type: 'function',
  function: { name, description: 'Does it', parameters: { type: 'object', properties: {} } },
});
const message = { role: 'user', content: [{ type: 'text', text: 'Hi' }] };

function templateOf(provider: string, prompt: object = {}, apiType?: string): Template {
  const metadata = {
    model: {
      provider,
      name: 'm',
      parameters: {},
      ...(apiType !== undefined && { api_type: apiType }),
    },
  };
  const prompt_template = { type: 'chat', messages: [message], tools: [tool('own')], ...prompt };
  const { model } = chooseModel(metadata, {});
  const made = argumentsFor(prompt_template, model, undefined);
  return { id: 1, prompt_name: 'p', prompt_template, metadata, llm_kwargs: { ...made, kept: 1 } };
}
const changed = (template: Template, options: Pick<RunFields, 'tools' | 'toolChoice'>): Mapping => {
  const given = givenOptions({
    promptName: 'p',
    inputVariables: { more: [tool('filled')] },
    ...options,
  });
  return withGivenTools(template, given).llm_kwargs as Mapping;
};
const named = { type: 'function', function: { name: 'find' } };

/** What each API is sent, of the choice of a function, of any, and of none. */
const families: Readonly<
  Record<
    string,
    { api?: string; choiceIn: (kwargs: Mapping) => unknown; words: readonly unknown[] }
  >
> = {
  openai: { choiceIn: (kwargs) => kwargs['tool_choice'], words: [named, 'required', 'none'] },
  'openai responses': {
    api: 'responses',
    choiceIn: (kwargs) => kwargs['tool_choice'],
    words: [{ type: 'function', name: 'find' }, 'required', 'none'],
  },
  mistral: { choiceIn: (kwargs) => kwargs['tool_choice'], words: [named, 'any', 'none'] },
  openrouter: { choiceIn: (kwargs) => kwargs['tool_choice'], words: [named, 'required', 'none'] },
  ollama: { choiceIn: (kwargs) => kwargs['tool_choice'], words: [named, 'required', 'none'] },
  anthropic: {
    choiceIn: (kwargs) => kwargs['tool_choice'],
    words: [{ type: 'tool', name: 'find' }, { type: 'any' }, { type: 'none' }],
  },
  google: {
    choiceIn: (kwargs) => (kwargs['generation_config'] as Mapping)['tool_config'],
    words: [
      { function_calling_config: { mode: 'ANY', allowed_function_names: ['find'] } },
      { function_calling_config: { mode: 'ANY' } },
      { function_calling_config: { mode: 'NONE' } },
    ],
  },
  'amazon.bedrock': {
    choiceIn: (kwargs) => (kwargs['toolConfig'] as Mapping)['toolChoice'],
    words: [{ tool: { name: 'find' } }, { any: {} }],
  },
  cohere: { choiceIn: (kwargs) => kwargs['tool_choice'], words: [undefined, 'REQUIRED', 'NONE'] },
};

describe('core: tools in the place of those of a prompt', () => {
  for (const [name, { api, choiceIn, words }] of Object.entries(families)) {
    it(`are sent with their choice in the words of ${name}, and all else stays`, () => {
      const template = templateOf(name.split(' ')[0] ?? name, {}, api);
      const choices = ['find', 'required', 'none'];
      for (const [at, word] of words.entries()) {
        if (word === undefined) continue;
        const kwargs = changed(template, { tools: [tool('find')], toolChoice: choices[at] });
        assert.deepEqual(choiceIn(kwargs), word);
        assert.match(JSON.stringify(kwargs), /"find"/);
        assert.doesNotMatch(JSON.stringify(kwargs), /"own"/);
        assert.equal(kwargs['kept'], 1);
      }
      const none = JSON.stringify(changed(template, { tools: [] }));
      assert.doesNotMatch(none, /"own"|tool/i);
      assert.deepEqual(
        changed(templateOf(name.split(' ')[0] ?? name, { tools: [] }, api), {
          tools: [tool('own')],
        }),
        template.llm_kwargs,
      );
    });
  }

  it('leave what the service has merged into the same arguments', () => {
    const template = templateOf('google');
    const { generation_config: config, ...rest } = template.llm_kwargs as Mapping;
    const merged = { ...rest, generation_config: { ...(config as Mapping), temperature: 0.4 } };
    const kwargs = changed({ ...template, llm_kwargs: merged }, { toolChoice: 'none' });
    assert.equal((kwargs['generation_config'] as Mapping)['temperature'], 0.4);
  });

  it('are filled in, and take the place of the older form', () => {
    const kwargs = changed(templateOf('openai'), { tools: [{ type: 'variable', name: 'more' }] });
    assert.match(JSON.stringify(kwargs['tools']), /"filled"/);
    const older = templateOf('openai', { tools: undefined, functions: [tool('old').function] });
    assert.deepEqual(changed(older, { toolChoice: 'required' })['tool_choice'], 'required');
  });

  it('are refused where nothing would be sent of them', () => {
    const refused = (template: Template, options: Parameters<typeof changed>[1], words: RegExp) =>
      assert.throws(() => changed(template, options), words);
    refused(templateOf('openai', { tools: [] }), { toolChoice: 'none' }, /no tools/);
    refused(templateOf('openai'), { toolChoice: 'gone' }, /gone/);
    refused(templateOf('openai', { type: 'completion' }), { tools: [] }, /completion/);
    const registry = [{ type: 'registry', name: 'x' }];
    refused(templateOf('openai', { tools: registry }), { toolChoice: 'auto' }, /tool registry/);
    assert.throws(() => givenOptions({ promptName: 'p', tools: 'x' as never }), /tools/);
    assert.throws(() => givenOptions({ promptName: 'p', toolChoice: 1 as never }), /toolChoice/);
  });
});
