import assert from 'node:assert/strict';
import fc from 'fast-check';
import { copySelection } from '../../../../src/extension/grid/copy/copy.ts';
import type { CopiedCell } from '../../../../src/extension/grid/copy/copy-formats.ts';
import { readCopied } from '../../../../src/extension/grid/paste/copied.ts';
import { noteCopied } from '../../../../src/extension/grid/paste/note-copied.ts';
import { pastedCells } from '../../../../src/extension/grid/paste/paste.ts';
import { readPaste } from '../../../../src/extension/grid/paste/read-paste.ts';
import { readSeparated } from '../../../../src/extension/grid/paste/separated.ts';
import { cellKinds } from '../../../../src/protocol/grid-cells.ts';
import type { GridColumn } from '../../../../src/protocol/grid-sheet.ts';
import type { GridPage } from '../../../../src/protocol/grid-cells.ts';
import type { Block, PasteForm } from '../../../../src/protocol/grid-work.ts';
import { memory, t, testEditorHost } from './editor-host.ts';
import { textColumn } from './fake-rows.ts';

const signal = new AbortController().signal;

/** Copies cells as the grid does. */
async function copyOf(cells: readonly (readonly CopiedCell[])[], formulaGuard: boolean) {
  const columns = (cells[0] ?? []).map((_, at): GridColumn => ({ ...textColumn, id: `c${at}` }));
  const page: unknown = {
    rowIndices: cells.map((_, at) => at),
    statuses: [''],
    columns: Object.fromEntries(
      columns.map(({ id }, at) => [
        id,
        {
          text: cells.map((row) => row[at]?.text ?? ''),
          kind: cells.map((row) => cellKinds.indexOf(row[at]?.kind ?? 'missing')),
          status: cells.map(() => 0),
          ...{ cut: [], errors: {} },
        },
      ]),
    ),
  };
  const kept = { grid: page as GridPage, version: 1 };
  return copySelection(
    { rowCount: cells.length, version: 1, page: async () => kept, rows: async () => [] },
    {
      selection: {
        rows: [{ from: 0, to: cells.length - 1 }],
        columnIds: columns.map(({ id }) => id),
      },
      ...{ format: 'tsv', headers: false, columns, formulaGuard, limitBytes: 1e9, t },
    },
    signal,
  );
}

const piece = fc.constantFrom(
  ...['a', '"', '""', '\t', '\n', '\r\n', '\r', ' ', ',', 'null', "'", '=', '{', 'é', '\u00a0'],
);
const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''));
const cell: fc.Arbitrary<CopiedCell> = fc.oneof(
  text.map((of): CopiedCell => ({ text: of, kind: of === '' ? 'empty' : 'text' })),
  fc.constant<CopiedCell>({ text: '', kind: 'null' }),
);
const cells = fc.integer({ min: 1, max: 3 }).chain((width) =>
  fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
    ...{ minLength: 1, maxLength: 4 },
  }),
);

describe('paste of what was copied from a grid', () => {
  it('gives the same cells, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(cells, fc.boolean(), async (block, formulaGuard) => {
        const store = memory();
        const copied = await copyOf(block, formulaGuard);
        await noteCopied(store, copied.text, copied.form);
        assert.deepEqual(
          readCopied(store, copied.text),
          block.map((row) => row.map(({ kind, text: of }) => (kind === 'null' ? null : of))),
        );
      }),
      { numRuns: 400 },
    );
  });

  it('is known by its text only: what others copy afterwards is theirs', async () => {
    const editorHost = testEditorHost();
    const one = await copyOf([[{ text: 'a, b\nc, d', kind: 'text' }]], true);
    await editorHost.writeClipboard(one.text, one.form);
    const ask = (given: string | null) =>
      pastedCells(editorHost, { text: given, table: null, isAsked: false });
    assert.deepEqual(await ask('a, b\nc, d'), [['a, b\nc, d']]);
    assert.deepEqual(await ask('a, b\r\nc, d'), [['a, b\nc, d']], 'line ends of the platform');
    assert.deepEqual(await ask(null), [['a, b\nc, d']], 'read by the extension');
    assert.deepEqual(editorHost.offered, []);
    assert.equal(await ask('a, b\nc, e'), null);
    assert.deepEqual(editorHost.offered, [['lines', 'cell', 'csv']]);
    await editorHost.writeClipboard('other');
    assert.equal(await ask('a, b\nc, d'), null, 'no copy of a grid any more');
  });
});

