import type { Cell } from '../../api/cell.ts';
import { cellError } from '../../api/cell.ts';
import { parseJson, stringifyJson } from '../../core/http/json.ts';
import type { CellAddress, CellDetail } from '../../protocol/grid-cells.ts';
import type { GridColumn } from '../../protocol/grid-sheet.ts';
import { faceOf } from './cell-face.ts';
import { cutText } from './json-text.ts';

/** Longest value that the detail pane is sent; an editor opens what is longer. */
export const detailLength = 200_000;

/** The value of a string that holds an object or a list; undefined for any other text. */
export function jsonInside(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined; // a text that only begins like JSON is just a text
  }
}

/** JSON with two spaces, exact numbers kept. */
export function prettyJson(value: unknown): string {
  // Stringified once to settle exact numbers, then laid out token by token.
  return layOut(stringifyJson(value));
}

function layOut(json: string): string {
  const tokens = json.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^{}[\],:"]+/g) ?? [];
  let out = '';
  let depth = 0;
  const newLine = (): string => `\n${'  '.repeat(depth)}`;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token === '{' || token === '[') {
      const closes = next === '}' || next === ']';
      if (!closes) depth += 1;
      out += closes ? token : token + newLine();
    } else if (token === '}' || token === ']') {
      const previous = tokens[index - 1];
      const isEmpty = previous === '{' || previous === '[';
      if (!isEmpty) depth -= 1;
      out += isEmpty ? token : newLine() + token;
    } else if (token === ',') out += token + newLine();
    else out += token === ':' ? ': ' : token;
  }
  return out;
}

/** The whole value as text, and laid out when it is (or holds) JSON. */
export function wholeValue(cell: Cell): {
  readonly text: string;
  readonly json: string | undefined;
} {
  const { text, kind } = faceOf(cell, { computed: false, system: false }, Infinity);
  const inside = kind === 'json' ? cell.value : kind === 'text' ? jsonInside(text) : undefined;
  return { text, json: inside === undefined ? undefined : prettyJson(inside) };
}

export function cellDetailOf(
  cell: Cell,
  column: GridColumn,
  address: CellAddress,
  sheetVersion: number | undefined,
): CellDetail {
  const face = faceOf(cell, column, Infinity);
  const { text, json } = wholeValue(cell);
  const error = cell.status === 'error' ? cellError(cell) : undefined;
  const shown = cell.display_value ?? undefined;
  const metrics = Object.entries(cell.request_metrics ?? {}).map(
    ([name, value]): [string, string | number | null] => [
      name,
      typeof value === 'number' || typeof value === 'string' || value === null
        ? value
        : stringifyJson(value),
    ],
  );
  return {
    columnId: address.columnId,
    rowIndex: address.rowIndex,
    id: cell.id,
    columnTitle: column.title,
    columnType: column.type,
    editable: column.editable,
    status: face.status,
    kind: face.kind,
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
