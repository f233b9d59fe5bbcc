import * as vscode from 'vscode';
import type { Operation } from '../../api/operation.ts';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { setContextKey } from '../shell/context-keys.ts';
import { DisposableStore } from '../shell/dispose.ts';
import type { OperationEvent, Operations, TrackedOperation } from './operations.ts';

/** While somebody looks at the tree, and while only the status bar shows the progress. */
const attentiveDelayMs = 700;
const casualDelayMs = 4_000;

interface Watched extends TrackedOperation {
  stop: AbortController;
}

/** Watches every operation that this window knows of until it ends. */
export class OperationTracker implements Operations, vscode.Disposable {
  readonly #app: Pick<App, 'changes' | 'connections' | 'errors' | 'signal'>;
  readonly #watched = new Map<string, Watched>();
  /** Lost with the connection: watched again when it is back. */
  readonly #lost = new Map<string, TrackedOperation>();
  readonly #emitter = new vscode.EventEmitter<OperationEvent>();
  readonly #own = new DisposableStore();
  #delayMs = casualDelayMs;

  readonly onDidChange = this.#emitter.event;

  constructor(app: Pick<App, 'changes' | 'connections' | 'errors' | 'signal'>) {
    this.#app = app;
    this.#own.add(
      app.changes.onDidChange((change) => {
        const { tableId, sheetId, connectionId } = change;
        if (change.what !== 'operation' || tableId === undefined || sheetId === undefined) return;
        this.follow({ connectionId, tableId, sheetId }, change.operationId);
      }),
    );
    this.#own.add(
      app.connections.onDidChange((change) => {
        if (change.what !== 'access') return;
        for (const [id, lost] of this.#lost) {
          if (lost.address.connectionId !== change.id) continue;
          this.#lost.delete(id);
          this.follow(lost.address, id, lost.operation);
        }
      }),
    );
  }

  get active(): readonly TrackedOperation[] {
    return [...this.#watched.values()];
  }

  follow(address: SheetAddress, operationId: string, operation?: Operation): void {
    if (this.#watched.has(operationId)) return;
    const known: Operation = operation ?? {
      operation_id: operationId,
      status: 'queued',
      cell_count: 0,
      completed_count: 0,
      failed_count: 0,
      pending_count: 0,
    };
    this.#watched.set(operationId, { address, operation: known, stop: new AbortController() });
    this.#tell(address, known, false);
    void this.#watch(operationId);
  }

  /** Whether somebody is looking: then news are asked for more often, starting now. */
  setAttentive(isAttentive: boolean): void {
    const delayMs = isAttentive ? attentiveDelayMs : casualDelayMs;
    if (delayMs === this.#delayMs) return;
    this.#delayMs = delayMs;
    for (const [id, watched] of this.#watched) {
      watched.stop.abort();
      watched.stop = new AbortController();
      void this.#watch(id);
    }
  }

  dispose(): void {
    this.#own.dispose();
    for (const { stop } of this.#watched.values()) stop.abort();
    this.#watched.clear();
    this.#emitter.dispose();
  }

  async #watch(id: string): Promise<void> {
    const watched = this.#watched.get(id);
    if (watched === undefined) return;
    const { address, stop } = watched;
    const signal = AbortSignal.any([stop.signal, this.#app.signal]);
    try {
      const client = await this.#app.connections.client(address.connectionId, { signal });
      const pace = { firstDelayMs: 200, maxDelayMs: this.#delayMs, signal };
      for await (const seen of client.tables.operations.watch(refOf(address), id, pace)) {
        if (stop.signal.aborted) return;
        const operation = seen.hasVanished
          ? { ...seen.operation, status: 'completed' }
          : seen.operation;
        this.#keep(id, operation, seen.isFinished);
        if (seen.isFinished) return;
      }
    } catch (error) {
      // Stopped by us, to go on at another pace or not at all.
      if (stop.signal.aborted) return;
      this.#app.errors.note(error, 'Watching an operation');
      const { operation } = this.#watched.get(id) ?? watched;
      this.#watched.delete(id);
      this.#lost.set(id, { address, operation });
      this.#tell(address, operation, false);
    }
  }

  #keep(id: string, operation: Operation, isFinished: boolean): void {
    const watched = this.#watched.get(id);
    if (watched === undefined) return;
    if (isFinished) this.#watched.delete(id);
    else this.#watched.set(id, { ...watched, operation });
    this.#tell(watched.address, operation, isFinished);
  }

  #tell(address: SheetAddress, operation: Operation, isFinished: boolean): void {
    setContextKey('promptTables.running', this.#watched.size > 0);
    this.#emitter.fire({ address, operation, isFinished });
  }
}
