/** The sheet of the product's turn, as the extension would send it: for the page and its server. */
import type { GridPage } from '../../../src/protocol/grid-cells.ts';
import type { GridSheet } from '../../../src/protocol/grid-sheet.ts';
import type { OpenedSheet } from '../../../src/protocol/grid.ts';
import { makePage } from '../../browser/support/grid-data.ts';
import { columnWidth, rowCount } from './contender.ts';
import { columns } from './values.ts';

const sheet: GridSheet = {
  tableId: 't',
  sheetId: 's',
  title: 'Bench',
  tableTitle: 'Bench',
  connection: { id: 'local', name: 'Local workspace', local: true },
  columns,
  rowCount,
  version: 1,
  generation: 1,
  order: 'asc',
  systemColumns: false,
  layout: {
    widths: Object.fromEntries(columns.map(({ id }) => [id, columnWidth])),
    hidden: [],
    pinned: [],
    order: [],
  },
  operations: [],
  statusCounts: {},
  view: null,
  totals: [],
  unsaved: [],
  canUndo: false,
  canRedo: false,
};

export const pageOf = (page: number): GridPage =>
  makePage(page, 1, { columns, rows: rowCount, order: 'asc' });

/** What the page asks for before its script is there. */
export const opened = (): OpenedSheet => ({ sheet, rows: pageOf(0) });
