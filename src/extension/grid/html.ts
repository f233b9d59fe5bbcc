import { pageHtml } from '../page-html.ts';
import type { PageParts } from '../page-html.ts';

export interface GridPageParts extends Omit<PageParts, 'rootId' | 'data' | 'dataImages'> {
  /** Stays readable in the page, whatever becomes of its script. */
  readonly address: {
    readonly connectionId: string;
    readonly tableId: string;
    readonly sheetId: string;
  };
}

/** The page of a grid. */
export const gridHtml = ({ address, ...parts }: GridPageParts): string =>
  pageHtml({
    ...parts,
    rootId: 'grid',
    data: {
      'data-connection-id': address.connectionId,
      'data-table-id': address.tableId,
      'data-sheet-id': address.sheetId,
    },
  });
