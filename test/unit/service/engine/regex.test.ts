import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, it } from 'mocha';
import { compilePattern } from '../../../../src/service/engine/columns/pattern.ts';
import { EngineProblem } from '../../../../src/service/engine/problem.ts';

/** What `re` of Python finds in each text: null for nothing. */
const table = JSON.parse(
  fs.readFileSync(new URL('./regex-cases.json', import.meta.url), 'utf8'),
) as {
  readonly texts: readonly string[];
  readonly unknown: readonly string[];
  readonly patterns: readonly {
    readonly pattern: string;
    readonly error?: string;
    readonly found?: readonly (readonly unknown[] | null)[];
  }[];
};

/** The same pattern beside a look-around that changes nothing, which another engine runs. */
function besideLookAround(pattern: string, isBefore: boolean): string {
  const [flags = ''] = /^(?:\(\?[a-z]+\))*/.exec(pattern) ?? [];
  const end = flags.includes('x') ? '\n)' : ')';
  const group = `(?:${pattern.slice(flags.length)}${end}`;
  return isBefore ? `${flags}(?=)${group}` : `${flags}${group}(?!(?!))`;
}

const forms: readonly (readonly [what: string, change: (pattern: string) => string])[] = [
  ['as they are', (pattern) => pattern],
  ['behind a look-ahead', (pattern) => besideLookAround(pattern, true)],
  ['before a look-ahead', (pattern) => besideLookAround(pattern, false)],
];

describe('regular expressions mean what they mean in Python', () => {
  const valid = table.patterns.filter(
    ({ pattern, error }) => error === undefined && !table.unknown.includes(pattern),
  );
  for (const [what, change] of forms) {
    it(`${valid.length} patterns in ${table.texts.length} texts, ${what}`, () => {
      for (const { pattern, found = [] } of valid) {
        const changed = change(pattern);
        const [tested, searched] = [
          compilePattern(changed, 'test'),
          compilePattern(changed, 'find'),
        ];
        table.texts.forEach((text, at) => {
          const where = `${changed} in ${JSON.stringify(text)}`;
          assert.equal(tested.test(text), found[at] !== null, where);
          assert.deepEqual(searched.findAll(text), found[at] ?? [], where);
        });
      }
    });
  }

  for (const { pattern, error } of table.patterns.filter((one) => one.error !== undefined)) {
    it(`refused as in Python: ${pattern} (${error ?? ''})`, () => {
      for (const use of ['test', 'find'] as const) {
        assert.throws(() => compilePattern(pattern, use), EngineProblem);
      }
    });
  }

  for (const pattern of table.unknown) {
    it(`refused by name, since engines see it differently: ${pattern}`, () => {
      assert.throws(() => compilePattern(pattern, 'find'), /(?:is|are) not known here/);
    });
  }

  it('says why, in the words of Python', () => {
    assert.throws(
      () => compilePattern('\\q', 'test'),
      /is not valid: bad escape \\q at position 0\./,
    );
    assert.throws(() => compilePattern('\\p{L}', 'test'), /bad escape \\p at position 0/);
    assert.throws(() => compilePattern('a**', 'test'), /multiple repeat at position 2/);
    assert.throws(
      () => compilePattern('(?<=a+)b', 'test'),
      /look-behind requires fixed-width pattern/,
    );
    assert.throws(() => compilePattern('(?<n>a)', 'test'), /written \(\?P<name>\.\.\.\)/);
  });

  it('stay quick where no other letters are: only then the sandbox is not needed', () => {
    const words = compilePattern('\\bcat\\b', 'test');
    assert.ok(words.quickUpTo > 1000 && words.isQuick('a cat') && !words.isQuick('a café cat'));
    const ends = compilePattern('(x$|y)z*', 'test');
    assert.ok(ends.isQuick('x') && !ends.isQuick('x\n'));
    assert.ok(compilePattern('yes$', 'test').isQuick('yes\n'));
    assert.equal(compilePattern('(?=a)a', 'test').quickUpTo, 0);
  });
});
