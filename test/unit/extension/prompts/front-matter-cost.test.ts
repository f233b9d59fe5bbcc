import assert from 'node:assert/strict';
import { problemsOf } from '../../../../src/extension/prompts/text/check.ts';
import { snippetsAt } from '../../../../src/extension/prompts/text/names.ts';
import { readText } from '../../../../src/extension/prompts/text/read.ts';
import { timeLimit } from '../../../support/time-limit.ts';
import { schemaFault } from '../../../../src/extension/prompts/text/schema.ts';
import { t } from '../words.ts';

const count = 30_000;
/** Of a thread that does nothing else. What grew with the square took half a minute and more. */
const mostCpuMs = timeLimit(8000);

const lines = (line: (at: number) => string, length = count): string =>
  Array.from({ length }, (_, at) => `${line(at)}\n`).join('');

const many = (item: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => item(at)).join(', ');

const schema = (text: string): string =>
  `response_format: {type: json_schema, json_schema: {name: a, schema: ${text}}}`;

/** A repository that is cloned may bring them; they are read and checked at each change of the document. */
const hostile: Readonly<Record<string, string>> = {
  keys: lines((at) => `k${String(at)}: 1`),
  parameters: `model:\n  parameters:\n${lines((at) => `    k${String(at)}: 1`)}`,
  variables: `input_variables:\n${lines((at) => `  - v${String(at)}`)}`,
  anchors: lines((at) => `a${String(at)}: &x${String(at)} 1`),
  'aliases of aliases': `a: &a0 [x, x]\n${Array.from(
    { length: 40 },
    (_, at) => `b${String(at)}: &a${String(at + 1)} [*a${String(at)}, *a${String(at)}]\n`,
  ).join('')}`,
  'repeated keys': lines(() => 'a: 1'),
  errors: lines(() => 'a: b: c'),
  brackets: `a: ${'['.repeat(count)}`,
  braces: `a: ${'{a: '.repeat(count)}`,
  'lists in lists': `${'- '.repeat(count)}a`,
  tools: `tools:\n${lines(() => '  - {type: function, function: {name: a, parameters: {type: 5}}}', 3000)}`,
  'a wide schema': schema(
    `{properties: {${many((at) => `p${String(at)}: {type: string}`)}, q: 5}}`,
  ),
  'a schema of alternatives': schema(`{anyOf: [${many(() => '{type: string}')}, 5]}`),
  'a schema of values': schema(`{enum: [${many(() => '1')}], type: [${many(() => 'string')}]}`),
};

const jinja = (body: string): string => `=== user {"template_format":"jinja2"}\n${body}`;
const some = 15_000;
const declared = `input_variables:\n${lines((at) => `  - v${String(at)}`, some)}`;

/** What the texts of a prompt may be, with tags that end, and tags that never do. */
const bodies: Readonly<Record<string, string>> = {
  variables: `=== user\n${lines((at) => `{v${String(at)}} {w${String(at)}}`, some)}`,
  'variables of Jinja2': jinja(lines((at) => `{{ w${String(at)} }}`).slice(0, 6 * some)),
  'marks of Jinja2 without an end': jinja('{{'.repeat(5 * some)),
  'tags of Jinja2 without an end': jinja(`${'{% '.repeat(5 * some)}}}`),
  'formats without an end': `=== user\n${'{a:'.repeat(5 * some)}`,
  'quotes without an end': jinja(`{{ ${'"\\'.repeat(5 * some)} }}`),
  snippets: `=== user\n${lines((at) => `@@@a${String(at)}@@@`, some)}${'@@@'.repeat(some)}`,
  messages: lines((at) => `=== user\n{v${String(at)}}`, some),
  'broken headers': lines(() => '=== user {"a', some),
};

const cpuMs = (work: () => void): number => {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
};

function checkCost(text: string): void {
  const took = cpuMs(() => {
    const reading = readText(text, t);
    assert.ok(problemsOf(reading, t).length > 0);
    reading.spans.flatMap(snippetsAt);
  });
  assert.ok(took < mostCpuMs, `${String(took)} ms`);
}

describe('The texts of a prompt of a stranger', function () {
  this.timeout(timeLimit(60_000));

  for (const [name, body] of Object.entries(bodies)) {
    it(`are read in time that grows with their length: ${name}`, () => {
      const front = name === 'variables' ? declared : 'input_variables: [v0]\n';
      checkCost(`---\nprompt: p\n${front}---\n\n${body}`);
    });
  }
});

describe('The front matter of a stranger', function () {
  this.timeout(timeLimit(60_000));

  for (const [name, front] of Object.entries(hostile)) {
    it(`is read in time that grows with its length: ${name}`, () => {
      checkCost(`---\n${front}\n---\n=== user\nhi\n`);
    });
  }

  it('is told when its schema is nested too deeply to be checked', () => {
    let deep: object = {};
    for (let level = 0; level < 5000; level += 1) deep = { not: deep };
    assert.equal(schemaFault(deep), 'is nested too deeply');
  });

  it('says where a key stands that was there before', () => {
    const text = '---\nname: a\nmodel:\n  provider: x\n  provider: y\nname: b\n---\n=== user\nhi\n';
    const { problems } = readText(text, t);
    const found = problems.map(({ from, to, message }) => [text.slice(from, to), message]);
    const message = 'The front matter is not YAML: Map keys must be unique';
    assert.deepEqual(
      found.filter(([, said]) => said === message),
      [
        ['name', message],
        ['provider', message],
      ],
    );
  });
});
