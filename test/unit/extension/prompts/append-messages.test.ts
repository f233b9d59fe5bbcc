import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isMapping, mappings } from '../../../../src/core/mapping.ts';
import { renderTemplate } from '../../../../src/core/templates/render-template.ts';
import { textWithMessages } from '../../../../src/extension/prompts/text/append-messages.ts';
import { readText } from '../../../../src/extension/prompts/text/read.ts';

const t = (text: string): string => text;
const documents = ['f-string', 'jinja2'].flatMap((format) =>
  ['\n', '\r\n'].map((end) =>
    [
      '---',
      'prompt: support',
      'template_format: ' + format,
      'input_variables:',
      '  - question',
      '---',
      '',
      '=== user',
      format === 'jinja2' ? '{{ question }}' : '{question}',
      '',
    ].join(end),
  ),
);
const call = {
  ...{ id: 'a', type: 'function' },
  function: { name: 'get_order', arguments: '{"id":7}' },
};

describe('prompts: messages of a conversation in a document', () => {
  it('stay as they were said, whatever is filled in, and leave what is there as it is written', () => {
    const words = fc.constantFrom(
      'Hi',
      '{question}',
      '{{ question }}',
      '{% if %}',
      '=== user',
      '{"a":1}',
      '\n',
      '--- text',
      '🎉',
    );
    const said = fc
      .array(words, { minLength: 1, maxLength: 6 })
      .map((list) => `a ${list.join(' ')} z`);
    fc.assert(
      fc.property(fc.constantFrom(...documents), said, said, (document, first, second) => {
        const messages = [
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Hm.' },
              { type: 'text', text: first },
            ],
            tool_calls: [call],
          },
          {
            role: 'tool',
            name: 'get_order',
            tool_call_id: 'a',
            content: [{ type: 'text', text: second }],
          },
        ];
        const text = textWithMessages(document, messages, t);
        assert.ok(text.startsWith(document.trimEnd()));
        const { draft, problems } = readText(text, t);
        assert.deepEqual(
          problems.filter(({ severity }) => severity === 'error'),
          [],
        );
        assert.ok(draft !== undefined);
        const rendered = renderTemplate(draft.template, { question: 'Where?' });
        const made = mappings(rendered['messages']);
        const textsOf = (message: unknown): unknown =>
          isMapping(message) ? mappings(message['content']).map((part) => part['text']) : undefined;
        assert.deepEqual(made.map(textsOf), [['Where?'], [first], [second]]);
        assert.deepEqual(made[1]?.['tool_calls'], [call]);
        assert.equal(made[2]?.['tool_call_id'], 'a');
      }),
      { numRuns: 200 },
    );
  });

  it('are refused when a prompt would replace something in them', () => {
    const [document = ''] = documents;
    for (const text of ['@@@house rules@@@', '{question} {% endraw %}']) {
      const messages = [{ role: 'user', content: [{ type: 'text', text }] }];
      assert.throws(() => textWithMessages(document, messages, t), /would replace/);
    }
  });
});
