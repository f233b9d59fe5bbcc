import * as vscode from 'vscode';
import type { Client } from '../../core/index.ts';
import { hasErrorCode, isCancellation } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import { setContextKey } from '../shell/context-keys.ts';
import type { CommandId } from '../contributions.ts';
import type { Remedy } from './tree-problem.ts';
import { oldWords, remediesOf } from './tree-problem.ts';

interface Named {
  readonly id: string;
}

/** Items that stand for a state of the view. `parent` is the item that they are below. */
export type RegistryState<Parent> =
  | (Named & { readonly kind: 'more'; readonly parent: Parent | undefined })
  | (Named & {
      readonly kind: 'problem';
      readonly parent: Parent | undefined;
      readonly message: string;
      readonly hint: string | undefined;
    })
  | Remedy;

export interface RegistrySource<Parent, Leaf> {
  /** For the log: "prompts". */
  readonly what: string;
  readonly stateKey: 'promptTables.promptsState' | 'promptTables.workflowsState';
  readonly filteredKey: 'promptTables.promptsFiltered' | 'promptTables.workflowsFiltered';
  readonly retry: CommandId;
  /** All that fit, from that page on. */
  readonly list: (
    client: Client,
    query: {
      readonly connectionId: string;
      readonly page: number;
      readonly size: number;
      readonly filter: string | undefined;
    },
    signal: AbortSignal,
  ) => AsyncIterable<Parent>;
  /** What is below one of them. */
  readonly below: (
    client: Client,
    parent: Parent,
    signal: AbortSignal,
  ) => Promise<readonly (Parent | Leaf)[]>;
  /** For a source whose items have others of their kind below them. */
  readonly isParent?: (node: Parent | Leaf) => node is Parent;
}

type NodeOf<Parent, Leaf> = Parent | Leaf | RegistryState<Parent>;

/** Items are counted by pages; a page that is not full is the last one. */
interface Top<Parent> {
  readonly nodes: readonly Parent[];
  readonly pages: number;
  readonly hasMore: boolean;
}

interface Branch<Node> {
  readonly nodes: readonly Node[];
  readonly shown: number;
}

/** Everything shown belongs to one connection and filter. */
interface Session<Parent, Leaf> {
  readonly connectionId: string;
  readonly filter: string | undefined;
  readonly stop: AbortController;
  top: Top<Parent> | undefined;
  readonly branches: Map<string, Branch<Parent | Leaf>>;
  /** VS Code asks for the same several times while it is on its way. */
  readonly loading: Map<string | undefined, Promise<readonly NodeOf<Parent, Leaf>[]>>;
}

type State = 'loading' | 'ready' | 'empty' | 'refused' | 'failed';

/** What a view of prompts or workflows shows and how it gets there. */
export class RegistryModel<Parent extends Named, Leaf extends Named> implements vscode.Disposable {
  readonly #app: App;
  readonly #source: RegistrySource<Parent, Leaf>;
  readonly #changed = new vscode.EventEmitter<NodeOf<Parent, Leaf> | undefined>();
  readonly #parents = new WeakSet<object>();
  #session: Session<Parent, Leaf> | undefined;
  #message = '';

  readonly onDidChange = this.#changed.event;

  constructor(app: App, source: RegistrySource<Parent, Leaf>) {
    this.#app = app;
    this.#source = source;
    this.restart();
  }

  get filter(): string | undefined {
    return this.#session?.filter;
  }

  /** A passing note above the list, for example that what is shown is old. */
  get message(): string {
    return this.#message;
  }

