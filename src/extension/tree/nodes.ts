import type { Column } from '../../api/column.ts';
import type { Operation } from '../../api/operation.ts';
import type { Sheet, Table } from '../../api/table.ts';
import type { SheetVersion } from '../../api/version.ts';
import type { SheetAddress } from '../shell/address.ts';
import type { CommandId } from '../contributions.ts';

/** Everything that stands in the tree. `id` is stable, so that VS Code keeps what is expanded. */
export type Node =
  | TableNode
  | SheetNode
  | GroupNode
  | ColumnNode
  | OperationNode
  | VersionNode
  | MoreNode
  | ProblemNode
  | ActionNode
  | NoteNode;

interface InTable {
  readonly id: string;
  readonly connectionId: string;
  readonly tableId: string;
}
type InSheet = { readonly id: string } & SheetAddress;

export type TableNode = InTable & { readonly kind: 'table'; readonly table: Table };
export type SheetNode = InSheet & { readonly kind: 'sheet'; readonly sheet: Sheet };
export type GroupKind = 'columns' | 'operations' | 'versions';
/** One member for each kind, so that a kind tells the type. */
export type GroupNode = { [Kind in GroupKind]: InSheet & { readonly kind: Kind } }[GroupKind];
type ColumnKind = 'textColumn' | 'computedColumn';
export type ColumnNode = {
  [Kind in ColumnKind]: InSheet & { readonly kind: Kind; readonly column: Column };
}[ColumnKind];
export type OperationNode = InSheet & { readonly kind: 'operation'; readonly operation: Operation };
export type VersionNode = InSheet & { readonly kind: 'version'; readonly version: SheetVersion };
/** The rest of a long list. */
export interface MoreNode {
  readonly kind: 'more';
  readonly id: string;
  readonly parent: ParentNode | undefined;
}
/** A list that could not be loaded. */
export interface ProblemNode {
  readonly kind: 'problem';
  readonly id: string;
  readonly parent: ParentNode | undefined;
  readonly message: string;
  readonly hint: string | undefined;
}
/** What to do about a problem. */
export interface ActionNode {
  readonly kind: 'action';
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly command: CommandId;
  readonly argument: unknown;
}
/** An empty list says that it is empty. */
export interface NoteNode {
  readonly kind: 'note';
  readonly id: string;
  readonly label: string;
}

export type ParentNode = TableNode | SheetNode | GroupNode;

export const isParent = (node: Node): node is ParentNode =>
  ['table', 'sheet', 'columns', 'operations', 'versions'].includes(node.kind);

/** Id of the top of the tree, where a parent's id is wanted. */
export const rootId = 'root';
export const idOf = (node: ParentNode | undefined): string => node?.id ?? rootId;

export const tableNodeId = ({ connectionId, tableId }: Omit<InTable, 'id'>): string =>
  `${connectionId}/${tableId}`;

export function tableNode(connectionId: string, table: Table): TableNode {
  const address = { connectionId, tableId: table.id };
  return { kind: 'table', id: tableNodeId(address), ...address, table };
}

export function sheetNode(connectionId: string, tableId: string, sheet: Sheet): SheetNode {
  const address = { connectionId, tableId, sheetId: sheet.id };
  return { kind: 'sheet', id: sheetNodeId(address), ...address, sheet };
}

export const sheetNodeId = ({ connectionId, tableId, sheetId }: SheetAddress): string =>
  `${connectionId}/${tableId}/${sheetId}`;

const within = (address: SheetAddress): SheetAddress => ({
  connectionId: address.connectionId,
  tableId: address.tableId,
  sheetId: address.sheetId,
});

export function groupNode(address: SheetAddress, kind: GroupKind): GroupNode {
  return { kind, id: `${sheetNodeId(address)}/${kind}`, ...within(address) };
}

export const isComputed = (column: Column): boolean =>
  column.type !== 'TEXT' && column.type !== 'COMPOSITION';

export function columnNode(address: SheetAddress, column: Column): ColumnNode {
  const kind = isComputed(column) ? 'computedColumn' : 'textColumn';
  return { kind, id: `${sheetNodeId(address)}/columns/${column.id}`, ...within(address), column };
}

export function operationNode(address: SheetAddress, operation: Operation): OperationNode {
  const id = `${sheetNodeId(address)}/operations/${operation.operation_id}`;
  return { kind: 'operation', id, ...within(address), operation };
}

export function versionNode(address: SheetAddress, version: SheetVersion): VersionNode {
  const id = `${sheetNodeId(address)}/versions/${version.id}`;
  return { kind: 'version', id, ...within(address), version };
}

/** A name to copy; nodes without one give undefined. */
export function nameOf(node: Node): string | undefined {
  switch (node.kind) {
    case 'table':
      return node.table.title;
    case 'sheet':
      return node.sheet.title;
    case 'textColumn':
    case 'computedColumn':
      return node.column.title;
    case 'version':
      return node.version.name ?? String(node.version.version_number);
    default:
      return undefined;
  }
}

export function serviceIdOf(node: Node): string | undefined {
  switch (node.kind) {
    case 'table':
      return node.tableId;
    case 'sheet':
      return node.sheetId;
    case 'textColumn':
    case 'computedColumn':
      return node.column.id;
    case 'operation':
      return node.operation.operation_id;
    case 'version':
      return node.version.id;
    default:
      return undefined;
  }
}

/** What a menu hands to a command, when it is one of our items. */
export function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    typeof value.kind === 'string' &&
    'id' in value &&
    typeof value.id === 'string'
  );
}

export function nodeOf<Kind extends Node['kind']>(
  value: unknown,
  ...kinds: readonly Kind[]
): Extract<Node, { kind: Kind }> | undefined {
  if (!isNode(value)) return undefined;
  return (kinds as readonly string[]).includes(value.kind)
    ? (value as Extract<Node, { kind: Kind }>)
    : undefined;
}
