import assert from 'node:assert/strict';
import fs from 'node:fs';
import { inRoot } from '../../../scripts/paths.mjs';

describe('Scripts that wait at their top level', () => {
  const texts = fs
    .globSync(['scripts/*.mjs', 'esbuild.mjs'], { cwd: inRoot() })
    .map((file) => ({ file, text: fs.readFileSync(inRoot(file), 'utf8') }))
    .filter(({ text }) => /^await /m.test(text));

  it('are there', () => assert.ok(texts.length > 5));

  for (const { file, text } of texts)
    it(`${file} has no constant below, which nothing that is waited for could use`, () => {
      const below = text.slice(text.search(/^await /m));
      assert.deepEqual(below.match(/^(?:export )?(?:const|let|class) .*/gm), null);
    });
});
