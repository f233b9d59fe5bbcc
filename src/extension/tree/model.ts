import * as vscode from 'vscode';
import type { Operation } from '../../api/operation.ts';
import type { Sheet } from '../../api/table.ts';
import { hasErrorCode, isCancellation } from '../../core/errors.ts';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { progressOf, runningIn } from '../cells/running-cells.ts';
import { setContextKey } from '../shell/context-keys.ts';
import { oldWords, remediesOf } from '../trees/tree-problem.ts';
import type { Loaded } from './load.ts';
import { loadChildren } from './load.ts';
import type { Node, ParentNode, ProblemNode, SheetNode, TableNode } from './nodes.ts';
import {
  groupNode,
  idOf,
  operationNode,
  rootId,
  sheetNode,
  sheetNodeId,
  tableNodeId,
} from './nodes.ts';

interface Branch {
  readonly nodes: readonly Node[];
  readonly nextCursor: string | undefined;
}

/** Everything shown belongs to one connection and filter; changing either starts a new session. */
interface Session {
  readonly connectionId: string;
  readonly filter: string | undefined;
  readonly stop: AbortController;
  readonly branches: Map<string, Branch>;
  readonly parents: Map<string, ParentNode | undefined>;
  /** VS Code knows nodes by identity, so there is one object for an id, brought up to date in place. */
  readonly known: Map<string, Node>;
  readonly loading: Map<string, Promise<readonly Node[]>>;
  /** Sheets that are shown as running, with the share that is done where it is known, and their tables. */
  readonly running: Map<string, number | 'running'>;
  /** What a refresh came to, failures included, until VS Code asks for it. */
  readonly refreshed: Map<string, readonly Node[]>;
}

/** A refresh asks for as many items as were there, but not without limit. */
const mostReloaded = 100;
/** Pages looked through to reveal a sheet. */
const mostPagesWalked = 20;

/** What the tree shows and how it gets there. Knows nothing of tree items. */
export class TreeModel implements vscode.Disposable {
  readonly #app: App;
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly #stateChanged = new vscode.EventEmitter<void>();
  #session: Session | undefined;
  #message: string | undefined;

  /** These nodes, or everything, must be asked for again. */
  readonly onDidChange = this.#changed.event;
  readonly onDidChangeState = this.#stateChanged.event;

  constructor(app: App) {
    this.#app = app;
    this.restart();
  }

  /** A passing note above the tree, for example that what is shown is old. */
  get message(): string | undefined {
    return this.#message;
  }

  get filter(): string | undefined {
    return this.#session?.filter;
  }

  /** Shows the connection in use from scratch. */
  restart(filter?: string): void {
    this.#session?.stop.abort();
    const { current } = this.#app.connections;
    this.#session =
      current === undefined
        ? undefined
        : {
            connectionId: current.id,
            filter,
            stop: new AbortController(),
            branches: new Map(),
            parents: new Map(),
            known: new Map(),
            loading: new Map(),
            running: new Map(),
            refreshed: new Map(),
          };
    this.#message = undefined;
    this.#stateChanged.fire();
    setContextKey('promptTables.state', 'loading');
    setContextKey('promptTables.filtered', filter !== undefined);
    this.#changed.fire(undefined);
  }

  parentOf(node: Node): ParentNode | undefined {
    return this.#session?.parents.get(node.id);
  }

  /** A node that has been loaded. */
  find(id: string): Node | undefined {
    return this.#session?.known.get(id);
  }

  /** Cached children, or the first page of them. */
  async children(parent: ParentNode | undefined): Promise<readonly Node[]> {
    const session = this.#session;
    if (session === undefined) return [];
    const refreshed = session.refreshed.get(idOf(parent));
    session.refreshed.delete(idOf(parent));
    if (refreshed !== undefined) return refreshed;
    const branch = session.branches.get(idOf(parent));
    return branch === undefined
      ? this.#load(session, parent)
      : this.#shown(session, parent, branch);
  }

  /** Loads a node's children again, as many as there were; those below them when they are shown. */
  async refresh(parent?: ParentNode): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    const prefix = parent === undefined ? '' : `${parent.id}/`;
    const below = [...session.branches.keys()].filter(
      (id) => id !== rootId && (prefix === '' || id.startsWith(prefix)),
    );
    // What is being loaded may have been read before the change that this is for.
    await session.loading.get(idOf(parent));
    if (this.#session !== session) return;
    const before = session.branches.get(idOf(parent));
    session.refreshed.delete(idOf(parent));
    const nodes = await this.#load(session, parent, before);
    if (this.#session !== session) return;
    session.refreshed.set(idOf(parent), nodes);
    for (const id of below) session.branches.delete(id);
    this.#changed.fire(parent);
  }

  async loadMore(parent: ParentNode | undefined): Promise<void> {
    const session = this.#session;
    const branch = session?.branches.get(idOf(parent));
    if (session === undefined || branch?.nextCursor === undefined) return;
    const { nodes, nextCursor } = await this.#fetch(session, parent, {
      cursor: branch.nextCursor,
      limit: this.#app.settings.get('tree.pageSize'),
    });
    if (this.#session !== session) return;
    const known = new Set(branch.nodes.map(({ id }) => id));
    const added = nodes.filter(({ id }) => !known.has(id));
    this.#keep(session, parent, { nodes: [...branch.nodes, ...added], nextCursor });
    this.#changed.fire(parent);
  }

