import { ExactNumber } from '../../../api/exact-number.ts';
import type { Cell } from '../../../api/cell.ts';
import { cellError, isCutOff } from '../../../api/cell.ts';
import type { CellKind } from '../../../protocol/grid-cells.ts';
import type { GridColumn } from '../../../protocol/grid-sheet.ts';
import { noStatus, previewLength } from '../../../protocol/grid-cells.ts';
import { cutOffStatus } from '../../../protocol/grid-work.ts';
import { jsonStart } from '../../../core/tables/json-text.ts';
import { cutText } from '../../../core/shortened.ts';

/** What a cell shows: its text (whole or cut), what it holds, and how it stands. */
export interface CellPresentation {
  readonly text: string;
  readonly kind: CellKind;
  readonly cut: boolean;
  readonly status: string;
  readonly error: string | undefined;
}

type PresentationColumn = Pick<GridColumn, 'computed' | 'system'>;

function kindOf(cell: Cell, column: PresentationColumn): CellKind {
  const { value } = cell;
  if (value === undefined || value === null) {
    // Some cells carry only the text to show.
    if (cell.display_value) return 'text';
    if (column.computed) {
      const isSettled = cell.status === 'completed' || cell.status === 'error';
      return isSettled || typeof cell.last_computed_version === 'number' ? 'null' : 'notRun';
    }
    if (value === null) return 'null';
    return cell.display_value === '' ? 'empty' : 'missing';
  }
  if (typeof value === 'string') return value === '' ? 'empty' : 'text';
  if (typeof value === 'number' || value instanceof ExactNumber) return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return 'json';
}

function textOf(cell: Cell, kind: CellKind, limit: number): string {
  const { value } = cell;
  switch (kind) {
    case 'missing':
    case 'notRun':
    case 'null':
    case 'empty':
      return '';
    case 'text':
      return typeof value === 'string' ? value : (cell.display_value ?? '');
    case 'boolean':
      return String(value);
    case 'number':
    case 'json':
      return jsonStart(value, limit, cell.display_value);
  }
}

/** A status word only where there is one to tell: cells that are typed in are just there. */
function statusOf(cell: Cell, column: PresentationColumn): string {
  if (column.computed) {
    return cell.status === 'completed' && isCutOff(cell) ? cutOffStatus : cell.status;
  }
  return cell.status === 'error' ? cell.status : noStatus;
}

/** `limit`: longest text in UTF-16 units; Infinity for the whole value. */
export function presentationOf(
  cell: Cell | undefined,
  column: PresentationColumn,
  limit: number = previewLength,
): CellPresentation {
  if (cell === undefined) {
    // A computed cell without a stored row has never been run.
    return column.computed
      ? { text: '', kind: 'notRun', cut: false, status: 'stale', error: undefined }
      : { text: '', kind: 'missing', cut: false, status: noStatus, error: undefined };
  }
  const kind = kindOf(cell, column);
  const whole = textOf(cell, kind, limit + 1);
  const text = cutText(whole, limit);
  const error = cell.status === 'error' ? cellError(cell) : undefined;
  return {
    text,
    kind,
    cut: text.length < whole.length,
    status: statusOf(cell, column),
    error: error === undefined ? undefined : cutText(error, limit),
  };
}

/** The whole text of a cell that people fill in; null: no value. */
export function shownText(cell: Cell | undefined): string | null {
  const { kind, text } = presentationOf(cell, { computed: false, system: false }, Infinity);
  return kind === 'null' || kind === 'missing' ? null : text;
}
