import { compressors } from '../../../../src/extension/import/compressors.ts';
import {
  openFile,
  type OpenedFile,
  type ReadChoices,
} from '../../../../src/core/imports/open-file.ts';
import {
  Remarks,
  type ByteFile,
  type Remark,
  type TableRow,
  type ValueText,
} from '../../../../src/core/imports/table.ts';

/** A file in memory, in pieces of any length. */
export function fileOf(
  name: string,
  content: Uint8Array | string,
  pieceBytes = 64 * 1024,
): ByteFile {
  const bytes = Buffer.from(content);
  return {
    name,
    byteLength: bytes.byteLength,
    async *pieces() {
      for (let at = 0; at < bytes.byteLength; at += pieceBytes)
        yield await Promise.resolve(bytes.subarray(at, at + pieceBytes));
    },
    slice: (start, end) => Promise.resolve(Uint8Array.from(bytes.subarray(start, end)).buffer),
  };
}

export interface ReadFile extends OpenedFile {
  readonly rows: readonly TableRow[];
  readonly values: readonly (readonly ValueText[])[];
  readonly remarks: readonly Remark[];
}

/** All of a file, as an import reads it. Throws what is wrong with it. */
export async function readFile(file: ByteFile, choices: ReadChoices = {}): Promise<ReadFile> {
  const opened = await openFile(file, choices, { compressors });
  if (opened.fault !== undefined) throw opened.fault;
  const remarks = new Remarks();
  const rows: TableRow[] = [];
  for await (const batch of opened.table?.rows(remarks) ?? []) rows.push(...batch);
  return { ...opened, rows, values: rows.map(({ values }) => values), remarks: remarks.list };
}
