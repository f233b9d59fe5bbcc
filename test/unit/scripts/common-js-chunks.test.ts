/** What the build makes of the chunks that esbuild has split: run as Node runs it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { commonJsChunks } from '../../../scripts/common-js-chunks.mjs';

const sources = {
  'src/first.ts': `
    import { Made, $, again, count, seen } from './shared';
    import { chosen } from './rare';
    import 'acting';
    export const before = [...(globalThis.loaded ?? [])];
    export const results = () => {
      const made = new Made(2);
      count();
      return { made: made.half, dollar: $, again: again(3), seen, own: new URL('./x', import.meta.url).pathname.endsWith('/x') };
    };
    export const rarely = () => chosen();
    export const later = () => import('./late');
    export const heavy = () => import('./heavy');`,
  'src/second.ts': `
    import { Made, $, count, seen } from './shared';
    import { chosen } from './rare';
    import 'acting';
    count();
    const { late, default: own } = await import('./late');
    const { heavy, default: packed } = await import('./heavy');
    const got = [new Made(4).half, $, chosen(), late(), typeof seen, own, heavy, packed];
    console.log(JSON.stringify(got));`,
  // So that each lies in a chunk of its own.
  'src/third.ts': `import 'acting'; export default 3;`,
  'src/fourth.ts': `import { chosen } from './rare'; export default chosen;`,
  'src/shared.ts': `
    (globalThis.loaded ??= []).push('shared');
    export let seen = 0;
    export const $ = 'dollar';
    export const count = () => { seen += 1; };
    export class Made { constructor(public whole: number) {} get half() { return this.whole / 2; } }
    export { again } from './again';`,
  'src/again.ts': `import { $ } from './shared'; export const again = (n: number) => $.repeat(n);`,
  'src/rare.ts': `(globalThis.loaded ??= []).push('rare'); export const chosen = () => 'rare';`,
  'src/heavy.ts': `export const heavy = 'packed'; export default 8;`,
  'src/late.ts': `import { $ } from './shared'; export const late = () => 'late ' + $; export default 7;`,
  'node_modules/acting/package.json': '{"name":"acting","main":"index.js","type":"module"}',
  'node_modules/acting/index.js': `(globalThis.loaded ??= []).push('acting');`,
};

describe('chunks of the product as CommonJS', () => {
  let folder = '';
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-chunks-'));
    for (const [file, text] of Object.entries(sources)) {
      fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      fs.writeFileSync(path.join(folder, file), text);
    }
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  const built = async (minify: boolean): Promise<string> => {
    const out = path.join(folder, minify ? 'small' : 'plain');
    await build({
      absWorkingDir: folder,
      entryPoints: {
        first: 'src/first.ts',
        'parts/second': 'src/second.ts',
        third: 'src/third.ts',
      },
      ...{ bundle: true, platform: 'node', format: 'esm', splitting: true, metafile: true },
      ...{ outdir: out, outExtension: { '.js': '.cjs' }, chunkNames: 'parts/[name]-[hash]' },
      ...{ minify, sourcemap: 'linked', plugins: [commonJsChunks(['parts/second'], /heavy/)] },
    });
    return out;
  };
  const run = (...args: readonly string[]): unknown =>
    JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));

  for (const minify of [false, true]) {
    it(`do what the modules did, ${minify ? 'minified' : 'as they are'}`, async () => {
      const out = await built(minify);
      const asked = `const first = require(${JSON.stringify(path.join(out, 'first.cjs'))});
        const results = first.results(), rare = [...globalThis.loaded];
        first.rarely();
        Promise.all([first.later(), first.heavy()]).then(([late, heavy]) => console.log(JSON.stringify(
          { before: first.before, results, rare, all: globalThis.loaded, late: late.late(), own: late.default, heavy })));`;
      assert.deepEqual(run('-e', asked), {
        // A package may have to act; of our own modules nothing is loaded before it is used.
        before: ['acting'],
        results: { made: 1, dollar: 'dollar', again: 'dollardollardollar', seen: 1, own: true },
        rare: ['acting', 'shared'],
        all: ['acting', 'shared', 'rare'],
        ...{ late: 'late dollar', own: 7, heavy: { default: 8, heavy: 'packed' } },
      });
      assert.deepEqual(run(path.join(out, 'parts', 'second.mjs')), [
        ...[2, 'dollar', 'rare', 'late dollar', 'number', 7, 'packed', 8],
      ]);
      assert.equal(fs.globSync('parts/heavy-*.cjs.br', { cwd: out }).length, minify ? 1 : 0);
      const maps = fs.globSync('**/*.map', { cwd: out });
      assert.equal(maps.length > 0, !minify);
    });
  }

  it('are refused where one would need an entry that is an ES module', async () => {
    const file = path.join(folder, 'src', 'first.ts');
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, `${text}\nexport const never = () => import('./second');`);
    try {
      await assert.rejects(built(false), /needs .*second.*, which is an ES module/);
    } finally {
      fs.writeFileSync(file, text);
    }
  });
});
