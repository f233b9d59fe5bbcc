import assert from 'node:assert/strict';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { writeXlsx } from 'hucre/xlsx';
import { ImportError } from '../../../../src/core/imports/import-error.ts';
import { packageOf } from '../../../../src/core/imports/xlsx-package.ts';
import { fileOf, readFile } from './support.ts';

const SHEET = 'xl/worksheets/sheet1.xml';
const STRINGS = 'xl/sharedStrings.xml';
const STYLES = 'xl/styles.xml';
const WORKBOOK = 'xl/workbook.xml';
const RELATIONS = 'xl/_rels/workbook.xml.rels';

type Parts = Record<string, Uint8Array<ArrayBuffer>>;

const book = async (): Promise<Parts> =>
  unzipSync(
    await writeXlsx({
      sheets: [
        {
          name: 'Data',
          rows: [
            ['a', 'b', 'c'],
            ['x', new Date(Date.UTC(2024, 1, 29)), true],
          ],
        },
        { name: 'Other', rows: [['q'], [1]] },
      ],
    }),
  );

/** With the cells of the second row in the place of its own. */
async function withCells(cells: string): Promise<Parts> {
  const parts = await book();
  const text = strFromU8(parts[SHEET] ?? new Uint8Array());
  assert.match(text, /<row r="2".*?<\/row>/s);
  parts[SHEET] = strToU8(text.replace(/<row r="2".*?<\/row>/s, `<row r="2">${cells}</row>`));
  return parts;
}

const read = (parts: Parts, mangle = (bytes: Uint8Array): Uint8Array => bytes) =>
  readFile(fileOf('a.xlsx', mangle(zipSync(parts))));

async function refusal(reading: Promise<unknown>, what: string): Promise<ImportError> {
  const outcome = await reading.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  assert.ok('error' in outcome && outcome.error instanceof ImportError, what);
  return outcome.error;
}

describe('A workbook that is damaged', () => {
  it('is refused with sheet and cell where a value could only be guessed', async () => {
    const cells: readonly (readonly [string, string])[] = [
      ['B2', '<c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>17</v></c>'],
      ['A2', '<c r="A2" t="s"><v>-1</v></c>'],
      ['A2', '<c r="A2" t="s"><v>1.5</v></c>'],
      ['A2', '<c r="A2" t="s"><v>x</v></c>'],
      ['A2', '<c r="A2" t="weird"><v>1</v></c>'],
      ['A2', '<c r="A2" t="b"><v>2</v></c>'],
      ['A2', '<c r="A2" t="b"><v>yes</v></c>'],
      ['A2', '<c r="A2"><v>abc</v></c>'],
      ['A2', '<c r="A2"><v>0x10</v></c>'],
      ['A2', '<c r="A2" t="n"><v>1e999</v></c>'],
      ['A2', '<c r="A2" t="n"><v>1,5</v></c>'],
      ['A2', '<c r="A2" s="99"><v>45351</v></c>'],
      ['A2', '<c r="A2" s="-1"><v>45351</v></c>'],
      ['A2', '<c r="A2" t="inlineStr"><v>lost</v></c>'],
      ['A2', '<c r="A2" t="str"><is><t>lost</t></is></c>'],
      ['A2', '<c r="A2"><is><t>lost</t></is></c>'],
      ['A2', '<c r="A2"><v>1</v></c><c r="A2"><v>2</v></c>'],
      ['B2', '<c r="B2"><v>1</v></c><c r="A2"><v>2</v></c>'],
      ['2', '<c r="A7"><v>1</v></c>'],
      ['2', '<c r="2A"><v>1</v></c>'],
      ['3', '<c r="A2"><v>1</v></c></row><row r="3"/><row r="3"><c r="A3"><v>1</v></c>'],
      ['2', '</row><row r="-4"><c><v>1</v></c>'],
    ];
    for (const [cell, text] of cells) {
      const { fault, message } = await refusal(read(await withCells(text)), text);
      assert.ok(fault.kind === 'broken-cell', `${text}: ${message}`);
      assert.deepEqual([fault.sheet, fault.cell], ['Data', cell], `${text}: ${message}`);
      assert.match(message, /is damaged: .* Open the workbook in Excel/);
    }
  });

  it('is refused where a part of it is missing, cut off, or another one', async () => {
    const half = (bytes = new Uint8Array()): Uint8Array<ArrayBuffer> =>
      bytes.subarray(0, Math.ceil(bytes.length * 0.7));
    const edit = (parts: Parts, name: string, change: (text: string) => string): void => {
      const text = strFromU8(parts[name] ?? new Uint8Array());
      assert.notEqual(change(text), text, name);
      parts[name] = strToU8(change(text));
    };
    const without = (parts: Parts, name: string): void => {
      assert.ok(parts[name], name);
      Reflect.deleteProperty(parts, name);
    };
    const breaks: Readonly<Record<string, (parts: Parts) => void>> = {
      'no sheet': (parts) => without(parts, SHEET),
      'no relation to a sheet': (parts) =>
        edit(parts, RELATIONS, (text) => text.replace(/<Relationship [^>]*sheet1[^>]*>/, '')),
      'no strings': (parts) => without(parts, STRINGS),
      'no workbook': (parts) => without(parts, WORKBOOK),
      'no styles, but cells that have some': (parts) => without(parts, STYLES),
      'two sheets of one name': (parts) =>
        edit(parts, WORKBOOK, (text) => text.replace('"Other"', '"Data"')),
      'half a sheet': (parts) => {
        parts[SHEET] = half(parts[SHEET]);
      },
      'a sheet without its end': (parts) =>
        edit(parts, SHEET, (text) => text.slice(0, text.indexOf('</sheetData>'))),
      'half a row': (parts) =>
        edit(parts, SHEET, (text) => text.slice(0, text.lastIndexOf('</row>'))),
      'half the strings': (parts) => {
        parts[STRINGS] = half(parts[STRINGS]);
      },
      'half the styles': (parts) => {
        parts[STYLES] = half(parts[STYLES]);
      },
      'tags that do not match': (parts) =>
        edit(parts, SHEET, (text) => text.replace('</c>', '</d>')),
      'bytes that are no text': (parts) => {
        parts[STRINGS] = Uint8Array.from(parts[STRINGS] ?? [], (byte) =>
          byte === 120 ? 255 : byte,
        );
      },
      'UTF-16': (parts) => {
        parts[STRINGS] = Buffer.from(strFromU8(parts[STRINGS] ?? new Uint8Array()), 'utf16le');
      },
    };
    for (const [what, change] of Object.entries(breaks)) {
      const parts = await book();
      change(parts);
      const { message } = await refusal(read(parts), what);
      assert.match(message, /not a whole Excel workbook|is damaged/, `${what}: ${message}`);
    }
  });

  it('is refused where a byte of what is read has changed, and wherever it is cut off', async () => {
    const { values } = await read(await book());
    const level0 = zipSync(await book(), { level: 0 });
    const at = Buffer.from(level0).indexOf('>x<') + 1;
    const changed = Uint8Array.from(level0);
    changed[at] = 'y'.charCodeAt(0);
    await refusal(readFile(fileOf('a.xlsx', changed)), 'a letter of a text');
    const packed = zipSync(await book());
    for (let byte = 60; byte < packed.length; byte += 97) {
      const flipped = Uint8Array.from(packed);
      flipped[byte] = (flipped[byte] ?? 0) ^ 0x10;
      const outcome = await readFile(fileOf('a.xlsx', flipped)).catch((error: unknown) => error);
      if (outcome instanceof Error) assert.ok(outcome instanceof ImportError, String(outcome));
      else assert.deepEqual((outcome as { values: unknown }).values, values, String(byte));
      await refusal(readFile(fileOf('a.xlsx', packed.subarray(0, byte))), `cut at ${byte}`);
    }
  });
});