  /** Shows the connection in use from scratch. */
  restart(filter?: string): void {
    this.#session?.stop.abort();
    const { current } = this.#app.connections;
    const fresh = { filter, stop: new AbortController(), top: undefined };
    const maps = { branches: new Map(), loading: new Map() };
    this.#session =
      current === undefined ? undefined : { connectionId: current.id, ...fresh, ...maps };
    this.#message = '';
    this.#stateIs('loading');
    setContextKey(this.#source.filteredKey, filter !== undefined);
    this.#changed.fire(undefined);
  }

  /** Loads again what is shown. What was there stays when that fails, and is called old. */
  async refresh(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    try {
      const top = await this.#load(session, undefined, Math.max(1, session.top?.pages ?? 1));
      if (this.#session !== session) return;
      session.top = top;
      session.branches.clear();
      // What is on its way may have been read before the change that this is for.
      session.loading.clear();
      this.#message = '';
      this.#stateIs(top.nodes.length === 0 ? 'empty' : 'ready');
    } catch (error) {
      if (this.#session !== session || isCancellation(error)) return;
      this.#app.errors.note(error, `Loading the ${this.#source.what} again`);
      const isRefused = hasErrorCode(error, 'authentication');
      if (isRefused || session.top === undefined) session.top = undefined;
      else {
        this.#message = oldWords(this.#app, error);
      }
    }
    this.#changed.fire(undefined);
  }

  async loadMore(parent: Parent | undefined): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    if (parent === undefined) {
      const { top } = session;
      if (top === undefined) return;
      const more = await this.#load(session, top, 1);
      if (this.#session === session) session.top = more;
    } else {
      const branch = session.branches.get(parent.id);
      if (branch === undefined) return;
      session.branches.set(parent.id, { ...branch, shown: branch.shown + this.#pageSize() });
    }
    this.#changed.fire(parent);
  }

  /** Draws what is there once more: something about it, not in it, has changed. */
  repaint(): void {
    this.#changed.fire(undefined);
  }

  /** Forgets what could not be loaded, so that it is tried again. */
  retry(parent: Parent | undefined): void {
    if (parent !== undefined) this.#session?.branches.delete(parent.id);
    this.#session?.loading.delete(parent?.id);
    this.#changed.fire(parent);
  }

  async children(parent?: NodeOf<Parent, Leaf>): Promise<readonly NodeOf<Parent, Leaf>[]> {
    const session = this.#session;
    if (session === undefined) return [];
    if (parent !== undefined && !this.#isParent(parent)) return [];
    const known = session.loading.get(parent?.id);
    if (known !== undefined) return known;
    const loading = this.#children(session, parent).finally(() => {
      if (session.loading.get(parent?.id) === loading) session.loading.delete(parent?.id);
    });
    session.loading.set(parent?.id, loading);
    return loading;
  }

  async #children(
    session: Session<Parent, Leaf>,
    parent: Parent | undefined,
  ): Promise<readonly NodeOf<Parent, Leaf>[]> {
    try {
      return parent === undefined ? await this.#items(session) : await this.#below(session, parent);
    } catch (error) {
      if (this.#session !== session || isCancellation(error)) return [];
      return this.#failed(session, parent, error);
    }
  }

  dispose(): void {
    this.#session?.stop.abort();
    this.#changed.dispose();
  }

  async #items(session: Session<Parent, Leaf>): Promise<readonly NodeOf<Parent, Leaf>[]> {
    const top = session.top ?? (await this.#load(session, undefined, 1));
    if (this.#session !== session) return [];
    session.top = top;
    this.#stateIs(top.nodes.length === 0 ? 'empty' : 'ready');
    if (!top.hasMore) return top.nodes;
    return [...top.nodes, { kind: 'more', id: 'more', parent: undefined }];
  }

  async #below(
    session: Session<Parent, Leaf>,
    parent: Parent,
  ): Promise<readonly NodeOf<Parent, Leaf>[]> {
    const branch = session.branches.get(parent.id) ?? (await this.#branch(session, parent));
    session.branches.set(parent.id, branch);
    const shown = branch.nodes.slice(0, branch.shown);
    if (shown.length === branch.nodes.length) return shown;
    return [...shown, { kind: 'more', id: `${parent.id}/more`, parent }];
  }

  async #branch(session: Session<Parent, Leaf>, parent: Parent): Promise<Branch<Parent | Leaf>> {
    const client = await this.#client(session);
    const nodes = await this.#source.below(client, parent, session.stop.signal);
    for (const node of nodes) {
      if (this.#source.isParent?.(node) === true) this.#parents.add(node);
    }
    return { nodes, shown: this.#pageSize() };
  }

  #isParent(node: NodeOf<Parent, Leaf>): node is Parent {
    return this.#parents.has(node);
  }

  /** `count` more pages after those that are there. */
  async #load(
    session: Session<Parent, Leaf>,
    before: Top<Parent> | undefined,
    count: number,
  ): Promise<Top<Parent>> {
    const { connectionId, filter, stop } = session;
    const client = await this.#client(session);
    const size = this.#pageSize();
    const wanted = size * count;
    const query = { connectionId, filter, size, page: (before?.pages ?? 0) + 1 };
    const nodes = [...(before?.nodes ?? [])];
    const known = new Set(nodes.map(({ id }) => id));
    let read = 0;
    for await (const node of this.#source.list(client, query, stop.signal)) {
      this.#parents.add(node);
      if (!known.has(node.id)) nodes.push(node);
      known.add(node.id);
      read += 1;
      if (read >= wanted) break;
    }
    return { nodes, pages: (before?.pages ?? 0) + count, hasMore: read >= wanted };
  }

  #client({ connectionId, stop }: Session<Parent, Leaf>): Promise<Client> {
    return this.#app.connections.client(connectionId, { signal: stop.signal });
  }

  #failed(
    { connectionId }: Session<Parent, Leaf>,
    parent: Parent | undefined,
    error: unknown,
  ): readonly RegistryState<Parent>[] {
    this.#app.errors.note(error, `Loading the ${this.#source.what}`);
    if (parent === undefined && hasErrorCode(error, 'authentication')) {
      this.#stateIs('refused');
      return [];
    }
    if (parent === undefined) this.#stateIs('failed');
    const { message, hint } = this.#app.errors.describe(error);
    const id = `${parent?.id ?? 'root'}/problem`;
    const problem: RegistryState<Parent> = { kind: 'problem', id, parent, message, hint };
    return [problem, ...remediesOf(connectionId, problem, this.#source.retry)];
  }

  #pageSize(): number {
    return this.#app.settings.get('tree.pageSize');
  }

  #stateIs(state: State): void {
    setContextKey(this.#source.stateKey, state);
  }
}
