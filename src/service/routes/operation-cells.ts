import { JsonText, jsonObject } from '../http/json-text.ts';
import { cellId } from '../store/cell-id.ts';
import type { Session } from '../store/database.ts';
import type { ColumnRecord } from '../store/records.ts';
import { listColumns } from '../store/scope.ts';
import { isoTime } from './answers.ts';
import { displayJson } from './cell-json.ts';
import { shownCells, type ShownCell } from './shown-cells.ts';

interface CellPlace {
  readonly rowIndex: number;
  readonly columnKey: number;
}

/** Queued cells as an operation's answer shows them: without error texts and metrics. */
export async function operationCells(
  session: Session,
  sheet: { readonly key: number; readonly id: string },
  places: readonly CellPlace[],
): Promise<JsonText[]> {
  if (places.length === 0) return [];
  const columns = new Map(
    (await listColumns(session, sheet.key, { withSystem: false })).map((column) => [
      column.key,
      column,
    ]),
  );
  const rows = places.map(({ rowIndex }) => rowIndex);
  // What they are computed from may be much larger than they are.
  const asked = new Set(places.map(({ columnKey }) => columnKey));
  const cells = await shownCells(
    session,
    `where sheet_key = ? and row_index between ? and ? and column_key ${session.dialect.isOneOf}`,
    [sheet.key, Math.min(...rows), Math.max(...rows), JSON.stringify([...asked])],
  );
  const records = new Map(cells.map((cell) => [placeKey(cell.row_index, cell.column_key), cell]));
  return places.flatMap(({ rowIndex, columnKey }) => {
    const column = columns.get(columnKey);
    return column
      ? [write(sheet.id, column, rowIndex, records.get(placeKey(rowIndex, columnKey)))]
      : [];
  });
}

const placeKey = (rowIndex: number, columnKey: number): string =>
  `${String(rowIndex)}.${String(columnKey)}`;

function write(
  sheetId: string,
  column: ColumnRecord,
  rowIndex: number,
  record: ShownCell | undefined,
): JsonText {
  return jsonObject({
    id: cellId(column.cell_prefix, rowIndex),
    sheet_id: sheetId,
    column_id: column.id,
    row_index: rowIndex,
    status: 'QUEUED',
    execution_id: record?.execution_id ?? null,
    last_computed_version: record?.last_computed_version ?? null,
    display_value: new JsonText(record ? displayJson(record.value, record.display) : 'null'),
    input_hash: record?.input_hash ?? null,
    value: new JsonText(record?.value ?? 'null'),
    updated_at: record ? isoTime(record.updated_at) : null,
  });
}
