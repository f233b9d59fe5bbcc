/**
 * The thread that reads files, so that the extension host never waits for it: a task each, given as
 * its data. What is wrong with a file is an answer; everything else ends the thread with an error.
 */
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { cutShort, ImportError, tooMuch } from '../../core/imports/import-error.ts';
import { openFile, type OpenedFile } from '../../core/imports/open-file.ts';
import { Remarks, type ByteFile, type Table, type TableRow } from '../../core/imports/table.ts';
import { uploadText } from '../../core/imports/upload.ts';
import { compressors } from './compressors.ts';
import { shownRows, type ImportNote, type ImportTask, type SentFault } from './task.ts';

const PIECE_BYTES = 256 * 1024;

async function fileOnDisk(path: string, name: string): Promise<ByteFile> {
  const handle = await open(path, 'r');
  const { size } = await handle.stat();
  const read = async (start: number, length: number): Promise<Buffer<ArrayBuffer>> => {
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await handle.read(bytes, 0, length, start);
    if (bytesRead < length) throw cutShort();
    return bytes;
  };
  return {
    ...{ name, byteLength: size },
    async *pieces() {
      for (let at = 0; at < size; at += PIECE_BYTES)
        yield await read(at, Math.min(PIECE_BYTES, size - at));
    },
    slice: async (start, end = size) => (await read(start, end - start)).buffer,
  };
}

const sent = ({ message, fault }: ImportError): SentFault => ({ message, fault });

const tell = (note: ImportNote): void => parentPort?.postMessage(note);

/** Rows that were read since the last report. */
const COUNT_MS = 200;

class Counter {
  rows = 0;
  #reportedAt = performance.now();

  add(rows: number): void {
    this.rows += rows;
    if (performance.now() - this.#reportedAt < COUNT_MS) return;
    this.#reportedAt = performance.now();
    tell({ kind: 'count', rows: this.rows });
  }
}

async function look(opened: OpenedFile, mostRows = shownRows): Promise<void> {
  const { form, table, lines = [] } = opened;
  const remarks = new Remarks();
  const counter = new Counter();
  const first: TableRow[] = [];
  let fault = opened.fault === undefined ? null : sent(opened.fault);
  let isReported = false;
  const tellFirst = (): void => {
    if (!isReported)
      tell({ kind: 'first', form, fields: table?.fields ?? [], lines, rows: first, fault });
    isReported = true;
  };
  try {
    for await (const rows of table?.rows(remarks) ?? []) {
      counter.add(rows.length);
      if (first.length < mostRows) first.push(...rows.slice(0, mostRows - first.length));
      if (first.length >= mostRows) tellFirst();
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    fault = sent(error);
  }
  tellFirst();
  tell({ kind: 'end', rows: counter.rows, remarks: remarks.list, fault });
}

async function write(
  table: Table,
  { path, format, columns, mostBytes }: NonNullable<ImportTask['write']>,
): Promise<void> {
  const remarks = new Remarks();
  const counter = new Counter();
  const file = fs.openSync(path, 'w', 0o600);
  let size = 0;
  try {
    for await (const { text, rows } of uploadText(table, columns, format, remarks)) {
      const bytes = Buffer.from(text);
      size += bytes.byteLength;
      if (size > mostBytes) throw tooMuch(mostBytes);
      fs.writeSync(file, bytes);
      counter.add(rows);
    }
    tell({ kind: 'end', rows: counter.rows, remarks: remarks.list, fault: null });
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    tell({ kind: 'end', rows: counter.rows, remarks: remarks.list, fault: sent(error) });
  } finally {
    fs.closeSync(file);
  }
}

async function work({ path, name, choices, mostRows, write: writing }: ImportTask): Promise<void> {
  const file = await fileOnDisk(path, name);
  const opened = await openFile(file, choices, { compressors });
  if (writing === undefined) {
    await look(opened, mostRows);
    return;
  }
  if (opened.fault !== undefined) throw opened.fault;
  // Nobody asks for that before it is known how the file is to be read.
  if (opened.table === undefined) throw new Error('undecided');
  await write(opened.table, writing);
}

work(workerData as ImportTask).catch((error: unknown) => {
  if (!(error instanceof ImportError)) throw error;
  tell({ kind: 'end', rows: 0, remarks: [], fault: sent(error) });
});
