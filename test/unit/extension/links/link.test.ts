import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SheetLink } from '../../../../src/extension/links/link.ts';
import { readLink, writeLink } from '../../../../src/extension/links/link.ts';

const target = { scheme: 'vscode', extensionId: 'prompt-tables.prompt-tables' };
const tableId = '0b8f2f0e-54a7-4e0e-8c6c-2f3f7a1f9d11';
const sheetId = '7d0c5b3e-9c1a-4b0e-9b57-6f2a1d3c4e55';

describe('links to sheets', () => {
  it('come back as they were written, whatever the base URL holds', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.uuid(),
        fc.option(fc.webUrl({ withQueryParameters: true, withFragments: true }), {
          nil: undefined,
        }),
        (table, sheet, baseURL) => {
          const link: SheetLink = { baseURL, tableId: table, sheetId: sheet };
          assert.deepEqual(readLink(writeLink(target, link)), link);
        },
      ),
    );
  });

  it('open the extension in the editor that they were copied from', () => {
    const link = writeLink(
      { ...target, scheme: 'vscode-insiders' },
      { baseURL: undefined, tableId, sheetId },
    );
    assert.match(link, /^vscode-insiders:\/\/prompt-tables\.prompt-tables\/sheet\?/);
  });

  it('are refused when they lead elsewhere or name no sheet', () => {
    const start = 'vscode://prompt-tables.prompt-tables';
    for (const text of [
      `${start}/other?table=${tableId}&sheet=${sheetId}`,
      `${start}/sheet?table=${tableId}`,
      `${start}/sheet?table=../../x&sheet=${sheetId}`,
      `${start}/sheet?table=${tableId}&sheet=${sheetId}%2F..`,
      `${start}/sheet`,
    ]) {
      assert.equal(readLink(text), undefined, text);
    }
  });

  it('never carry a key on', () => {
    const text = `vscode://prompt-tables.prompt-tables/sheet?table=${tableId}&sheet=${sheetId}&key=pl_secret`;
    assert.deepEqual(readLink(text), { baseURL: undefined, tableId, sheetId });
  });
});
