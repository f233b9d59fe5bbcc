import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { advice, reasons } from '../../../src/core/errors/reason.ts';
import { textFor } from '../../../src/core/errors/texts.ts';

const page = fs.readFileSync(path.resolve(import.meta.dirname, '../../../docs/errors.md'), 'utf8');

describe('the page about reasons of errors', () => {
  it('has every kind with its text, in the order of the tables, and no other', () => {
    const rows = [...page.matchAll(/^\| `([\w-]+)` +\| `(.*)` +\|$/gm)].map(([, kind, text]) => [
      kind,
      text,
    ]);
    const known = [...Object.entries(reasons), ...Object.entries(advice)].map(([kind, entry]) => [
      kind,
      textFor(entry, { kind }),
    ]);
    assert.deepEqual(
      rows.filter(([kind]) => kind !== 'kind'),
      known,
    );
  });
});
