/** What the linter has no rule for. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const src = path.resolve(import.meta.dirname, '../../src');

const files = fs
  .readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'));
const textOf = (file: string): string => fs.readFileSync(path.join(src, file), 'utf8');

/** Times of day are compared here, which others have written down: files, tokens, rows. */
const timesOfDay = [
  'core/http/delay.ts',
  'extension/grid/journal.ts',
  'extension/run-panel/ended.ts',
  'extension/workflow-panel/ended.ts',
  'service/engine/kept-calls.ts',
  'service/workflows/channel-token.ts',
];

describe('sources', () => {
  it('measure how long something takes by a clock that nobody sets', () => {
    const compared = /Date\.now\(\)\s*[-+<>]|[-+<>]=?\s*Date\.now\(\)/;
    const found = files.filter((file) => compared.test(textOf(file)));
    assert.deepEqual(
      found.filter((file) => !timesOfDay.includes(file)),
      [],
    );
  });

  it('ask by the questions that stay when a page takes the focus late', () => {
    const asks = /window\s*\.(?:showQuickPick|showInputBox|createQuickPick|createInputBox)\b/;
    assert.deepEqual(
      files.filter((file) => asks.test(textOf(file))),
      [path.join('extension', 'questions.ts')],
    );
  });

  it("write import * as z from 'zod', of which a bundler keeps only what is used", () => {
    const whole = files.filter((file) => /^import \{[^}]*\} from 'zod';/m.test(textOf(file)));
    assert.ok(files.length > 300);
    assert.deepEqual(whole, []);
  });
});
