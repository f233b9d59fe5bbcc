import assert from 'node:assert/strict';
import { checkAnswer } from '../../../../src/extension/run-panel/answer-schema.ts';
import {
  readToolParameters,
  toolFields,
} from '../../../../src/extension/run-panel/tool-parameters.ts';

const t = (message: string, ...args: readonly (string | number)[]): string =>
  message.replace(/\{(\d)\}/g, (_, at: string) => String(args[Number(at)]));
const tool = (name: string, parameters: object = { type: 'object', properties: {} }) => ({
  type: 'function',
  function: { name, description: 'Does it', parameters },
});
const own = { type: 'chat', messages: [], tools: [tool('find')], tool_choice: 'required' };
const openai = { provider: 'openai', name: 'gpt' };
const read = (texts: Readonly<Record<string, string>>, { prompt = own, model = openai } = {}) => {
  const entered = Object.entries(texts).map(([name, text]) => ({ name, text }));
  return readToolParameters({ prompt, model }, entered, t, checkAnswer);
};

describe('run panel: tools and their choice', () => {
  it('are fields with those of the prompt, and what the provider can be told', () => {
    const [tools, choice] = toolFields(own, openai);
    assert.deepEqual(tools, {
      ...{ name: 'tools', kind: 'tools', own: JSON.stringify(own.tools, null, 2) },
    });
    assert.equal(choice?.own, 'required');
    assert.deepEqual(choice.words, ['auto', 'none', 'required', 'find']);
    const wordsOf = (provider: string) => toolFields(own, { provider, name: 'm' })[1]?.words;
    assert.deepEqual(wordsOf('amazon.bedrock'), ['auto', 'required', 'find']);
    assert.deepEqual(wordsOf('cohere'), ['auto', 'none', 'required']);
    assert.deepEqual(toolFields({ type: 'completion' }, openai), []);
    const older = {
      type: 'chat',
      functions: [own.tools[0]?.function],
      function_call: { name: 'find' },
    };
    assert.deepEqual(
      toolFields(older, openai).map((field) => field.own),
      [JSON.stringify(own.tools, null, 2), 'find'],
    );
  });

  it('are sent only where they differ', () => {
    const changed = (texts: Readonly<Record<string, string>>) => {
      const { faults, changed: found } = read(texts);
      assert.deepEqual(faults, []);
      return found;
    };
    assert.deepEqual(changed({ tools: JSON.stringify(own.tools), tool_choice: 'required' }), {});
    assert.deepEqual(changed({ tool_choice: 'none' }), { toolChoice: 'none' });
    const named = { type: 'function', function: { name: 'other' } };
    const two = [...own.tools, tool('other')];
    assert.deepEqual(changed({ tools: JSON.stringify(two), tool_choice: 'other' }), {
      ...{ tools: two, toolChoice: named },
    });
    assert.deepEqual(changed({ tools: '[]' }), { tools: [] });
    const builtIn = [{ type: 'web_search', config: {} }];
    assert.deepEqual(changed({ tools: JSON.stringify(builtIn) }), { tools: builtIn });
  });

  it('that are wrong are refused at their field, with the tool and the place', () => {
    const cases: readonly (readonly [Readonly<Record<string, string>>, string, RegExp])[] = [
      [{ tools: '[{' }, 'tools', /aren't JSON/],
      [{ tools: '{}' }, 'tools', /JSON list/],
      [{ tools: '[1]' }, 'tools', /Tool 1: must be a JSON object/],
      [{ tools: '[{"function":{}}]' }, 'tools', /Tool 1: \/type is missing/],
      [{ tools: JSON.stringify([tool('a'), tool('b c')]) }, 'tools', /Tool 2: \/function\/name/],
      [{ tools: JSON.stringify([tool('a'), tool('a')]) }, 'tools', /Two tools have the name a/],
      [
        { tools: JSON.stringify([tool('a', { type: 'objekt' })]) },
        'tools',
        /\/function\/parameters can't be used as a JSON schema: .*type/,
      ],
      [{ tool_choice: 'gone' }, 'tool_choice', /name of a function/],
      [{ tools: '[]', tool_choice: 'none' }, 'tool_choice', /Add a tool/],
    ];
    for (const [texts, name, words] of cases) {
      const { faults, changed } = read(texts);
      assert.deepEqual([faults.length, faults[0]?.name], [1, name], JSON.stringify(texts));
      assert.match(faults[0]?.message ?? '', words);
      assert.equal(changed.toolChoice, undefined);
    }
    const cohere = { model: { provider: 'cohere', name: 'command' } };
    assert.match(
      read({ tool_choice: 'find' }, cohere).faults[0]?.message ?? '',
      /no choice of one/,
    );
    // The prompt demands a function that was removed here.
    const prompt = { ...own, tool_choice: 'find' };
    const without = JSON.stringify([tool('other')]);
    assert.equal(read({ tools: without }, { prompt }).faults[0]?.name, 'tool_choice');
  });
});
