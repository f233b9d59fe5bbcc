import { setTimeout as pause } from 'node:timers/promises';
import { stringifyJson } from '../../core/http/json.ts';
import { connectFaultOf } from '../../core/http/reach.ts';
import { reasonOf, withStop } from '../egress/egress.ts';
import { invalid } from '../http/problem.ts';
import type { Log } from '../log.ts';
import type { ExecutionView } from './executions.ts';
import { nodeMap, resultOf } from './executions.ts';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
const WAITS_MS = [1000, 5000];
const ANSWER_MS = 30_000;
/** To one receiver. */
const MOST_AT_ONCE = 8;
const MOST_WAITING = 10_000;

interface Order {
  readonly url: string;
  /** Its number, for the log. */
  readonly execution: number;
  readonly read: () => Promise<ExecutionView>;
}

/** Throws a 400 for an address that results may not be sent to: any machine but this one. */
export function checkCallback(url: string, allowedHosts: readonly string[]): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw invalid('callback_url is not an http or https address.');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw invalid('callback_url must not hold a user name or password.');
  }
  if (!loopback.test(parsed.hostname) && !allowedHosts.includes(parsed.hostname.toLowerCase())) {
    throw invalid(
      `callback_url leads to ${parsed.hostname}. Results are sent to this machine only; allow other hosts with PROMPT_TABLES_CALLBACK_HOSTS when the service is started.`,
    );
  }
}

/**
 * Results on their way to those who asked to be called back. Nothing waits for them: a receiver that
 * hangs holds up neither workflows nor other receivers.
 */
export class Callbacks {
  readonly #log: Log;
  readonly #signal: AbortSignal;
  readonly #waitsMs: readonly number[];
  readonly #lanes = new Map<string, { active: number; readonly waiting: Order[] }>();
  readonly #active = new Set<Promise<void>>();

  /** `signal`: the service stops. */
  constructor(log: Log, signal: AbortSignal, waitsMs: readonly number[] = WAITS_MS) {
    this.#log = log;
    this.#signal = signal;
    this.#waitsMs = waitsMs;
  }

  /** The result is read when it is sent: those that wait hold nothing of it. */
  send(order: Order): void {
    const { origin } = new URL(order.url);
    let lane = this.#lanes.get(origin);
    if (lane === undefined) {
      lane = { active: 0, waiting: [] };
      this.#lanes.set(origin, lane);
    }
    if (lane.waiting.length >= MOST_WAITING) {
      this.#undelivered(order.execution, 'too many results wait for this receiver');
      return;
    }
    lane.waiting.push(order);
    this.#go(origin);
  }

  /** When the service stops: those under way are broken off, and the log names each that is lost. */
  async settled(): Promise<void> {
    await Promise.all(this.#active);
    for (const { waiting } of this.#lanes.values()) {
      for (const { execution } of waiting) this.#undelivered(execution, 'the service stopped');
    }
    this.#lanes.clear();
  }

  #go(origin: string): void {
    const lane = this.#lanes.get(origin);
    if (lane === undefined || this.#signal.aborted) return;
    while (lane.active < MOST_AT_ONCE) {
      const order = lane.waiting.shift();
      if (order === undefined) break;
      lane.active += 1;
      const sent = this.#deliver(order).finally(() => {
        lane.active -= 1;
        this.#active.delete(sent);
        this.#go(origin);
      });
      this.#active.add(sent);
    }
    if (lane.active === 0) this.#lanes.delete(origin);
  }

  async #deliver({ url, execution, read }: Order): Promise<void> {
    try {
      const fault = await this.#post(url, bodyOf(await read()));
      if (fault !== undefined) this.#undelivered(execution, fault);
    } catch (error) {
      this.#undelivered(execution, reasonOf(error));
    }
  }

  /**
   * Why it was not delivered; undefined when it was. Tried again only where no connection was made:
   * a request that has gone out may have taken effect, whatever became of its answer. Follows no
   * redirect: it could lead anywhere.
   */
  async #post(url: string, body: string): Promise<string | undefined> {
    const signal = this.#signal;
    let reason = '';
    for (const wait of [0, ...this.#waitsMs]) {
      try {
        await pause(wait, undefined, { signal });
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
          redirect: 'manual',
          signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
        });
        await response.body?.cancel().catch(() => undefined);
        return response.ok ? undefined : `it answered ${String(response.status)}`;
      } catch (error) {
        if (signal.aborted) return 'the service stopped';
        reason = reasonOf(error);
        if (connectFaultOf(error) === undefined)
          return `${withStop(reason)} It may have been accepted anyway`;
      }
    }
    return reason;
  }

  #undelivered(execution: number, reason: string): void {
    this.#log.warn('A callback of a workflow was not delivered', { execution, reason });
  }
}

function bodyOf(view: ExecutionView): string {
  const { id, status, returns_all: all } = view.execution;
  return stringifyJson({
    success: true,
    workflow_version_execution_id: id,
    status,
    final_output: resultOf(view, all === 1),
    nodes: nodeMap(view),
  });
}