describe('A workbook', () => {
  it('has nothing where a cell has a type and no value', async () => {
    const types = ['s', 'b', 'n', 'e', 'd', 'str', 'inlineStr'];
    const cells = types.map((type, at) => `<c r="${'ABCDEFG'[at] ?? ''}2" t="${type}"/>`).join('');
    const { values } = await read(await withCells(`${cells}<c r="H2"><v>1</v></c>`));
    assert.deepEqual(values, [[...types.map(() => null), '1']]);
  });

  it('is read where it names no places, and where its tags have prefixes', async () => {
    const plain = await withCells('<c t="s"><v>1</v></c><c/><c t="b"><v>1</v></c>');
    assert.deepEqual((await read(plain)).values, [['"b"', null, 'true']]);
    const dates = await withCells(
      '<c r="A2" t="d"><v>2024-02-29</v></c><c r="C2"><v> 1.5E3 </v></c>',
    );
    assert.deepEqual((await read(dates)).values, [['"2024-02-29"', null, '1500']]);
  });

  it('tells errors, formulas without a value and merged areas, however large it is', async () => {
    const cells =
      '<c r="A2" t="e"><v>#BUSY!</v></c><c r="B2"><f>1+1</f></c><c r="C2" t="str"><f>""</f><v></v></c>';
    const { values, remarks } = await read(await withCells(cells));
    assert.deepEqual(values, [['"#BUSY!"', null, '""']]);
    assert.deepEqual(
      remarks.map(({ kind, record }) => [kind, record]),
      [
        ['no-result', 2],
        ['error-value', 2],
      ],
    );
  });

  it('has sheets without cells where they are charts', () => {
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const { sheets } = packageOf(
      zipSync({
        [WORKBOOK]: strToU8(
          '<w><sheets><sheet name="A" r:id="a"/><x:sheet name="B" x:id="b" state="veryHidden"/><sheet name="C"/></sheets></w>',
        ),
        [RELATIONS]: strToU8(
          `<r><Relationship Id="a" Type="${office}/chartsheet" Target="c.xml"/><r:Relationship Type='${office}/worksheet' Target="/xl/w%20x.xml" Id='b'/></r>`,
        ),
      }),
    );
    assert.deepEqual(sheets, [
      { name: 'A', isHidden: false, hasCells: false, part: 'xl/c.xml' },
      { name: 'B', isHidden: true, hasCells: true, part: 'xl/w x.xml' },
      { name: 'C', isHidden: false, hasCells: true, part: undefined },
    ]);
  });
});
