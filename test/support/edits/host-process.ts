import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { timeLimit } from '../time-limit.ts';
import type { CellDraft } from '../../../src/protocol/grid-edits.ts';
import type { SheetRequests } from '../../../src/protocol/grid.ts';
import type { SheetHostOrder, SheetHostStart, SheetHostState } from './sheet-host.ts';
import { until } from '../until.ts';

type Unnumbered<Order> = Order extends unknown ? Omit<Order, 'id'> : never;
const entry = path.join(import.meta.dirname, 'sheet-host.ts');

/** The killed process answers nothing any more. */
export class HostKilledError extends Error {
  override readonly name = 'HostKilledError';
}

/** The extension's side of an open sheet, in a process of its own. */
export class HostProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<
    number,
    { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
  >();
  #next = 1;
  readonly ended: Promise<void>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (answer: { id: number; result?: unknown; error?: string }) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (answer.error === undefined) waiting?.resolve(answer.result);
      else waiting?.reject(new Error(answer.error));
    });
    this.ended = new Promise((resolve) => {
      child.once('exit', () => {
        for (const { reject } of this.#waiting.values()) reject(new HostKilledError('killed'));
        this.#waiting.clear();
        resolve();
      });
    });
  }

  static async start(start: SheetHostStart): Promise<HostProcess> {
    const child = fork(entry, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    const host = new HostProcess(child);
    await host.#order({ kind: 'start', start });
    return host;
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  request<Name extends keyof SheetRequests>(
    name: Name,
    params: SheetRequests[Name]['params'],
  ): Promise<SheetRequests[Name]['result']> {
    return this.#order({ kind: 'request', name, params }) as Promise<SheetRequests[Name]['result']>;
  }

  async draft(draft: CellDraft | null): Promise<void> {
    await this.#order({ kind: 'draft', draft });
  }

  async state(): Promise<SheetHostState> {
    return (await this.#order({ kind: 'state' })) as SheetHostState;
  }

  async idle(withinMs = timeLimit(30_000)): Promise<SheetHostState> {
    let state = await this.state();
    await until(
      () => `it is idle: ${JSON.stringify(state)}`,
      async () => !(state = await this.state()).isBusy,
      { limitMs: withinMs },
    );
    return state;
  }

  /** The page crashes, is closed or hidden; the next request comes from another one. */
  async leave(): Promise<void> {
    await this.#order({ kind: 'leave' });
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  async close(): Promise<void> {
    await this.#order({ kind: 'close' });
    this.#child.disconnect();
    await this.ended;
  }

  #order(order: Unnumbered<SheetHostOrder>): Promise<unknown> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      if (!this.#child.connected) {
        reject(new HostKilledError('killed'));
        return;
      }
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ ...order, id }, (error) => {
        if (error === null) return;
        this.#waiting.delete(id);
        reject(new HostKilledError(error.message));
      });
    });
  }
}
