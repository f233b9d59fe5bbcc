import assert from 'node:assert/strict';
import { zipSync } from 'fflate';
import { haveCells } from '../../../../src/core/imports/xlsx-look.ts';

const book = (workbook: string, relations: string): Uint8Array =>
  zipSync({
    'xl/workbook.xml': new TextEncoder().encode(workbook),
    'xl/_rels/workbook.xml.rels': new TextEncoder().encode(relations),
  });

const base = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

describe('Sheets of a workbook', () => {
  it('have cells where they are no charts', () => {
    const sheets = book(
      '<sheets><sheet name="A" r:id="a"/><x:sheet name="B" r:id="b"/><sheet name="C"/></sheets>',
      `<Relationship Id="a" Type="${base}/chartsheet"/><r:Relationship Type='${base}/worksheet' Id='b'/>`,
    );
    assert.deepEqual(haveCells(sheets), [false, true, true]);
  });

  it('are found in time that grows with the file, also where no tag of it ends', () => {
    const times = 200_000;
    assert.deepEqual(haveCells(book('<sheet '.repeat(times), '<Relationship '.repeat(times))), []);
  });
});
