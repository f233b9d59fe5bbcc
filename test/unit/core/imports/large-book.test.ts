/** A small workbook that is large when it is unpacked, read in a process of its own. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { unzipSync, Zip, ZipDeflate } from 'fflate';
import { writeXlsx } from 'hucre/xlsx';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { compileCache } from '../../../support/service-entry.ts';
import { timeLimit } from '../../../support/time-limit.ts';

const MEGABYTE = 2 ** 20;
const SHEET = 'xl/worksheets/sheet1.xml';
const UNPACKED_MB = 70;
/** The unpacked sheet is held once, and what is read of it for a moment. Five times as much was once. */
const MOST_MB = 3 * UNPACKED_MB;

/** A workbook of so many megabytes when it is unpacked; packed it is a hundredth of that. */
async function bookOf(megabytes: number): Promise<{ packed: Uint8Array; rows: number }> {
  const data = [{ name: 'Large', rows: [['title'], ['text']] }];
  const parts = unzipSync(await writeXlsx({ sheets: data }));
  const sheet = new TextDecoder().decode(parts[SHEET]);
  const [before, after] = [sheet.split('<sheetData>')[0], sheet.split('</sheetData>')[1]];
  assert.ok(before !== undefined && after !== undefined);
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  const add = (name: string, contents: Iterable<string | Uint8Array>): void => {
    const part = new ZipDeflate(name, { level: 6 });
    zip.add(part);
    for (const content of contents) part.push(Buffer.from(content));
    part.push(new Uint8Array(), true);
  };
  for (const [name, content] of Object.entries(parts)) if (name !== SHEET) add(name, [content]);
  let rows = 0;
  add(
    SHEET,
    (function* () {
      yield `${before}<sheetData>`;
      for (let length = 0; length < megabytes * MEGABYTE;) {
        const some = Array.from({ length: 1000 }, () => {
          rows += 1;
          const row = String(rows);
          return `<row r="${row}"><c r="A${row}" t="inlineStr"><is><t>${'word '.repeat(100)}${row}</t></is></c></row>`;
        }).join('');
        length += some.length;
        yield some;
      }
      yield `</sheetData>${after}`;
    })(),
  );
  zip.end();
  return { packed: Buffer.concat(pieces), rows };
}

/** Reads a workbook as an import does; tells its rows and the memory that reading took at most. */
const program = `
  import { openAsBlob } from 'node:fs';
  const [module, table, file] = process.argv.slice(1);
  const { openFile } = await import(module);
  const { Remarks } = await import(table);
  const blob = await openAsBlob(file);
  const slice = (start, end) => blob.slice(start, end).arrayBuffer();
  const book = { name: 'a.xlsx', byteLength: blob.size, slice, pieces: () => blob.stream() };
  const before = process.resourceUsage().maxRSS;
  const opened = await openFile(book, {});
  if (opened.fault) throw opened.fault;
  let rows = 0;
  for await (const batch of opened.table.rows(new Remarks())) rows += batch.length;
  const mb = (process.resourceUsage().maxRSS - before) / 1024;
  console.log(JSON.stringify({ rows, mb }));
`;

const moduleAt = (file: string): string =>
  new URL(`../../../../src/core/imports/${file}`, import.meta.url).href;

describe('A small workbook that is large when it is unpacked', () => {
  it('is read in little more memory than its sheet takes', async function () {
    this.timeout(timeLimit(60_000));
    const folder = await mkdtemp(path.join(tmpdir(), 'pt-book-'));
    try {
      const file = path.join(folder, 'a.xlsx');
      const { packed, rows } = await bookOf(UNPACKED_MB);
      assert.ok(packed.byteLength < 3 * MEGABYTE, String(packed.byteLength));
      await writeFile(file, packed);
      const args = [moduleAt('open-file.ts'), moduleAt('table.ts'), file];
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--max-semi-space-size=8', '--input-type=module', '-e', program, ...args],
        { env: { ...process.env, ...compileCache } },
      );
      const read = z.object({ rows: z.number(), mb: z.number() }).parse(JSON.parse(stdout));
      assert.equal(read.rows, rows - 1);
      assert.ok(read.mb < MOST_MB, `${read.mb.toFixed(0)} MB`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
