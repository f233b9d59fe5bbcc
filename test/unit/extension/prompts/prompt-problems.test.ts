import assert from 'node:assert/strict';
import { problemsOf, usedVariables } from '../../../../src/extension/prompts/text/check.ts';
import { snippetsAt, variablesAt } from '../../../../src/extension/prompts/text/names.ts';
import { readText } from '../../../../src/extension/prompts/text/read.ts';
import { t } from '../words.ts';

const document = (front: readonly string[], ...body: readonly string[]): string =>
  ['---', 'prompt: p', ...front, '---', '', ...body, ''].join('\n');

/** Where it is, and what it says. */
const problemsIn = (text: string): readonly (readonly [string, string])[] =>
  problemsOf(readText(text, t), t).map(({ from, to, message }) => [text.slice(from, to), message]);

function only(text: string): readonly [string, string] {
  const problems = problemsIn(text);
  assert.equal(problems.length, 1, JSON.stringify(problems));
  return problems[0] ?? ['', ''];
}

describe('what is wrong in the text of a prompt', () => {
  it('is nothing in a sound one', () => {
    const sound = document(
      [
        'input_variables: [name, history, image, kind]',
        'response_format:',
        '  type: json_schema',
        '  json_schema:',
        '    name: answer',
        '    schema:',
        '      type: object',
        '      properties: {kind: {enum: {type: enum_variable, name: kind}}}',
      ],
      '=== system {"template_format":"jinja2"}',
      '{% for item in name %}{{ item | upper }}{% else %}{{ "}}" }}{% endfor %}{# {{ x }} #}',
      '',
      '=== placeholder {"name":"history"}',
      '',
      '=== user',
      'JSON {"a": 1}, @@@rules@@@ and {name!r}.',
      '',
      '--- media_variable',
      '{"name": "image"}',
    );
    assert.deepEqual(problemsIn(sound), []);
  });

  it('are values that would be read otherwise than they are written, or not at all', () => {
    const twice = (name: string): string => `"${name}" is set twice. Remove one of them.`;
    const model = (...parameters: string[]): readonly string[] => [
      'model:',
      '  provider: openai',
      '  name: m',
      '  parameters:',
      ...parameters.map((line) => `    ${line}`),
    ];
    const odd = 'The value of "model.parameters.a" isn\'t valid: it isn\'t a JSON value';
    const notYaml = (why: string): string => `The front matter is not YAML: ${why}`;
    const calls = '[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]';
    const heads: readonly (readonly [readonly string[], string])[] = [
      [model('a: .inf'), odd],
      [model('a: -.inf'), odd],
      [model('a: .nan'), odd],
      [model('a: !!binary aGk='), odd],
      [model('a: !!timestamp 2024-01-01'), odd],
      [model('a: !!set {a, b}'), odd],
      [model('a: !half 0.5'), notYaml('Unresolved tag: !half')],
      [model('a:', '  1: 5', '  "1": 7'), notYaml('Map keys must be unique')],
      [model('a: &x {b: 1}', 'c:', '  <<: *x'), notYaml('YAML 1.2 has no merge keys (<<)')],
      [model('a:', '  ? {b: 1}', '  : 2'), notYaml('Map keys must be strings')],
      [
        [...model('response_format: {type: text}'), 'response_format: {type: json_object}'],
        twice('response_format'),
      ],
      [[...model('a: 1'), 'metadata: {model: {name: x}}'], twice('model')],
      [['more: {messages: []}'], twice('messages')],
      [['tools: []', 'more: {tools: [1]}'], twice('tools')],
    ];
    for (const [front, message] of heads)
      assert.equal(only(document(front, '=== user', 'Hi'))[1], message, front.join('\n'));
    const bodies: readonly (readonly [readonly string[], string])[] = [
      [['=== assistant', '--- tool_calls', calls, '--- tool_calls', calls], twice('tool_calls')],
      [['=== user {"role":"system"}', 'Hi'], twice('role')],
      [['=== user {"name":"a","name":"b"}', 'Hi'], twice('name')],
      [['=== user', '--- text {"type":"image"}', 'Hi'], twice('type')],
      [['=== user', '--- text {"text":"x"}', 'Hi'], twice('text')],
      [['=== user', '--- media', '{"type":"text","media":{"url":"u"}}'], twice('type')],
      [['=== user', '--- media', '{"media":{"url":"a","url":"b"}}'], twice('url')],
      [['=== user {"content":null}'], 'This message has no text. Write it below its header.'],
    ];
    for (const [body, message] of bodies)
      assert.equal(only(document([], ...body))[1], message, body.join('\n'));
    const header = 'This line is text. To begin a message, write: === assistant';
    for (const line of [
      '=== Assistant',
      '===assistant',
      '=== assistant:',
      ' === assistant',
      '==== ASSISTANT',
    ])
      assert.equal(only(document([], '=== user', 'Hi', '', line, 'Yes'))[1], header, line);
    for (const line of [
      '=== assistant now',
      '== assistant',
      '===',
      '=== Result',
      '\\=== assistant',
    ])
      assert.deepEqual(problemsIn(document([], '=== user', 'Hi', '', line)), [], line);
    // Quoted it is a key like any other.
    assert.deepEqual(problemsIn(document(['metadata: {"<<": {a: 1}}'], '=== user', 'Hi')), []);
  });

  it('are parameters that would say where requests go, each where it stands', () => {
    const text = document(
      [
        'model:',
        '  provider: openai',
        '  name: m',
        '  parameters:',
        '    temperature: 0',
        '    "baseURL": "http://127.0.0.1:9/v1"',
        '    extra_body: {inner: [{api-key: x}]}',
        '    tools: [{base_url: mine}]',
      ],
      '=== user',
      'Hi',
    );
    assert.deepEqual(
      problemsIn(text).map(([where, message]) => [where, message.split(':')[0]]),
      [
        ['"baseURL"', '"baseURL" is ignored'],
        ['api-key', '"extra_body.inner.0.api-key" is ignored'],
      ],
    );
    const [problem] = problemsOf(readText(text.replaceAll('\n', '\r\n'), t), t);
    assert.equal(problem?.severity, 'warning');
    // By another way than a line of its own: said at what holds it.
    const elsewhere = document(
      ['metadata: {model: {provider: openai, name: m, parameters: {base_url: x}}}'],
      '=== user',
      'Hi',
    );
    assert.equal(only(elsewhere)[0], 'metadata');
  });

  it('are variables that are not declared, and declared ones that are not used', () => {
    const text = document(
      ['input_variables:', '  - known', '  - idle'],
      '=== user',
      '{known} {other}',
    );
    assert.deepEqual(problemsIn(text), [
      ['other', '"other" isn\'t listed in input_variables.'],
      ['idle', 'The variable "idle" isn\'t used in the prompt.'],
    ]);
    assert.deepEqual(problemsIn(document([], '=== user', '{anything}')), []);
  });

  for (const [what, line, place, message] of [
    ['an expression without an end', 'Hello {{ name', '{{', /not closed by }}/],
    ['a statement without an end', '{% if a', '{%', /not closed by %}/],
    ['a block without an end', '{% if a %}x', '{%', /if is not closed by endif/],
    ['an end without a block', 'x{% endfor %}', '{% end', /endfor has no for before it/],
    ['an else without an if', '{% else %}', '{% e', /else has no if, for before it/],
    ['an expression that is none', '{{ a | }}', '{{', /may be broken/],
  ] as const) {
    it(`is ${what} in Jinja2`, () => {
      const [at, said] = only(document(['template_format: jinja2'], '=== user', line));
      assert.ok(at.startsWith(place.slice(0, 2)), at);
      assert.match(said, message);
    });
  }

  for (const [written, message] of [
    ['{{ name }}', /is Jinja2/],
    ['{{name}}', /is Jinja2/],
    ['{ name }', /isn't a variable in an f-string/],
    ['{user.name}', /isn't a variable in an f-string/],
  ] as const) {
    it(`is ${written} in an f-string`, () => {
      const found = problemsIn(document([], '=== user', `Hello ${written}.`));
      const doubt = found.find(([at]) => at === written);
      assert.match(doubt?.[1] ?? '', message);
    });
  }

  it('is a schema that is none, in the format of the answer and in tools', () => {
    const [at, said] = only(
      document(
        [
          'response_format:',
          '  type: json_schema',
          '  json_schema: {name: a, schema: {type: strnig}}',
        ],
        '=== user',
        'x',
      ),
    );
    assert.equal(at, 'response_format');
    assert.match(said, /json_schema\.schema isn't a JSON schema: \/type/);
    const tool = '[{type: function, function: {name: f, parameters: {required: yes please}}}]';
    const [place, words] = only(document([`tools: ${tool}`], '=== user', 'x'));
    assert.equal(place, 'tools');
    assert.match(words, /tools\[0\]\.function\.parameters.*required/);
    const filled = '{type: json_schema, json_schema: {name: a, schema: {type: "{{ kind }}"}}}';
    assert.deepEqual(problemsIn(document([`response_format: ${filled}`], '=== user', 'x')), []);
  });

  it('finds variables and snippets where they stand', () => {
    const text = document(
      ['template_format: jinja2'],
      '=== user',
      '{{ user.name | default("name") }} {% if age and not age == 3 %}@@@rules@label:prod@@@{% endif %}',
    );
    const { spans, draft } = readText(text, t);
    const places = spans.flatMap(variablesAt).map(({ from, to }) => text.slice(from, to));
    assert.deepEqual(places, ['user', 'age', 'age']);
    const [snippet] = spans.flatMap(snippetsAt);
    assert.ok(snippet !== undefined);
    assert.deepEqual(snippet.reference, { name: 'rules', version: undefined, label: 'prod' });
    assert.equal(text.slice(snippet.from, snippet.to), '@@@rules@label:prod@@@');
    assert.ok(draft !== undefined);
    assert.deepEqual([...usedVariables(draft).keys()], ['user', 'age']);
  });
});
