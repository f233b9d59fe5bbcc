import type { Page } from '../../api/page.ts';
import type { Client } from '../../core/index.ts';
import { refOf } from '../shell/address.ts';
import type { Node, ParentNode } from './nodes.ts';
import {
  columnNode,
  groupNode,
  operationNode,
  sheetNode,
  tableNode,
  versionNode,
} from './nodes.ts';

export interface LoadQuery {
  readonly client: Client;
  readonly connectionId: string;
  /** Part of the table titles to show. */
  readonly filter: string | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface Loaded {
  readonly nodes: readonly Node[];
  readonly nextCursor: string | undefined;
}

function loaded<Item>({ items, nextCursor }: Page<Item>, toNode: (item: Item) => Node): Loaded {
  return { nodes: items.map(toNode), nextCursor };
}

/** One page of what stands below a node; undefined is the top. */
export async function loadChildren(
  parent: ParentNode | undefined,
  { client, connectionId, filter, cursor, limit, signal }: LoadQuery,
): Promise<Loaded> {
  const { tables } = client;
  const query = { cursor, limit };
  const options = { signal };
  if (parent === undefined) {
    const page = await tables.page({ ...query, name: filter }, options);
    return loaded(page, (table) => tableNode(connectionId, table));
  }
  switch (parent.kind) {
    case 'table': {
      const page = await tables.sheets.page(parent.tableId, query, options);
      return loaded(page, (sheet) => sheetNode(connectionId, parent.tableId, sheet));
    }
    case 'sheet': {
      const nodes = (['columns', 'operations', 'versions'] as const).map((kind) =>
        groupNode(parent, kind),
      );
      return { nodes, nextCursor: undefined };
    }
    case 'columns': {
      const page = await tables.columns.page(refOf(parent), query, options);
      return loaded(page, (column) => columnNode(parent, column));
    }
    case 'operations': {
      const list = await tables.operations.list(refOf(parent), options);
      const nodes = list.active_operations.map((operation) => operationNode(parent, operation));
      return { nodes, nextCursor: undefined };
    }
    case 'versions': {
      const page = await tables.versions.page(refOf(parent), query, options);
      return loaded(page, (version) => versionNode(parent, version));
    }
  }
}