describe('paste of what others have copied', () => {
  const forms = (of: string): readonly PasteForm[] | Block => {
    const reading = readPaste({ text: of, table: null });
    return 'block' in reading ? reading.block : reading.forms.map(({ form }) => form);
  };

  it('never parts prose, JSON or code by itself: somebody is asked', () => {
    const table: readonly (readonly [string, readonly PasteForm[]])[] = [
      ['Hello, how are you?\nFine, thanks.\n', ['lines', 'cell', 'csv']],
      ['{"a":1,"b":2}\n{"a":3,"b":4}', ['lines', 'cell', 'json', 'csv']],
      ['Paris, France\nRome, Italy\nOslo, Norway', ['lines', 'cell', 'csv']],
      ['Dear Ann,\nI am fine,\nbye,', ['lines', 'cell', 'csv']],
      ['1,5\n2,7', ['lines', 'cell', 'csv']],
      ['One or two\nThree', ['lines', 'cell']],
      ['Yes.\n\nNo.', ['cell', 'lines']],
      ['[1]\n[2]', ['lines', 'cell', 'json']],
      ['A prompt.\n\nIts end.', ['cell', 'lines']],
      ['[\n  {"a": 1}\n]', ['cell', 'lines', 'json']],
      ['{\n\t"a":\t1,\n\t"b":\t2\n}', ['cell', 'lines', 'tsv', 'csv']],
      ['{"a":\t1}\n{"a":\t2}', ['lines', 'cell', 'json', 'tsv']],
      ['if x:\n\treturn 1', ['lines', 'cell', 'tsv']],
      ['\treturn 1\n\treturn 2', ['lines', 'cell', 'tsv']],
      ['\treturn 1', ['cell', 'tsv']],
      ['\tName\tstring\n\tAge\tint', ['lines', 'cell', 'tsv']],
      ['{"a":\t1,\n"b":\t2', ['lines', 'cell', 'tsv', 'csv']],
      ['<ul>\n<li>1</li>\n</ul>', ['lines', 'cell']],
    ];
    for (const [of, offered] of table) assert.deepEqual(forms(of), offered, of);
  });

  it('takes a line for one cell, and tabs for cells of a spreadsheet', () => {
    assert.deepEqual(forms('a, b'), [['a, b']]);
    assert.deepEqual(forms('"a, b"\r\n'), [['"a, b"']]);
    assert.deepEqual(forms('one\r\ntwo\r\n'), [['one'], ['two']], 'a list of words');
    const many = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    assert.deepEqual(
      forms(many.join('\n')),
      many.map((line) => [line]),
      'a long list',
    );
    assert.deepEqual(forms('{"a":1,"b":2}'), [['{"a":1,"b":2}']]);
    assert.deepEqual(forms('\uFEFFa\tb'), [['a', 'b']], 'a byte order mark is no text');
    assert.deepEqual(forms('a\t"b\nc"\r\n1\tnull\r\n'), [
      ['a', 'b\nc'],
      ['1', null],
    ]);
  });

  it('reads each form as it says, with every digit', async () => {
    const editorHost = testEditorHost();
    const as = async (of: string, form: PasteForm) => {
      editorHost.form = form;
      return pastedCells(editorHost, { text: of, table: null, isAsked: true });
    };
    const lines = '{"id":1234567890123456789,"q":"Why?, so"}\n{"q":null,"x":[1.5]}\n';
    assert.deepEqual(await as(lines, 'json'), [
      ['1234567890123456789', 'Why?, so', ''],
      ['', null, '[1.5]'],
    ]);
    assert.deepEqual(await as('[[1,"a"],[2,"b"]]', 'json'), [
      ['1', 'a'],
      ['2', 'b'],
    ]);
    assert.deepEqual(await as('a,b\n"c,d",e', 'csv'), [
      ['a', 'b'],
      ['c,d', 'e'],
    ]);
    assert.deepEqual(await as('a\r\n\r\nb\n', 'lines'), [['a'], [''], ['b']]);
    assert.deepEqual(await as('a\r\n\r\nb\n', 'cell'), [['a\r\n\r\nb']]);
    assert.deepEqual(await as('a\tb\nc', 'tsv'), [['a', 'b'], ['c']]);
  });

  it('asks about a page that holds more than its table', async () => {
    const editorHost = testEditorHost();
    editorHost.form = 'table';
    const table = { block: [['a', 'b']], isAll: false, isExact: false };
    const asked = { text: 'Look:\na b\nSo it is.', table, isAsked: false };
    assert.deepEqual(await pastedCells(editorHost, asked), [['a', 'b']]);
    assert.deepEqual(editorHost.offered, [['table', 'lines', 'cell']]);
    editorHost.form = undefined;
    assert.equal(await pastedCells(editorHost, asked), null);
  });

  it('takes from the text of a spreadsheet what its page has not, and nothing else', () => {
    const read = (text: string, cells: readonly (readonly string[])[], isExact = true) => {
      const reading = readPaste({ text, table: { block: cells, isAll: true, isExact } });
      return 'block' in reading ? reading.block : reading.forms.map(({ form }) => form);
    };
    // Numbers as wide as their columns; columns that hold nothing but the end of a long text.
    assert.deepEqual(
      read('a\nb\tlong text\n12345678\tx', [
        ['a\nb', 'long text', ''],
        ['1.2E7', 'x', ''],
      ]),
      [
        ['a\nb', 'long text'],
        ['12345678', 'x'],
      ],
    );
    // A column that is empty in the text, too, is there.
    assert.deepEqual(read('a\t\n', [['a', '']]), [['a', '']]);
    // What was turned into blanks in the text is as the page has it.
    assert.deepEqual(read('x  y\tz\r\n', [['x\n\ty', 'z']]), [['x\n\ty', 'z']]);
    // A text with other rows (those that a filter hides) says nothing.
    assert.deepEqual(read('a\nhidden\nc\n', [['a'], ['c']]), [['a'], ['c']]);
    // A page that wraps its lines knows no blanks, but it knows line breaks that the text has lost.
    assert.deepEqual(read('one  two\tx\r\n', [['one\ntwo', 'x']], false), [['one\ntwo', 'x']]);
    assert.deepEqual(read('one  two\tx\r\n', [['one two', 'x']], false), [['one  two', 'x']]);
  });

  it('reads quotes as spreadsheets write them; other quotes are letters', () => {
    assert.deepEqual(readSeparated('a\t"b\t1"\n"c\nd"\t"say ""hi"""\n', '\t'), [
      ['a', 'b\t1'],
      ['c\nd', 'say "hi"'],
    ]);
    assert.deepEqual(readSeparated('5" pipe\t"open\n"x" y', '\t'), [
      ['5" pipe', '"open'],
      ['"x" y'],
    ]);
    assert.deepEqual(readSeparated('null\t"null"\t""\t', '\t'), [[null, 'null', '', '']]);
  });

  it('never throws, and loses no line', () => {
    fc.assert(
      fc.property(fc.string(), (of) => {
        const block = readSeparated(of, '\t');
        assert.ok(block.every((row) => row.length > 0));
        if (!of.includes('"')) {
          const lines = of.split(/\r\n|\r|\n/);
          const isEnded = /[\r\n]$/.test(of) || of === '';
          assert.equal(block.length, isEnded ? lines.length - 1 : lines.length);
        }
      }),
    );
  });
});
