import { pageHtml } from '../page-html.ts';
import type { PageParts } from '../page-html.ts';
import { firstPageOf } from '../../protocol/grid.ts';
import { pageSize } from '../../protocol/grid-cells.ts';

export interface GridPageParts extends Omit<
  PageParts,
  'rootId' | 'data' | 'dataImages' | 'askWith'
> {
  /** Stays readable in the page, whatever becomes of its script. */
  readonly address: {
    readonly connectionId: string;
    readonly tableId: string;
    readonly sheetId: string;
  };
}

/** A page of rows comes with the sheet: the one that the view begins with. */
export const askWithFirstPage = `(state) => ({ page: (${String(firstPageOf)})(state, ${String(pageSize)}) })`;

/** The page of a grid. */
export const gridHtml = ({ address, ...parts }: GridPageParts): string =>
  pageHtml({
    ...parts,
    rootId: 'grid',
    askWith: askWithFirstPage,
    data: {
      'data-connection-id': address.connectionId,
      'data-table-id': address.tableId,
      'data-sheet-id': address.sheetId,
    },
  });
