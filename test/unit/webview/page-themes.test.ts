/** That no page draws with a variable of VS Code that its tests do not know of. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { themeNames, themes } from '../../browser/support/page-themes.ts';

const root = path.resolve(import.meta.dirname, '../../../src/webview');
const used = new Set(
  fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(css|ts)$/.test(file))
    .flatMap(
      (file) => fs.readFileSync(path.join(root, file), 'utf8').match(/--vscode-[\w-]*\w/g) ?? [],
    ),
);
/** Those that no theme of VS Code sets by itself, and that a theme of somebody may. */
const unset = new Set(
  ['error', 'info', 'warning'].map((kind) => `--vscode-inputValidation-${kind}Foreground`),
);

describe('Colours that pages are tested in', () => {
  it('are all that a page uses, of at least one theme', () => {
    const known = new Set(themeNames.flatMap((name) => Object.keys(themes[name].variables)));
    const missing = [...used].filter(
      (name) => !known.has(name) && !unset.has(name) && name !== '--vscode-charts',
    );
    assert.deepEqual(missing, [], 'WRITE_THEMES=1 npm test -- test/browser/vscode-themes.test.ts');
  });
});
