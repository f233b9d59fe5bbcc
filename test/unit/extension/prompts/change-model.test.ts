import assert from 'node:assert/strict';
import { textWithModel } from '../../../../src/extension/prompts/text/change-model.ts';
import { readText } from '../../../../src/extension/prompts/text/read.ts';
import { isMapping } from '../../../../src/core/mapping.ts';

const t = (message: string): string => message;
const messages = '\n=== user\nWhat is {a}? # no comment\n\n=== assistant\n---x\n';
const text = `---
# Asked by everybody.
prompt: answer   # the name
version: 3
input_variables: [a]

model:
  provider: openai
  name: gpt-5 # the old one
  parameters:
    # low, for facts
    temperature: 0.2
    odd: { a: [1, 0.1] }
response_format:
  type: json_object
tags: [ a,b ]   # both
---
${messages}`;

const modelIn = (written: string) => {
  const reading = readText(written, t);
  assert.deepEqual(reading.problems, []);
  const model = reading.draft?.metadata['model'];
  assert.ok(isMapping(model));
  return model;
};
const change = (
  given: string,
  parameters: Readonly<Record<string, unknown>>,
  model?: { provider: string; name: string },
) => textWithModel(given, { parameters, summary: '', ...(model !== undefined && { model }) }, t);

describe('prompt documents: another model or other parameters', () => {
  it('change what is meant, and no other line, comment or message', () => {
    const written = change(text, { temperature: 0.7, top_p: 0.5 });
    const expected = text
      .replace('temperature: 0.2', 'temperature: 0.7')
      .replace('0.1] }\n', '0.1] }\n    top_p: 0.5\n');
    assert.equal(
      written.replaceAll(/(?<=\[) | (?=\])/g, ''),
      expected.replaceAll(/(?<=\[) | (?=\])/g, ''),
    );
  });

  it('put tools and their choice at the top, and take the older form away', () => {
    const tool = { type: 'function', function: { name: 'find', parameters: { type: 'object' } } };
    const toolChoice = { type: 'function', function: { name: 'find' } };
    const tooled = (given: string, wanted: object) =>
      textWithModel(given, { parameters: {}, summary: '', ...wanted }, t);
    const written = tooled(text, { tools: [tool], toolChoice });
    const { draft } = readText(written, t);
    assert.deepEqual(draft?.template['tools'], [tool]);
    assert.deepEqual(draft.template['tool_choice'], toolChoice);
    assert.ok(written.startsWith('---\n# Asked by everybody.\nprompt: answer   # the name\n'));
    assert.match(written, /tags: \[ a,b \] {3}# both/);
    const without = readText(tooled(written, { tools: [] }), t).draft?.template;
    assert.deepEqual([without?.['tools'], without?.['tool_choice']], [undefined, undefined]);
    const older = text.replace('tags:', 'functions: [{ name: old }]\nfunction_call: auto\ntags:');
    const newer = readText(tooled(older, { tools: [tool] }), t).draft?.template;
    assert.deepEqual([newer?.['functions'], newer?.['tools']], [undefined, [tool]]);
  });

  it('put the format of the answer where it stands', () => {
    const written = change(text, { response_format: { type: 'text' } });
    assert.match(written, /\nresponse_format:\n {2}type: text\n/);
    assert.deepEqual(modelIn(written)['parameters'], {
      ...{ temperature: 0.2, odd: { a: [1, 0.1] }, response_format: { type: 'text' } },
    });
    const bare = '---\nprompt: a\nmodel: { provider: x, name: y }\n---\n\n=== user\nHi\n';
    const first = change(bare, { response_format: { type: 'text' } });
    assert.deepEqual(modelIn(first)['parameters'], { response_format: { type: 'text' } });
  });

  it('begin another model with nothing of the one before but the format of the answer', () => {
    const model = { provider: 'anthropic', name: 'claude' };
    const written = change(text, { max_tokens: 9 }, model);
    assert.deepEqual(modelIn(written), {
      ...{ ...model, parameters: { max_tokens: 9, response_format: { type: 'json_object' } } },
    });
    assert.ok(written.endsWith(messages));
    assert.match(written, /# Asked by everybody\./);
  });

  it('keep Windows line ends, take what stands there as null or in braces, and odd texts', () => {
    const windows = change(text.replaceAll('\n', '\r\n'), { temperature: 1 });
    assert.equal(windows.replaceAll('\r\n', ''), windows.replaceAll(/[\r\n]/g, ''));
    for (const parameters of ['', ' {}', ' null']) {
      const given = `---\nprompt: a\nmodel:\n  provider: x\n  name: y\n  parameters:${parameters}\n---\n\n=== user\nHi\n`;
      const stop = ['\n', '---', 'a: b', '# c', '\u2028'];
      assert.deepEqual(modelIn(change(given, { stop }))['parameters'], { stop });
    }
  });

  it('are refused, not half done, where the text has no place for them', () => {
    const place = (front: string) => `---\nprompt: a\n${front}\n---\n\n=== user\nHi\n`;
    for (const given of [
      'no front matter',
      place('model: [broken'),
      place('model: text'),
      place(
        'metadata: { x: &x { temperature: 1 } }\nmodel:\n  provider: x\n  name: y\n  parameters: *x',
      ),
    ]) {
      assert.throws(() => change(given, { temperature: 0.5 }), /can't be written/, given);
    }
  });
});
