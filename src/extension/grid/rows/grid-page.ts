import type { Row } from '../../../api/row.ts';
import type { CellPatch, GridPage, PageColumn } from '../../../protocol/grid-cells.ts';
import type { GridColumn } from '../../../protocol/grid-sheet.ts';
import { cellKinds, previewLength } from '../../../protocol/grid-cells.ts';
import { presentationOf } from '../cells/cell-presentation.ts';
import type { CellPresentation } from '../cells/cell-presentation.ts';

const kindNumbers = new Map(cellKinds.map((kind, index) => [kind, index]));
export const kindNumber = (kind: (typeof cellKinds)[number]): number => kindNumbers.get(kind) ?? 0;

export interface PagePlace {
  readonly page: number;
  readonly generation: number;
}

/** Rows as the service sent them -> the columnar page that crosses to the grid. */
export function gridPageOf(
  rows: readonly Row[],
  columns: readonly GridColumn[],
  { page, generation }: PagePlace,
  /** Longest text in UTF-16 units. */
  limit: number = previewLength,
): GridPage {
  const statuses: string[] = [];
  const statusNumbers = new Map<string, number>();
  const numberOf = (status: string): number => {
    let number = statusNumbers.get(status);
    if (number === undefined) {
      number = statuses.push(status) - 1;
      statusNumbers.set(status, number);
    }
    return number;
  };
  const pageColumns: Record<string, PageColumn> = {};
  for (const column of columns) {
    const text: string[] = [];
    const kind: number[] = [];
    const status: number[] = [];
    const cut: number[] = [];
    const errors: Record<number, string> = {};
    for (const [place, row] of rows.entries()) {
      const presentation = presentationOf(row.cells[column.id], column, limit);
      text.push(presentation.text);
      kind.push(kindNumber(presentation.kind));
      status.push(numberOf(presentation.status));
      if (presentation.cut) cut.push(place);
      if (presentation.error !== undefined) errors[place] = presentation.error;
    }
    pageColumns[column.id] = { text, kind, status, cut, errors };
  }
  const rowIndices = rows.map((row) => row.row_index);
  return { page, generation, rowIndices, statuses, columns: pageColumns };
}

/** What one place of a page shows, in the form of a patch. */
function patchOf(page: GridPage, columnId: string, column: PageColumn, place: number): CellPatch {
  const error = column.errors[place];
  return {
    rowIndex: page.rowIndices[place] ?? 0,
    page: page.page,
    place,
    columnId,
    text: column.text[place] ?? '',
    kind: column.kind[place] ?? 0,
    status: page.statuses[column.status[place] ?? 0] ?? '',
    cut: column.cut.includes(place),
    ...(error !== undefined && { error }),
  };
}

/**
 * Cells of `after` that differ from `before`; all of them when there is nothing to compare with.
 * Undefined when the rows themselves differ: then cells do not correspond.
 */
export function patchesBetween(
  before: GridPage | undefined,
  after: GridPage,
): readonly CellPatch[] | undefined {
  if (before !== undefined && !hasSameRows(before, after)) return undefined;
  const patches: CellPatch[] = [];
  for (const [columnId, column] of Object.entries(after.columns)) {
    const old = before?.columns[columnId];
    for (let place = 0; place < after.rowIndices.length; place += 1) {
      const isSame =
        old !== undefined &&
        old.text[place] === column.text[place] &&
        old.kind[place] === column.kind[place] &&
        old.errors[place] === column.errors[place] &&
        before?.statuses[old.status[place] ?? 0] === after.statuses[column.status[place] ?? 0] &&
        old.cut.includes(place) === column.cut.includes(place);
      if (!isSame) patches.push(patchOf(after, columnId, column, place));
    }
  }
  return patches;
}

export function hasSameRows(one: GridPage, other: GridPage): boolean {
  return (
    one.rowIndices.length === other.rowIndices.length &&
    one.rowIndices.every((rowIndex, place) => rowIndex === other.rowIndices[place])
  );
}

/** The page with one cell showing something else, and the patch that says so. */
export function withCell(
  page: GridPage,
  rowIndex: number,
  columnId: string,
  presentation: CellPresentation,
): { readonly page: GridPage; readonly patch: CellPatch } | undefined {
  const place = page.rowIndices.indexOf(rowIndex);
  const column = page.columns[columnId];
  if (place === -1 || column === undefined) return undefined;
  const statuses = page.statuses.includes(presentation.status)
    ? page.statuses
    : [...page.statuses, presentation.status];
  const { [place]: _old, ...otherErrors } = column.errors;
  const changed: PageColumn = {
    text: column.text.with(place, presentation.text),
    kind: column.kind.with(place, kindNumber(presentation.kind)),
    status: column.status.with(place, statuses.indexOf(presentation.status)),
    cut: [...column.cut.filter((at) => at !== place), ...(presentation.cut ? [place] : [])],
    errors:
      presentation.error === undefined
        ? otherErrors
        : { ...otherErrors, [place]: presentation.error },
  };
  const changedPage = { ...page, statuses, columns: { ...page.columns, [columnId]: changed } };
  return { page: changedPage, patch: patchOf(changedPage, columnId, changed, place) };
}
