import * as vscode from 'vscode';
import type { Client } from '../../core/index.ts';
import type { App } from '../shell/app.ts';

const keptMs = 60_000;
/** A service that could not be asked is asked again after this. */
const pauseMs = 15_000;
/** A file may ask for hundreds of prompts: they are looked up a few at a time. */
const mostAtOnce = 4;

interface Kept {
  readonly value: Promise<unknown>;
  at: number;
}

type Ask<Value> = (client: Client, signal: AbortSignal) => Promise<Value>;

/** What the workspace in use has answered, for a while. Nothing is asked in a folder that is not trusted. */
export class Lookups {
  readonly #app: App;
  readonly #kept = new Map<string, Kept>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(app: App) {
    this.#app = app;
  }

  /** Undefined: none is in use, or nothing may be asked here. */
  get connectionId(): string | undefined {
    return vscode.workspace.isTrusted ? this.#app.connections.current?.id : undefined;
  }

  get isOld(): boolean {
    return [...this.#kept.values()].some(({ at }) => performance.now() >= at);
  }

  clear(): void {
    this.#kept.clear();
  }

  /** Asked once for all who want to know, and again when that is out of date. */
  async once<Value>(key: string, unknown: Value, ask: Ask<Value>): Promise<Value> {
    const id = this.connectionId;
    if (id === undefined) return unknown;
    const place = `${id} ${key}`;
    const kept = this.#kept.get(place);
    if (kept !== undefined && performance.now() < kept.at) return kept.value as Promise<Value>;
    const { signal } = this.#app;
    const asking = async (): Promise<Value> => {
      try {
        return await ask(await this.#app.connections.client(id, { signal }), signal);
      } catch (error) {
        if (!signal.aborted) this.#app.errors.note(error, 'Looking up what code asks for');
        made.at = performance.now() + pauseMs;
        return unknown;
      }
    };
    const value = Promise.resolve().then(asking);
    const made: Kept = { at: performance.now() + keptMs, value };
    this.#kept.set(place, made);
    return value;
  }

  async inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#busy >= mostAtOnce) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#busy += 1;
    try {
      return await work();
    } finally {
      // Whoever is next takes over this place.
      const next = this.#waiting.shift();
      if (next === undefined) this.#busy -= 1;
      else next();
    }
  }
}
