import { firstPageOf } from '../../protocol/grid.ts';
import { pageSize } from '../../protocol/grid-cells.ts';
import type { SheetAddress } from '../shell/address.ts';
import type { PageParts } from '../panels/page-html.ts';

/** A page of rows comes with the sheet: the one that the view begins with. */
export const askWithFirstPage = `(state) => ({ page: (${String(firstPageOf)})(state, ${String(pageSize)}) })`;

/** Which sheet it is stays readable in the page, whatever becomes of its script. */
export const dataOf = ({
  connectionId,
  tableId,
  sheetId,
}: SheetAddress): NonNullable<PageParts['data']> => ({
  'data-connection-id': connectionId,
  'data-table-id': tableId,
  'data-sheet-id': sheetId,
});