  /** Puts news of an operation into the tree without asking the service again. */
  showOperation(address: SheetAddress, operation: Operation, isFinished: boolean): void {
    const session = this.#session;
    if (session?.connectionId !== address.connectionId) return;
    this.#showRunning(session, tableNodeId(address));
    this.#showRunning(session, sheetNodeId(address));
    const group = session.known.get(groupNode(address, 'operations').id);
    if (group?.kind !== 'operations') return;
    const branch = session.branches.get(group.id) ?? { nodes: [] };
    const node = operationNode(address, operation);
    const others = branch.nodes.filter(({ id }) => id !== node.id);
    const isKnown = others.length < branch.nodes.length;
    if (isKnown && !isFinished) {
      this.#changed.fire(this.#adopt(session, node));
      return;
    }
    const nodes = isFinished ? others : [...others, node];
    this.#keep(session, group, { nodes, nextCursor: undefined });
    this.#changed.fire(group);
  }

  /**
   * A sheet's own line tells how far its cells are, that of its table only that some are run: VS Code
   * asks for all below again, so once a per cent, and once.
   */
  #showRunning(session: Session, id: string): void {
    const node = session.known.get(id);
    if (node?.kind !== 'table' && node?.kind !== 'sheet') return;
    if (this.#noteRunning(session, node)) this.#changed.fire(node);
  }

