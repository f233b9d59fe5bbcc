import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Language } from '../../../src/extension/shell/error-words/index.ts';

const folder = path.join(import.meta.dirname, '../../../l10n');

function languageOf(name: string, file: string): Language {
  const texts = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')) as Readonly<
    Record<string, string>
  >;
  return {
    name,
    t: (message, ...args) => {
      const text = texts[message];
      assert.ok(text !== undefined, `${name} has no text for: ${message}`);
      return text.replaceAll(/\{(\d+)\}/g, (_, at: string) => String(args[Number(at)]));
    },
  };
}

/** As `vscode.l10n.t` in each language of the display; a text that is not translated throws. */
export const english = languageOf('en', 'bundle.l10n.json');
export const german = languageOf('de', 'bundle.l10n.de.json');
export const japanese = languageOf('ja', 'bundle.l10n.ja.json');
