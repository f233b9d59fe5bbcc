/** Which import of the extension leads to which file of its own. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { apart, bundles } from '../../../esbuild.mjs';
import { placeOf } from '../../../scripts/runs-apart.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const importer = 'src/extension/main.ts';
const place = (kind: 'dynamic-import' | 'import-statement', file: string) =>
  placeOf(apart, { kind, importer, file });

describe('what the extension loads apart', () => {
  it('is found by the file that is meant, not by its name', () => {
    for (const [file, external] of Object.entries(apart.files)) {
      assert.deepEqual(place('dynamic-import', file), { external });
      const twin = `src/extension/elsewhere/${path.posix.basename(file)}`;
      assert.deepEqual(place('import-statement', twin), undefined);
      assert.match(
        JSON.stringify(place('dynamic-import', twin)),
        /nothing says what becomes of it/,
      );
    }
  });

  it('is never packed in by an import that is not dynamic', () => {
    for (const file of Object.keys(apart.files)) {
      assert.match(JSON.stringify(place('import-statement', file)), /import it with import\(\)/);
    }
  });

  it('stays inside where that is said, and any other dynamic import fails', () => {
    for (const file of apart.inside) assert.equal(place('dynamic-import', file), undefined);
    for (const file of ['src/extension/new.ts', 'constructor', 'undici', '#platform']) {
      assert.match(JSON.stringify(place('dynamic-import', file)), /nothing says/);
      assert.equal(place('import-statement', file), undefined);
    }
  });

  it('is there, and is built', () => {
    const built = new Map<string, string>(
      bundles.flatMap(({ entry, outfile, options: { entryPoints } }) => [
        [`./${path.posix.basename(outfile)}`, entry] as const,
        ...Object.entries(entryPoints ?? {}).flatMap(([name, source]) =>
          typeof source === 'string' ? [[`./${name}.mjs`, source] as const] : [],
        ),
      ]),
    );
    for (const [file, external] of Object.entries(apart.files)) {
      assert.equal(built.get(external), file);
    }
    for (const file of apart.inside) assert.ok(fs.existsSync(path.join(root, file)), file);
  });
});
