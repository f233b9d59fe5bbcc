import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ExactNumber } from '../../../../src/core/index.ts';
import type { PromptDraft } from '../../../../src/extension/prompts/text/draft.ts';
import {
  completedContent,
  draftOf,
  isSameContent,
  metadataOf,
} from '../../../../src/extension/prompts/text/draft.ts';
import { readText } from '../../../../src/extension/prompts/text/read.ts';
import { writeText } from '../../../../src/extension/prompts/text/write.ts';
import { t } from '../words.ts';

const read = (text: string) => readText(text, t);
const errorsOf = (text: string): readonly string[] =>
  read(text)
    .problems.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);

function roundTrip(draft: PromptDraft): void {
  const text = writeText(draft);
  const reading = read(text);
  assert.deepEqual(reading.draft, draft, text);
  assert.equal(writeText(draft), text);
}

const unusual = fc.constantFrom(
  '=== user',
  '--- text',
  '--- image_url {"a": 1}',
  '\\=== user',
  '---',
  '',
  ' ',
  '{name}',
  '{{ name }}',
  '{% if a %}x{% endif %}',
  '@@@snippet@@@',
  '\r',
  '\u2028',
  '\ufeff',
  '\t- x: y',
  '# no heading',
  '<<<<<<< mine',
  '日本語 😀',
);
const line = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), unusual);
/** A conflict's marks are refused on purpose. */
const text = fc
  .array(line, { maxLength: 6 })
  .map((lines) => lines.join('\n'))
  .filter((made) => !/^(?:<{7} |={7}$|>{7} )/m.test(made));
const exact = fc.constantFrom(
  new ExactNumber('9007199254740993'),
  new ExactNumber('0.12345678901234567890'),
);
const key = fc.oneof(
  fc.string(),
  fc.constantFrom('name', 'null', 'true', '<<', '1', '- x', 'a: b'),
);
const { tree: value } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(
      fc.boolean(),
      fc.constant(null),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      text,
      exact,
    ),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 3 }),
  ),
}));
const present = value.filter((made) => made !== null);
const record = (own: fc.Arbitrary<unknown> = present) => fc.dictionary(key, own, { maxKeys: 3 });

const part = fc.oneof(
  { weight: 4, arbitrary: text.map((made) => ({ type: 'text', text: made })) },
  fc.tuple(text, record()).map(([made, rest]) => ({ ...rest, type: 'text', text: made })),
  fc
    .tuple(
      fc.constantFrom('image_url', 'media', 'thinking', 'tool_calls', 'json', 'Odd Type'),
      record(value),
    )
    .map(([type, rest]) => ({ ...rest, type })),
  record(value),
);
const content = fc.oneof(
  { weight: 6, arbitrary: fc.array(part, { maxLength: 4 }) },
  fc.constant(undefined),
  fc.string(),
);
const format = fc.constantFrom('f-string', 'jinja2', undefined);
const calls = fc.array(
  record(value).map((made) => ({ ...made, id: 'c1', type: 'function' })),
  { maxLength: 2 },
);
const message = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        role: fc.constantFrom('system', 'user', 'assistant', 'tool', 'placeholder', 'Odd', 'json'),
        name: fc.string(),
        content,
        template_format: format,
        input_variables: fc.array(fc.constantFrom('a', 'name', 'b')),
        tool_calls: calls,
        tool_call_id: fc.string(),
        extra: present,
      },
      { requiredKeys: ['role'] },
    ),
  },
  record(value),
);
const chat = fc.record(
  {
    type: fc.constant('chat'),
    messages: fc.array(message, { maxLength: 4 }),
    input_variables: fc.array(fc.string(), { maxLength: 3 }),
    tools: fc.oneof(fc.array(value, { maxLength: 2 }), fc.string()),
    tool_choice: fc.oneof(fc.string(), record(), fc.integer()),
    functions: fc.array(value, { maxLength: 2 }),
    function_call: fc.string(),
    content: fc.string(),
    template_format: format,
    unknown_field: present,
  },
  { requiredKeys: ['type', 'messages'] },
);
const completion = fc.record(
  {
    type: fc.constant('completion'),
    content: fc.array(part, { maxLength: 4 }),
    template_format: format,
    input_variables: fc.array(fc.string(), { maxLength: 3 }),
    unknown_field: present,
  },
  { requiredKeys: ['type', 'content'] },
);
const model = fc.record(
  {
    provider: fc.string(),
    name: fc.string(),
    parameters: fc.oneof(
      record(value),
      record(value).map((made) => ({ ...made, response_format: { type: 'json_object' } })),
    ),
  },
  { requiredKeys: ['name'] },
);
const metadata = fc.oneof(
  record(value),
  fc
    .tuple(record(value), fc.oneof(model, fc.string()))
    .map(([rest, made]) => ({ ...rest, model: made })),
);
const draft = fc
  .record({
    promptName: fc.string({ minLength: 1, maxLength: 100 }),
    workspace: fc.oneof(fc.constant('local'), fc.webUrl()),
    version: fc.integer({ min: 1 }),
    tags: fc.array(fc.string(), { maxLength: 3 }),
    metadata: metadata.map(metadataOf),
    template: fc.oneof(chat, completion).map((made) => completedContent(structuredCloneOf(made))),
  })
  .map((made): PromptDraft => made);