  /** Remembers what the node's line is about to say; answers whether that is news. */
  #noteRunning({ running }: Session, node: TableNode | SheetNode): boolean {
    const share = this.#shareOf(node);
    if (share === running.get(node.id)) return false;
    if (share === undefined) running.delete(node.id);
    else running.set(node.id, share);
    return true;
  }

  /** Undefined where nothing runs; without cells that are counted, only that something does. */
  #shareOf(node: TableNode | SheetNode): number | 'running' | undefined {
    const active = runningIn(this.#app.operations, node);
    if (active.length === 0) return undefined;
    return (node.kind === 'sheet' ? progressOf(active).percent : undefined) ?? 'running';
  }

  /** Brings one sheet's own line up to date: rows and version. */
  async refreshSheet(address: SheetAddress): Promise<void> {
    const session = this.#session;
    const known = session?.known.get(sheetNodeId(address));
    if (session === undefined || known?.kind !== 'sheet') return;
    const { signal } = session.stop;
    const client = await this.#app.connections.client(address.connectionId, { signal });
    const sheet = await client.tables.sheets.get(refOf(address), { signal });
    if (this.#session !== session || showsSame(known.sheet, sheet)) return;
    this.#changed.fire(
      this.#adopt(session, sheetNode(address.connectionId, address.tableId, sheet)),
    );
  }

  /** Whether its children are here, or on their way. */
  isLoaded(parent: ParentNode | undefined): boolean {
    const id = idOf(parent);
    return this.#session?.branches.has(id) === true || this.#session?.loading.has(id) === true;
  }

  /** Walks down to a sheet, loading what is not loaded; undefined when it is not there. */
  async findSheet(address: SheetAddress): Promise<Node | undefined> {
    if (this.#session?.connectionId !== address.connectionId) return undefined;
    const tableId = tableNodeId(address);
    await this.#loadUntil(undefined, tableId);
    const table = this.find(tableId);
    if (table?.kind !== 'table') return undefined;
    await this.#loadUntil(table, sheetNodeId(address));
    return this.find(sheetNodeId(address));
  }

  async #loadUntil(parent: ParentNode | undefined, id: string): Promise<void> {
    await this.children(parent);
    for (let page = 0; page < mostPagesWalked && this.find(id) === undefined; page += 1) {
      if (this.#session?.branches.get(idOf(parent))?.nextCursor === undefined) return;
      await this.loadMore(parent);
    }
  }

  dispose(): void {
    this.#session?.stop.abort();
    this.#changed.dispose();
    this.#stateChanged.dispose();
  }

  #load(
    session: Session,
    parent: ParentNode | undefined,
    before?: Branch,
  ): Promise<readonly Node[]> {
    const key = idOf(parent);
    const known = session.loading.get(key);
    if (known !== undefined) return known;
    const loading = this.#loadBranch(session, parent, before).finally(() => {
      session.loading.delete(key);
    });
    session.loading.set(key, loading);
    return loading;
  }

  async #loadBranch(
    session: Session,
    parent: ParentNode | undefined,
    before: Branch | undefined,
  ): Promise<readonly Node[]> {
    const pageSize = this.#app.settings.get('tree.pageSize');
    const limit = Math.min(Math.max(pageSize, before?.nodes.length ?? 0), mostReloaded);
    try {
      const branch = await this.#fetch(session, parent, { cursor: undefined, limit });
      if (this.#session !== session) return [];
      this.#keep(session, parent, branch);
      const kept = session.branches.get(idOf(parent)) ?? branch;
      if (parent === undefined) this.#rootIs(branch.nodes.length === 0 ? 'empty' : 'ready');
      this.#say(undefined);
      return this.#shown(session, parent, kept);
    } catch (error) {
      if (this.#session !== session || isCancellation(error)) return [];
      return this.#failed(session, parent, before, error);
    }
  }

  async #fetch(
    session: Session,
    parent: ParentNode | undefined,
    page: { readonly cursor: string | undefined; readonly limit: number },
  ): Promise<Loaded> {
    const { connectionId, filter, stop } = session;
    const { signal } = stop;
    const client = await this.#app.connections.client(connectionId, { signal });
    return loadChildren(parent, { client, connectionId, filter, signal, ...page });
  }

  #keep(session: Session, parent: ParentNode | undefined, branch: Branch): void {
    const nodes = branch.nodes.map((node) => this.#adopt(session, node));
    session.branches.set(idOf(parent), { ...branch, nodes });
    session.refreshed.delete(idOf(parent));
    for (const node of nodes) {
      session.parents.set(node.id, parent);
      if (node.kind === 'operation') {
        this.#app.operations.follow(node, node.operation.operation_id, node.operation);
      }
      if (node.kind === 'table' || node.kind === 'sheet') this.#noteRunning(session, node);
      // Work that others started shows up as soon as the sheet is opened in the tree.
      if (node.kind === 'operations') void this.#load(session, node);
    }
  }

  #adopt(session: Session, node: Node): Node {
    const known = session.known.get(node.id);
    if (known !== undefined) return Object.assign(known, node);
    session.known.set(node.id, node);
    return node;
  }

  #shown(session: Session, parent: ParentNode | undefined, branch: Branch): readonly Node[] {
    const extra: Node[] = [];
    if (branch.nextCursor !== undefined) {
      extra.push({ kind: 'more', id: `${idOf(parent)}/more`, parent });
    }
    if (branch.nodes.length === 0 && parent !== undefined) {
      extra.push({ kind: 'note', id: `${parent.id}/empty`, label: emptyText(parent) });
    }
    for (const node of extra) session.parents.set(node.id, parent);
    return [...branch.nodes, ...extra];
  }

  #failed(
    session: Session,
    parent: ParentNode | undefined,
    before: Branch | undefined,
    error: unknown,
  ): readonly Node[] {
    this.#app.errors.note(error, 'Loading the tree');
    if (parent === undefined && hasErrorCode(error, 'authentication')) {
      // Without a key that is accepted, what was seen before is not for these eyes any more.
      session.branches.clear();
      this.#say(undefined);
      this.#rootIs('refused');
      return [];
    }
    const { message, hint } = this.#app.errors.describe(error);
    if (before !== undefined && before.nodes.length > 0) {
      this.#say(oldWords(this.#app, error));
      return this.#shown(session, parent, before);
    }
    if (parent === undefined) this.#rootIs('failed');
    const problem: ProblemNode = {
      kind: 'problem',
      id: `${idOf(parent)}/problem`,
      parent,
      message,
      hint,
    };
    const remedies = remediesOf(session.connectionId, problem, 'promptTables.retryItem');
    const nodes: readonly Node[] = [problem, ...remedies];
    for (const node of nodes) session.parents.set(node.id, parent);
    return nodes;
  }

  #rootIs(state: 'ready' | 'empty' | 'refused' | 'failed'): void {
    setContextKey('promptTables.state', state);
  }

  #say(message: string | undefined): void {
    if (message === this.#message) return;
    this.#message = message;
    this.#stateChanged.fire();
  }
}

/** Telling VS Code of a sheet makes it ask for everything below: only when there is news. */
const showsSame = (before: Sheet, now: Sheet): boolean =>
  before.title === now.title &&
  before.row_count === now.row_count &&
  before.version_count === now.version_count;

function emptyText(parent: ParentNode): string {
  switch (parent.kind) {
    case 'table':
      return vscode.l10n.t('No sheets yet');
    case 'sheet':
      return '';
    case 'columns':
      return vscode.l10n.t('No columns yet');
    case 'operations':
      return vscode.l10n.t('Nothing is running');
    case 'versions':
      return vscode.l10n.t('No saved versions');
  }
}
