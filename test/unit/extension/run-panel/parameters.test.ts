import assert from 'node:assert/strict';
import { modelParametersOf } from '../../../../src/core/kwargs/model-parameters.ts';
import {
  parametersPresentation,
  readParameters,
} from '../../../../src/extension/run-panel/parameters.ts';

const t = (message: string, ...args: readonly (string | number)[]): string =>
  message.replace(/\{(\d)\}/g, (_, at: string) => String(args[Number(at)]));
const schema = { type: 'json_object' };
const own = {
  ...{ temperature: 0.2, maxTokens: 50, stop: ['a', 'b'], response_format: schema },
  ...{ parallel_tool_calls: true, odd: { big: 1 } },
};
const known = modelParametersOf({ model: { provider: 'openai', name: 'gpt', parameters: own } });
const read = (name: string, text: string) => readParameters(known, [{ name, text }], t);

describe('run panel: parameters', () => {
  it('are a form of what the model takes, with the values of the prompt', () => {
    assert.ok(known);
    const form = parametersPresentation(known, { isOtherModel: false, savesTo: 'version' });
    const by = (name: string) => form.fields.find((field) => field.name === name);
    assert.deepEqual(by('temperature'), {
      ...{ name: 'temperature', kind: 'number', own: '0.2', min: 0, max: 2 },
    });
    assert.deepEqual(by('maxTokens'), { name: 'maxTokens', kind: 'whole', own: '50', min: 1 });
    assert.equal(by('response_format')?.own, JSON.stringify(schema, null, 2));
    assert.equal(by('top_p')?.own, '');
    assert.deepEqual(JSON.parse(form.others ?? ''), { odd: { big: 1 } });
  });

  it('are sent only where they differ from the prompt, as values of their kind', () => {
    const cases: readonly (readonly [string, string, unknown])[] = [
      ['temperature', ' 0.7 ', 0.7],
      ['temperature', '1e-1', 0.1],
      ['maxTokens', '100', 100],
      ['parallel_tool_calls', 'false', false],
      ['reasoning_effort', 'newest', 'newest'],
      ['stop', '["\\n"]', ['\n']],
      ['stop', '"END"', 'END'],
      ['response_format', '{"type":"text"}', { type: 'text' }],
    ];
    for (const [name, text, value] of cases) {
      assert.deepEqual(read(name, text), { changed: { [name]: value }, faults: [] }, name);
    }
    for (const [name, text] of [
      ['temperature', '0.20'],
      ['maxTokens', ''],
      ['stop', '[ "a","b" ]'],
      ['parallel_tool_calls', 'true'],
    ] as const) {
      assert.deepEqual(read(name, text), { changed: {}, faults: [] }, name);
    }
  });

  it('of a wrong value are refused at their field, in words that say what is right', () => {
    const cases: readonly (readonly [string, string, RegExp])[] = [
      ['temperature', '2.1', /number from 0 to 2/],
      ['temperature', '-1', /number from 0 to 2/],
      ['temperature', '0,5', /number from 0 to 2/],
      ['temperature', 'NaN', /number from 0 to 2/],
      ['temperature', '0x1', /number from 0 to 2/],
      ['temperature', '1e999', /number from 0 to 2/],
      ['maxTokens', '1.5', /whole number of at least 1/],
      ['maxTokens', '0', /whole number of at least 1/],
      ['seed', '9007199254740993', /whole number/],
      ['reasoning_effort', 'very high', /single word/],
      ['parallel_tool_calls', 'yes', /true or false/],
      ['stop', 'END', /JSON list of strings/],
      ['stop', '[]', /JSON list of strings/],
      ['stop', '[1]', /JSON list of strings/],
      ['response_format', '[]', /JSON object/],
      ['response_format', '{"type":', /JSON object/],
      ['response_format', 'null', /JSON object/],
      ['gone', '1', /no longer takes gone/],
    ];
    for (const [name, text, words] of cases) {
      const { changed, faults } = read(name, text);
      assert.deepEqual(changed, {}, `${name} ${text}`);
      assert.deepEqual([faults.length, faults[0]?.name], [1, name], `${name} ${text}`);
      assert.match(faults[0]?.message ?? '', words);
    }
  });
});