/** fast-check's dictionaries have no prototype, what JSON makes has one. */
function structuredCloneOf<Value>(made: Value): Value {
  if (Array.isArray(made)) return made.map(structuredCloneOf) as Value;
  if (typeof made !== 'object' || made === null || made instanceof ExactNumber) return made;
  return Object.fromEntries(
    Object.entries(made)
      .filter(([, item]) => item !== undefined)
      .map(([name, item]) => [name, structuredCloneOf(item)]),
  ) as Value;
}

const plain = (made: PromptDraft): PromptDraft => structuredCloneOf(made);

describe('the text of a prompt', () => {
  it('loses nothing, whatever the prompt holds', () => {
    fc.assert(
      fc.property(draft.map(plain), (made) => roundTrip(made)),
      { numRuns: 300 },
    );
  });

  it('loses nothing in an editor that ends lines as Windows does', () => {
    fc.assert(
      fc.property(draft.map(plain), (made) => {
        assert.deepEqual(read(writeText(made).replaceAll('\n', '\r\n')).draft, made);
      }),
      { numRuns: 100 },
    );
  });

  it('is never thrown off by what a person types', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const typed = ['---', 'prompt: p', ...lines].join('\n');
        const { problems, blocks } = read(typed);
        for (const { from, to } of problems) assert.ok(from >= 0 && to >= from);
        assert.ok(Array.isArray(blocks));
      }),
      { numRuns: 500 },
    );
  });

  it('is what a person would write', () => {
    const made = draftOf(
      {
        id: 1,
        prompt_name: 'support/answer',
        version: 3,
        tags: ['support'],
        metadata: {
          model: {
            provider: 'openai',
            name: 'gpt-5',
            parameters: { temperature: 0.2, response_format: { type: 'json_object' } },
          },
        },
        prompt_template: {
          type: 'chat',
          messages: [
            { role: 'system', content: [{ type: 'text', text: 'Be {tone}.' }], name: null },
            { role: 'placeholder', name: 'history', content: null },
            {
              role: 'user',
              template_format: 'jinja2',
              content: [
                { type: 'text', text: '{{ question }}\n' },
                { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
              ],
            },
          ],
          tools: null,
          input_variables: ['tone', 'history', 'question'],
        },
      },
      'local',
    );
    assert.equal(
      writeText(made),
      [
        '---',
        'prompt: support/answer',
        'workspace: local',
        'version: 3',
        'template_format: f-string',
        'tags:',
        '  - support',
        'input_variables:',
        '  - tone',
        '  - history',
        '  - question',
        'model:',
        '  provider: openai',
        '  name: gpt-5',
        '  parameters:',
        '    temperature: 0.2',
        'response_format:',
        '  type: json_object',
        '---',
        '',
        '=== system',
        'Be {tone}.',
        '',
        '=== placeholder {"name":"history"}',
        '',
        '=== user {"template_format":"jinja2"}',
        '{{ question }}',
        '',
        '',
        '--- image_url',
        '{',
        '  "image_url": {',
        '    "url": "https://example.com/a.png"',
        '  }',
        '}',
        '',
      ].join('\n'),
    );
    roundTrip(made);
  });

  it('tells prompts apart by what they hold, not by the order of their fields', () => {
    const one = read('---\nprompt: p\ntags: [a, b]\n---\n=== user\n{x} {y}\n').draft;
    const other = read(
      '---\ntags: [b, a]\nprompt: p\nversion: 2\ninput_variables: [y, x]\n---\n\n=== user\n{x} {y}\n',
    ).draft;
    assert.ok(one !== undefined && other !== undefined);
    assert.ok(isSameContent(one, other));
    const changed = read('---\nprompt: p\ntags: [a, b]\n---\n=== user\n{x} {y}!\n').draft;
    assert.ok(changed !== undefined && !isSameContent(one, changed));
  });

  for (const [what, broken, expected] of [
    ['no front matter', '=== user\nhello\n', /begins with front matter/],
    ['YAML that is none', '---\nprompt: [\n---\n', /not YAML/],
    ['no name', '---\nversion: 1\n---\n', /"prompt" is missing/],
    ['a key that is unknown', '---\nprompt: p\nmodle: x\n---\n', /Unknown key "modle"/],
    ['a value of a wrong type', '---\nprompt: p\nversion: one\n---\n', /"version" isn't valid/],
    [
      'an unknown format',
      '---\nprompt: p\ntemplate_format: mustache\n---\n',
      /isn't a template format/,
    ],
    ['text without a header', '---\nprompt: p\n---\nhello\n', /needs a header/],
    ['an unknown role', '---\nprompt: p\n---\n=== usr\nhello\n', /"usr" isn't a role/],
    ['a message without text', '---\nprompt: p\n---\n=== user\n', /has no text/],
    ['a placeholder without a name', '---\nprompt: p\n---\n=== placeholder\n', /needs a field/],
    ['fields that are no JSON', '---\nprompt: p\n---\n=== user {"a": }\nhello\n', /not JSON/],
    ['a part that is not JSON', '---\nprompt: p\n---\n=== user\nx\n--- media\n{\n', /not JSON/],
    [
      'a conflict',
      '---\nprompt: p\n---\n=== user\n<<<<<<< mine\na\n=======\nb\n>>>>>>> theirs\n',
      /conflict/,
    ],
    [
      'a second completion',
      '---\nprompt: p\ntype: completion\n---\n=== completion\na\n\n=== user\nb\n',
      /one text/,
    ],
  ] as const) {
    it(`says what is wrong: ${what}`, () => {
      const errors = errorsOf(broken);
      assert.equal(errors.length, 1, errors.join('\n'));
      assert.match(errors[0] ?? '', expected);
    });
  }
});
