import assert from 'node:assert/strict';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const languages = ['de', 'ja'] as const;
/** Texts of the manifest by their key, texts of the code by the English itself. */
const files = ['package.nls.json', 'l10n/bundle.l10n.json'] as const;

type Texts = Readonly<Record<string, string>>;

const read = (file: string): Texts => JSON.parse(fs.readFileSync(root + file, 'utf8')) as Texts;

const placeholders = (text: string): readonly string[] =>
  [...text.matchAll(/\{\w+\}|\(command:[\w.]+\)|`[^`]*`|promptTables\.\w+(?:\.\w+)*/g)]
    .map(([found]) => found)
    .sort();

describe('translations', () => {
  for (const language of languages) {
    for (const file of files) {
      const translated = file.replace('.json', `.${language}.json`);

      it(`${translated} has every text of ${file}, and no other`, () => {
        const english = Object.keys(read(file));
        const own = new Set(Object.keys(read(translated)));
        const missing = english.filter((key) => !own.has(key));
        const surplus = [...own].filter((key) => !english.includes(key));
        const list = (keys: readonly string[]): string =>
          keys.map((key) => `\n  ${JSON.stringify(key)}`).join('');
        assert.ok(missing.length === 0, `Add to ${translated}:${list(missing)}`);
        assert.ok(surplus.length === 0, `Take out of ${translated}:${list(surplus)}`);
      });

      it(`${translated} keeps placeholders, commands, settings and lines`, () => {
        const english = read(file);
        for (const [key, text] of Object.entries(read(translated))) {
          const original = english[key];
          // Told by the test above.
          if (original === undefined) continue;
          assert.deepEqual(placeholders(text), placeholders(original), `${translated}: ${key}`);
          assert.equal(
            text.split('\n').length,
            original.split('\n').length,
            `${translated}: ${key}`,
          );
          assert.equal(text, text.trim(), `${translated}: ${key}`);
          assert.equal(text.endsWith('…'), original.endsWith('…'), `${translated}: ${key}`);
        }
      });
    }
  }
});
