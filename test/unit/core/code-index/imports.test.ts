import assert from 'node:assert/strict';
import type { Import } from '../../../../src/core/code-index/imports.ts';
import { importedPaths } from '../../../../src/core/code-index/imports.ts';
import type { CodeLanguage } from '../../../../src/core/code-index/languages.ts';
import { callsIn, exportedText } from '../../../../src/core/code-index/scan.ts';

/** What is asked of other files, and the names that calls have when these answer "known". */
function followed(text: string, language: CodeLanguage): readonly [string[], string[]] {
  const asked: string[] = [];
  const textOf = ({ from, name }: Import): string => {
    asked.push(`${from} ${name}`);
    return 'known';
  };
  const calls = callsIn(text, language, { textOf });
  return [asked, calls.map((call) => call.name.value)];
}

const script = (text: string) => followed(`${text}\nc.run({ promptName: NAME });`, 'script');
const python = (text: string) => followed(`${text}\nc.run(prompt_name=NAME)\n`, 'python');
const nothing = [[], []];

describe('Names that come from a file beside', () => {
  it('are followed where an import of the file binds them, and nothing else', () => {
    for (const [text, from] of [
      [`import { NAME } from './names';`, './names NAME'],
      [`import { OTHER as NAME, NAME as X } from "../a/names.js";`, '../a/names.js OTHER'],
      [`import all, { A, NAME, } from './names.ts'`, './names.ts NAME'],
    ] as const) {
      assert.deepEqual(script(text), [[from], ['known']], text);
    }
    for (const [text, from] of [
      [`from .names import NAME`, '.names NAME'],
      [`from ..a.names import A, OTHER as NAME`, '..a.names OTHER'],
      [`from .names import (\n    A,  # NAME\n    NAME,\n)`, '.names NAME'],
      [`from .names import A, \\\n    NAME`, '.names NAME'],
    ] as const) {
      assert.deepEqual(python(text), [[from], ['known']], text);
    }
  });

  it('are left alone where it is not certain what they are', () => {
    for (const text of [
      `import { NAME } from 'names';`,
      `import { type NAME } from './names';`,
      `import NAME from './names';`,
      `import * as NAME from './names';`,
      `import { NAME } from './names'; function f(NAME) { return NAME; }`,
      `import { NAME } from './names'; import { NAME } from './others';`,
      `import { NAME } from './names'; const g = (NAME) => NAME;`,
      `export { NAME } from './names';`,
      `// import { NAME } from './names'`,
      `const { NAME } = require('./names');`,
    ]) {
      assert.deepEqual(script(text), nothing, text);
    }
    for (const text of [
      `from names import NAME`,
      `from . import NAME`,
      `import NAME`,
      `def f():\n    from .names import NAME`,
      `from .names import NAME\nNAME = f()`,
      `from .names import NAME\nfor NAME in x: pass`,
      `from .names import *`,
      `# from .names import NAME`,
    ]) {
      assert.deepEqual(python(text), nothing, text);
    }
  });

  it('have the text that the other file exports, if that is certain', () => {
    const of = (text: string, language: CodeLanguage = 'script') =>
      exportedText(text, language, 'NAME');
    assert.equal(of(`// names\nexport const NAME = 'a/b';\n`), 'a/b');
    assert.equal(of(`export const NAME = "a" as const`), 'a');
    assert.equal(of(`NAME = "a"\n`, 'python'), 'a');
    for (const text of [
      `const NAME = 'a';`,
      `export let NAME = 'a';`,
      `export const NAME = \`a\${b}\`;`,
      `export const NAME = f('a');`,
      `export const NAME = 'a' + b;`,
      `function f() { const NAME = 'a'; }`,
      `export const NAME = 'a'; function f(NAME) {}`,
      `// export const NAME = 'a';`,
      `export const NAME = 'a`,
      '',
    ]) {
      assert.equal(of(text), undefined, text);
    }
    for (const text of [
      `NAME = f("a")\n`,
      `NAME = "a"\nNAME = "b"\n`,
      `def f():\n  NAME = "a"\n`,
    ]) {
      assert.equal(of(text, 'python'), undefined, text);
    }
  });

  it('may be in several files, whose paths are known', () => {
    const paths = (from: string, language: CodeLanguage = 'script') =>
      importedPaths({ from, name: 'NAME' }, language);
    assert.deepEqual(paths('./names.js'), ['./names.js', './names.ts', './names.tsx']);
    assert.deepEqual(paths('./names.ts'), ['./names.ts']);
    assert.ok(paths('./a.names').includes('./a.names.ts'));
    assert.ok(paths('..').includes('../index.ts'));
    assert.deepEqual(paths('.a.names', 'python'), ['a/names.py', 'a/names/__init__.py']);
    assert.deepEqual(paths('...a', 'python'), ['../../a.py', '../../a/__init__.py']);
  });
});
