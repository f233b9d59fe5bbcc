import type { Cell } from '../../../api/cell.ts';
import { cellError } from '../../../api/cell.ts';
import { parseJsonAsWritten, stringifyJson } from '../../../core/http/json.ts';
import type { CellAddress, CellDetail } from '../../../protocol/grid-cells.ts';
import type { GridColumn } from '../../../protocol/grid-sheet.ts';
import { laidOut, layOut } from '../../panels/laid-out.ts';
import { presentationOf } from './cell-presentation.ts';
import { cutText } from '../../../core/shortened.ts';

/** Longest value that the detail pane is sent; an editor opens what is longer. */
export const detailLength = 200_000;

const isPlain = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** Lists of ids are read as such. */
const metricOf = (value: unknown): string | number | null => {
  if (isPlain(value) || value === null) return value;
  return Array.isArray(value) && value.every(isPlain) ? value.join(', ') : stringifyJson(value);
};

/** The value of a string that holds an object or a list; undefined for any other text. */
export function jsonInside(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseJsonAsWritten(text);
  } catch {
    return undefined; // a text that only begins like JSON is just a text
  }
}

/** The whole value as text, and laid out when it is (or holds) JSON. */
export function wholeValue(cell: Cell): {
  readonly text: string;
  readonly json: string | undefined;
} {
  const { text, kind } = presentationOf(cell, { computed: false, system: false }, Infinity);
  if (kind === 'json') return { text, json: layOut(text) };
  const inside = kind === 'text' ? jsonInside(text) : undefined;
  return { text, json: inside === undefined ? undefined : laidOut(inside) };
}

export function cellDetailOf(
  cell: Cell,
  column: GridColumn,
  address: CellAddress,
  sheetVersion: number | undefined,
): CellDetail {
  const presentation = presentationOf(cell, column, Infinity);
  const { text, json } = wholeValue(cell);
  const error = cell.status === 'error' ? cellError(cell) : undefined;
  const shown = cell.display_value ?? undefined;
  const metrics = Object.entries(cell.request_metrics ?? {})
    .filter(([, value]) => !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => [name, metricOf(value)] as const);
  return {
    columnId: address.columnId,
    rowIndex: address.rowIndex,
    id: cell.id,
    columnTitle: column.title,
    columnType: column.type,
    editable: column.editable,
    status: presentation.status,
    kind: presentation.kind,
    text: cutText(text, detailLength),
    ...(shown !== undefined &&
      shown !== '' &&
      shown !== text && { displayText: cutText(shown, detailLength) }),
    ...(json !== undefined && { json: cutText(json, detailLength) }),
    cut: text.length > detailLength || (json?.length ?? 0) > detailLength,
    ...(error !== undefined && { error: cutText(error, detailLength) }),
    ...(metrics.length > 0 && { metrics: Object.fromEntries(metrics) }),
    ...(typeof cell.input_hash === 'string' && { inputHash: cell.input_hash }),
    ...(typeof cell.execution_id === 'string' && { executionId: cell.execution_id }),
    ...(typeof cell.last_computed_version === 'number' && {
      lastComputedVersion: cell.last_computed_version,
    }),
    ...(sheetVersion !== undefined && { sheetVersion }),
    ...(typeof cell.updated_at === 'string' && { updatedAt: cell.updated_at }),
  };
}
