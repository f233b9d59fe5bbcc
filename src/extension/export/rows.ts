import type { Cell } from '../../api/cell.ts';
import type { Column } from '../../api/column.ts';
import { ResponseFormatError } from '../../core/errors.ts';
import type { FileCell, FileRow, ReadPages } from '../../core/exports/shape.ts';
import { stringifyJson } from '../../core/http/json.ts';
import { writtenJson } from '../../core/tables/json-text.ts';
import type { Client, SheetRef } from '../../core/index.ts';
import type { Translate } from '../shell/translate.ts';

export interface RowsRequest {
  readonly client: Client;
  readonly ref: SheetRef;
  readonly columns: readonly Column[];
  /** Only these, by their row index; undefined: all. */
  readonly rowIndices: ReadonlySet<number> | undefined;
  readonly withSystem: boolean;
  readonly signal: AbortSignal;
  /** After each page: rows that were read in this pass. */
  readonly onRows: (rows: number) => void;
  /** The sheet was changed while it was read. */
  readonly onChanged: () => void;
  readonly t: Translate;
}

/** A cell as the service sends it -> as files have it. */
export function fileCell(cell: Cell | undefined): FileCell | undefined {
  if (cell === undefined) return undefined;
  const { status, display_value: shown, error, error_message } = cell;
  let value: string | null = null;
  if (cell.value !== undefined && cell.value !== null) value = writtenJson(cell);
  // Some cells carry only the text to show.
  else if (shown) value = stringifyJson(shown);
  return { status, value, error: error ?? null, error_message: error_message ?? null };
}

/** The rows of a sheet, page by page, for services that make no files. */
export function readSheet(fileRequest: RowsRequest): ReadPages {
  const { client, ref, columns, rowIndices, signal, onRows, onChanged, t } = fileRequest;
  const last = rowIndices === undefined ? Infinity : largest(rowIndices);
  return async function* pages() {
    let rows = 0;
    const query = { include_system_columns: fileRequest.withSystem, include_row_count: false };
    for await (const page of client.tables.rows.pages(ref, query, { signal })) {
      if (page.restarted) {
        throw new ResponseFormatError(
          t("The sheet changed while it was being read, so reading can't continue."),
          { hint: t('Nothing was written. Export again, or save a version and export that.') },
        );
      }
      if (page.versionChanged) onChanged();
      const wanted =
        rowIndices === undefined
          ? page.items
          : page.items.filter(({ row_index }) => rowIndices.has(row_index));
      yield wanted.map(({ row_index: rowIndex, cells }): FileRow => ({
        rowIndex,
        cells: columns.map(({ id }) => fileCell(cells[id])),
      }));
      rows += wanted.length;
      onRows(rows);
      if ((page.items.at(-1)?.row_index ?? 0) >= last) return;
    }
  };
}

/** Not Math.max: a set may have more members than a call has arguments. */
function largest(indices: ReadonlySet<number>): number {
  let found = -1;
  for (const index of indices) if (index > found) found = index;
  return found;
}
