import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SheetLink } from '../../../../src/extension/links/link.ts';
import { readLink, writeLink } from '../../../../src/extension/links/link.ts';

const target = { scheme: 'vscode', extensionId: 'prompt-tables.prompt-tables' };
const tableId = '0b8f2f0e-54a7-4e0e-8c6c-2f3f7a1f9d11';
const sheetId = '7d0c5b3e-9c1a-4b0e-9b57-6f2a1d3c4e55';

const start = 'vscode://prompt-tables.prompt-tables/sheet?';
const ids = `table=${tableId}&sheet=${sheetId}`;
/** As `writeLink` and a hostile page make them: the query is encoded once more as a whole. */
const linkWith = (query: string): string => `${start}${encodeURIComponent(query)}`;
const withBase = (base: string): string => linkWith(`base=${encodeURIComponent(base)}&${ids}`);

describe('links to sheets', () => {
  it('come back as ids and origin, whatever else the base URL holds', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.uuid(),
        fc.option(fc.webUrl({ withQueryParameters: true, withFragments: true }), {
          nil: undefined,
        }),
        (table, sheet, baseURL) => {
          const link: SheetLink = { baseURL, tableId: table, sheetId: sheet };
          const origin = baseURL === undefined ? undefined : new URL(baseURL).origin;
          assert.deepEqual(readLink(writeLink(target, link)), {
            ...{ origin, tableId: table, sheetId: sheet },
          });
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

  it('are refused when they lead elsewhere, name no sheet, or hold anything that we never write', () => {
    assert.deepEqual(readLink(linkWith(ids)), { tableId, sheetId, origin: undefined });
    const hostile = [
      ...['', 'vscode:', 'nonsense', start, 'vscode://prompt-tables.prompt-tables'],
      `vscode://prompt-tables.prompt-tables/other?${ids}`,
      `vscode://prompt-tables.prompt-tables/sheet/?${ids}`,
      `vscode://prompt-tables.prompt-tables//sheet?${ids}`,
      `vscode://prompt-tables.prompt-tables/sheet/../sheet?${ids}`,
      linkWith(`table=${tableId}`),
      linkWith(`table=../../x&sheet=${sheetId}`),
      linkWith(`table=${tableId}&sheet=${sheetId}%2F..`),
      linkWith(`table=${tableId}&sheet=${sheetId}%0A`),
      linkWith(`table=${tableId}&sheet={${sheetId}}`),
      linkWith(`table= ${tableId}&sheet=${sheetId}`),
      // What is not known, or said twice.
      linkWith(`${ids}&key=pl_secret`),
      linkWith(`${ids}&command=workbench.action.terminal.new`),
      linkWith(`${ids}&__proto__=x`),
      linkWith(`${ids}&sheet=${sheetId}`),
      linkWith(`${ids}&Base=https://a.example`),
      linkWith(`base=https://a.example&base=https://b.example&${ids}`),
      `${linkWith(ids)}#fragment`,
      linkWith(`${ids}&base=https://a.example/${'x'.repeat(500)}`),
      `${linkWith(ids)}${'%20'.repeat(2000)}`,
    ];
    for (const text of hostile) assert.equal(readLink(text), undefined, text);
  });

  it('have a base that is an address of the web without a name and password, and only its origin counts', () => {
    const refused = [
      ...[
        '',
        ' ',
        'a.example',
        '//a.example',
        'https:',
        'https://',
        'https:///x',
        'http:a.example',
      ],
      '[Connect to your workspace](command:workbench.action.openSettingsJson)',
      'command:workbench.action.terminal.new',
      ...['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'ftp://a.example'],
      ...['vscode://a/b', 'ws://a.example', 'blob:https://a.example/x'],
      ...['https://user@a.example', 'https://user:secret@a.example', 'https://:secret@a.example'],
      'https://api.promptlayer.com@evil.example',
      ...[
        'https://a b.example',
        'https://a.example\n',
        ' https://a.example',
        'https:\\\\a.example',
      ],
      ...['https://a.example/\u202e', 'https://a.example/\u0000', 'https:/\t/a.example'],
      ...['https://a.example:99999', 'https://[::1', 'https://%00.example'],
    ];
    for (const base of refused) assert.equal(readLink(withBase(base)), undefined, base);
    const taken: readonly (readonly [base: string, origin: string])[] = [
      ['https://API.promptlayer.com', 'https://api.promptlayer.com'],
      ['https://a.example:443/v1/', 'https://a.example'],
      ['https://a.example:8443/[x](command:y)?q=1#f', 'https://a.example:8443'],
      ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
      ['http://[::1]:80', 'http://[::1]'],
    ];
    for (const [base, origin] of taken) {
      assert.deepEqual(readLink(withBase(base)), { origin, tableId, sheetId }, base);
    }
    // A letter that only looks like another is told by its code.
    const lookalike = readLink(withBase('https://api.promptl\u0430yer.com'));
    assert.match(lookalike?.origin ?? '', /^https:\/\/api\.xn--promptlyer-\w+\.com$/);
  });

  it('never give anything but an origin and two ids, whatever they are made of', () => {
    const piece = fc.constantFrom(
      ...['base=', 'table=', 'sheet=', '&', '%', '%26', '%3D', '#', '?', '/', tableId, sheetId],
      ...['https://a.example', 'https://u:p@a.example', '[a](command:b)', '$(x)', '\u202e', '\n'],
      ...['/sheet', 'vscode:', '//', '..', '\\', '+', ' ', 'x'.repeat(300)],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (parts, isWhole) => {
        const text = isWhole ? parts.join('') : linkWith(parts.join(''));
        let read: ReturnType<typeof readLink>;
        try {
          read = readLink(text);
        } catch (error) {
          // No address at all, which VS Code would not hand over.
          assert.match(String(error), /UriError|URI malformed/);
          return;
        }
        if (read === undefined) return;
        assert.deepEqual(Object.keys(read).toSorted(), ['origin', 'sheetId', 'tableId']);
        assert.ok([tableId, sheetId].includes(read.tableId));
        assert.ok([tableId, sheetId].includes(read.sheetId));
        assert.ok([undefined, 'https://a.example'].includes(read.origin), read.origin);
      }),
      { numRuns: 2000 },
    );
  });
});
