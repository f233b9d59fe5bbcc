import type { ExactNumber } from '../../api/exact-number.ts';
import type { Mapping } from '../../core/mapping.ts';
import type { LoggedCall } from '../requests/logged-call.ts';

/** A span as it is to be kept, whatever form it was sent in. */
export interface NewSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly traceState: string;
  readonly startedAt: Moment;
  readonly endedAt: Moment;
  readonly status: SpanStatus;
  readonly statusMessage: string | null;
  readonly attributes: Mapping;
  readonly events: readonly Mapping[];
  readonly links: readonly Mapping[];
  readonly resource: Mapping;
  /** The request to a model that the span is about. */
  readonly call: LoggedCall | undefined;
}

export const spanKinds = [
  'UNSPECIFIED',
  'INTERNAL',
  'SERVER',
  'CLIENT',
  'PRODUCER',
  'CONSUMER',
] as const;
export type SpanKind = (typeof spanKinds)[number];

export const spanStatuses = ['UNSET', 'OK', 'ERROR'] as const;
export type SpanStatus = (typeof spanStatuses)[number];

/** Milliseconds since the epoch, and the nanoseconds after those. */
export interface Moment {
  readonly ms: number;
  readonly nanos: number;
}

const NANOS_OF_A_MS = 1_000_000n;
/** The last moment that a date can name. */
const LAST_MS = 8_640_000_000_000_000n;

/** Without the exponent that large doubles are written with. */
export const digitsOf = (sent: number | string | ExactNumber): string =>
  typeof sent === 'number' ? String(BigInt(sent)) : String(sent);

/** Undefined for what is no count of nanoseconds, or one that no date can name. */
export function momentOf(nanoseconds: string): Moment | undefined {
  if (!/^-?\d{1,25}$/.test(nanoseconds)) return undefined;
  const all = BigInt(nanoseconds);
  // Rounded down before the epoch too, so that the nanoseconds count upwards.
  const nanos = ((all % NANOS_OF_A_MS) + NANOS_OF_A_MS) % NANOS_OF_A_MS;
  const ms = (all - nanos) / NANOS_OF_A_MS;
  if (ms > LAST_MS || ms < -LAST_MS) return undefined;
  return { ms: Number(ms), nanos: Number(nanos) };
}

/** ISO 8601, with as many digits as are known. */
export function isoMoment({ ms, nanos }: Moment): string {
  const text = new Date(ms).toISOString();
  return nanos === 0 ? text : text.replace('Z', `${String(nanos).padStart(6, '0')}Z`);
}

/** Ids of OpenTelemetry are hexadecimal, in either case; others are taken as they are. */
export const settledId = (id: string): string =>
  /^[\da-f]{16}$|^[\da-f]{32}$/i.test(id) ? id.toLowerCase() : id;
