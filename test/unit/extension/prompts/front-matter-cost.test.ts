import assert from 'node:assert/strict';
import { readText } from '../../../../src/extension/prompts/text/read.ts';
import { t } from '../words.ts';

const count = 30_000;
/** Of a thread that does nothing else. What grew with the square took half a minute and more. */
const mostCpuMs = 8000;

const lines = (line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('');

/** A repository that is cloned may bring them; they are read at each change of the document. */
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
};

describe('The front matter of a stranger', function () {
  this.timeout(120_000);

  for (const [name, front] of Object.entries(hostile)) {
    it(`is read in time that grows with its length: ${name}`, () => {
      const began = process.cpuUsage();
      const { problems } = readText(`---\n${front}\n---\n=== user\nhi\n`, t);
      const { user, system } = process.cpuUsage(began);
      assert.ok((user + system) / 1000 < mostCpuMs, `${String((user + system) / 1000)} ms`);
      assert.ok(problems.length > 0);
    });
  }

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
