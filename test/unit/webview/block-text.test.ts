import assert from 'node:assert/strict';
import fc from 'fast-check';
import { copyWriter } from '../../../src/extension/grid/copy-formats.ts';
import { readBlock, readSeparated } from '../../../src/webview/grid/block-text.ts';

describe('A block from the clipboard', () => {
  it('is what was copied from the grid, whatever the texts are', () => {
    const letters = fc.constantFrom('a', '"', '""', '\t', '\n', '\r\n', ' ', ',', 'null', 'é', '=');
    const text = fc.array(letters, { maxLength: 8 }).map((parts) => parts.join(''));
    const cell = fc.oneof(fc.constant(null), text);
    const block = fc.integer({ min: 1, max: 4 }).chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 5,
      }),
    );
    fc.assert(
      fc.property(block, fc.constantFrom('tsv' as const, 'csv' as const), (cells, format) => {
        const writer = copyWriter(format, { titles: [], headers: false, formulaGuard: false });
        const rows = cells.map((row) =>
          writer.row(
            row.map((value) =>
              value === null
                ? { text: '', kind: 'null' as const }
                : { text: value, kind: value === '' ? ('empty' as const) : ('text' as const) },
            ),
          ),
        );
        const written = writer.start + rows.join('') + writer.end;
        assert.deepEqual(readSeparated(written, format === 'tsv' ? '\t' : ','), cells);
      }),
    );
  });

  it('never throws, and loses no line', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const block = readSeparated(text, '\t');
        assert.ok(block.every((row) => row.length > 0));
        if (!text.includes('"')) {
          const lines = text.split(/\r\n|\r|\n/);
          const isEnded = /[\r\n]$/.test(text) || text === '';
          assert.equal(block.length, isEnded ? lines.length - 1 : lines.length);
        }
      }),
    );
  });

  it('may hold quotes, separators and line ends in quotes; other quotes are letters', () => {
    assert.deepEqual(readSeparated('a\t"b\t1"\n"c\nd"\t"say ""hi"""\n', '\t'), [
      ['a', 'b\t1'],
      ['c\nd', 'say "hi"'],
    ]);
    assert.deepEqual(readSeparated('5" pipe\t"open\n"x" y', '\t'), [
      ['5" pipe', '"open'],
      ['"x" y'],
    ]);
  });

  it('is read as commas only where every line has as many', () => {
    const html = '';
    assert.deepEqual(readBlock({ text: 'a,b\n"c,d",e', html }), [
      ['a', 'b'],
      ['c,d', 'e'],
    ]);
    assert.deepEqual(readBlock({ text: 'Well, yes.\nNo', html }), [['Well, yes.'], ['No']]);
    assert.deepEqual(readBlock({ text: 'a, b', html }), [['a, b']]);
  });

  it('tells null from the text that says null', () => {
    assert.deepEqual(readSeparated('null\t"null"\t""\t', '\t'), [[null, 'null', '', '']]);
  });
});
