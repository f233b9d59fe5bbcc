import type { Clock } from './delay.ts';

/** Faults of making a connection: nothing was sent yet. */
const connectFaults = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

interface ConnectFault {
  readonly code: string;
  /** Where it was to go, as far as the system says so: a proxy may stand in between. */
  readonly host: string | undefined;
  readonly port: number | undefined;
}

/** Why no connection was made; undefined when one was, or when that is not known. */
export function connectFaultOf(error: unknown): ConnectFault | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const first: unknown = at instanceof AggregateError ? at.errors[0] : at;
    const { code, syscall, hostname, port } = first as Readonly<Record<string, unknown>>;
    if (typeof code !== 'string') continue;
    const isConnecting = syscall === 'connect' || connectFaults.has(code);
    if (!isConnecting) continue;
    return {
      code,
      host: typeof hostname === 'string' ? hostname : undefined,
      port: typeof port === 'number' ? port : undefined,
    };
  }
  return undefined;
}

/** How long a server that did not answer is remembered. */
const KEPT_MS = 10_000;
/** To be refused takes a moment; what takes longer is not found out again by everybody. */
const SLOW_MS = 1_000;
const MOST_ORIGINS = 100;

interface Away {
  readonly error: unknown;
  readonly until: number;
  readonly isSlow: boolean;
}

/** Which servers could not be connected to a moment ago: all requests of one client share it. */
export class Reach {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #away = new Map<string, Away>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Whether it could not be reached a moment ago: then one attempt says enough. */
  isAway(origin: string): boolean {
    const away = this.#away.get(origin);
    return away !== undefined && away.until > this.#clock.now();
  }

  /** Throws what the last one has found, where finding it out again would take long. */
  throwIfSlow(origin: string): void {
    const away = this.#away.get(origin);
    if (away?.isSlow === true && this.isAway(origin)) throw away.error;
  }

  failed(origin: string, error: unknown, tookMs: number): void {
    const [oldest] = this.#away.keys();
    if (this.#away.size >= MOST_ORIGINS && oldest !== undefined) this.#away.delete(oldest);
    const until = this.#clock.now() + KEPT_MS;
    this.#away.set(origin, { error, until, isSlow: tookMs > SLOW_MS });
  }

  answered(origin: string): void {
    this.#away.delete(origin);
  }
}
