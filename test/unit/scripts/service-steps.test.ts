/** Which files of the service's tests run together: none is left out, none runs twice. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import fc from 'fast-check';
import { onPostgres, partsOf, serviceParts } from '../../../scripts/service-steps.mjs';

const present = fs
  .readdirSync(new URL('../../service', import.meta.url))
  .filter((file) => file.endsWith('.test.ts'));

const textOf = (file: string): string =>
  fs.readFileSync(new URL(`../../service/${file}`, import.meta.url), 'utf8');

describe('Steps of the tests of the service', () => {
  it('hold each file once, and know their own from all others', () => {
    const name = fc.oneof(
      fc.constantFrom(...present),
      fc.stringMatching(/^[a-z.+-]{1,12}$/).map((word) => `${word}.test.ts`),
    );
    const pattern = fc.constantFrom(/^a/, /-/, /columns/, /[.+]/, /no such/);
    const parts = fc
      .array(fc.tuple(fc.string(), pattern), { maxLength: 4 })
      .map((some): [string, RegExp][] => [...some, ['rest', /./]]);
    fc.assert(
      fc.property(fc.uniqueArray(name), fc.option(parts, { nil: undefined }), (files, chosen) => {
        const found = partsOf(files, chosen);
        assert.deepEqual(found.flatMap((part) => part.files).sort(), [...files].sort());
        for (const part of found) {
          assert.ok(part.files.length > 0);
          for (const file of [...files, 'x.test.ts'])
            assert.equal(part.ownTests.test(`test/service/${file}`), part.files.includes(file));
        }
      }),
    );
  });

  it('are none without a file, and name no file twice', () => {
    const names = partsOf(present).map(({ name }) => name);
    assert.deepEqual(
      names,
      serviceParts.map(([name]) => name),
    );
    assert.equal(new Set(names).size, names.length);
    // A step that runs no test fails.
    for (const { name, files } of partsOf(present)) {
      const isOnBoth = files.some((file) =>
        /onEachBackend\(|'postgres'\] as const/.test(textOf(file)),
      );
      assert.ok(isOnBoth, `${name} has no suite on PostgreSQL.`);
    }
  });

  it('split suites of both databases, however their titles spell them', () => {
    const [, words = '', flags] = /^\/(.*)\/(\w*)$/.exec(onPostgres) ?? [];
    const isPostgres = new RegExp(words, flags);
    for (const title of ['Rows, on PostgreSQL', 'a store that fails, on postgres'])
      assert.ok(isPostgres.test(title), title);
    for (const title of ['Rows, on SQLite', 'The local workspace in a PostgreSQL database'])
      assert.ok(!isPostgres.test(title), title);
    // A suite on each of them has the database in its title, or both halves run in one step.
    for (const file of present) {
      for (const [, title = ''] of textOf(file).matchAll(
        /describe\(`([^`]*\$\{(?:kind|title)\}[^`]*)`/g,
      ))
        assert.match(title, /, on \$\{/, `${file}: ${title}`);
    }
  });
});
