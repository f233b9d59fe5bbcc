import * as z from 'zod';
import { ExactNumber, wholeNumber } from '../../api/exact-number.ts';
import type { exportTraces } from '../../api/trace.ts';
import type { Mapping } from '../../core/mapping.ts';
import { isMapping } from '../../core/mapping.ts';
import { TimeSlice } from '../turn.ts';
import type { NewSpan } from './span.ts';
import { digitsOf, isoMoment, momentOf, spanKinds, spanStatuses } from './span.ts';

/** Values inside values; nobody nests attributes so deep, and each level is a call. */
const DEEPEST = 64;

const hex = (name: string, length: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[0-9a-f]{${String(length)}}$`, 'i'),
      `Invalid ${name}: ${String(length)} hexadecimal digits`,
    )
    .regex(/[1-9a-f]/i, `Invalid ${name}: all zero`)
    .transform((id) => id.toLowerCase());

/** 64-bit numbers are text in OTLP's JSON; numbers are understood. */
const nanoseconds = z
  .union([z.string(), wholeNumber.transform(digitsOf)])
  .transform((sent, context) => {
    const moment = /^\d+$/.test(sent) ? momentOf(sent) : undefined;
    if (moment !== undefined) return moment;
    context.addIssue({ code: 'custom', message: 'Invalid time: nanoseconds since the epoch' });
    return z.NEVER;
  });

const attributes = z
  .array(z.looseObject({ key: z.string(), value: z.unknown() }))
  .nullish()
  .transform((sent, context): Mapping => {
    try {
      return keyValues(sent ?? [], 0);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  });

const OtlpSpan = z.looseObject({
  traceId: hex('traceId', 32),
  spanId: hex('spanId', 16),
  parentSpanId: z.union([z.literal(''), hex('parentSpanId', 16)]).nullish(),
  traceState: z.string().nullish(),
  name: z.string(),
  kind: z.int().min(0).max(5).nullish(),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds.nullish(),
  attributes,
  events: z
    .array(
      z.looseObject({
        timeUnixNano: nanoseconds.nullish(),
        name: z.string().nullish(),
        attributes,
      }),
    )
    .nullish(),
  links: z.array(z.looseObject({ traceId: z.string(), spanId: z.string(), attributes })).nullish(),
  status: z
    .looseObject({ code: z.int().min(0).max(2).nullish(), message: z.string().nullish() })
    .nullish(),
});

interface KeyValue {
  readonly key: string;
  readonly value?: unknown;
}

const keyValues = (list: readonly KeyValue[], depth: number): Mapping =>
  Object.fromEntries(list.map(({ key, value }) => [key, plainValue(value, depth)]));

const singleValues = ['stringValue', 'boolValue', 'doubleValue', 'bytesValue'] as const;

const isKeyValue = (item: unknown): item is KeyValue =>
  isMapping(item) && typeof item['key'] === 'string';

const valuesIn = (sent: unknown): readonly unknown[] =>
  isMapping(sent) && Array.isArray(sent['values']) ? sent['values'] : [];

/** `{ stringValue: 'x' }` -> `'x'`. What is of no form that OTLP has is kept as it came. */
function plainValue(sent: unknown, depth: number): unknown {
  if (depth > DEEPEST) throw new RangeError('Values are nested too deeply');
  if (!isMapping(sent)) return sent ?? null;
  if (isMapping(sent['arrayValue'])) {
    return valuesIn(sent['arrayValue']).map((item) => plainValue(item, depth + 1));
  }
  if (isMapping(sent['kvlistValue'])) {
    return keyValues(valuesIn(sent['kvlistValue']).filter(isKeyValue), depth + 1);
  }
  if (sent['intValue'] !== undefined) return integerOf(sent['intValue']);
  const [value] = singleValues.filter((name) => Object.hasOwn(sent, name));
  if (value === undefined) return Object.keys(sent).length === 0 ? null : sent;
  const single = sent[value];
  // JSON has no NaN and no infinity: OTLP writes them as text.
  if (typeof single === 'number' && !Number.isFinite(single)) return String(single);
  return single ?? null;
}

function integerOf(sent: unknown): unknown {
  if (typeof sent !== 'string' || !/^-?\d{1,20}$/.test(sent)) return sent;
  return Number.isSafeInteger(Number(sent)) ? Number(sent) : new ExactNumber(sent);
}

/** Resources and scopes are those of many spans: nothing of them is reason to reject all. */
function attributesOf(owner: Mapping | null | undefined): Mapping {
  const parsed = attributes.safeParse(owner?.['attributes']);
  return parsed.success ? parsed.data : {};
}

const textsIn = (owner: Mapping | null | undefined, ...names: readonly string[]): Mapping =>
  Object.fromEntries(
    names
      .map((name) => [name, owner?.[name]])
      .filter(([, value]) => typeof value === 'string' && value !== ''),
  ) as Mapping;

export interface ReadSpans {
  readonly spans: readonly Omit<NewSpan, 'call'>[];
  /** Why each of the others is none. */
  readonly rejected: readonly string[];
}

/** All spans of a request; those that are none are counted out one by one. */
export async function readSpans({
  resourceSpans,
}: z.output<typeof exportTraces.body>): Promise<ReadSpans> {
  const slice = new TimeSlice();
  const spans: Omit<NewSpan, 'call'>[] = [];
  const rejected: string[] = [];
  for (const { resource, schemaUrl, scopeSpans } of resourceSpans ?? []) {
    const ofResource = {
      attributes: attributesOf(resource),
      schema_url: typeof schemaUrl === 'string' ? schemaUrl : '',
    };
    for (const { scope, spans: sent } of scopeSpans ?? []) {
      const from = { ...ofResource, scope: textsIn(scope, 'name', 'version') };
      for (const one of sent ?? []) {
        const parsed = OtlpSpan.safeParse(one);
        if (parsed.success) spans.push(spanOf(parsed.data, from));
        else rejected.push(parsed.error.issues[0]?.message ?? 'Invalid span');
        if (slice.isOver) await slice.rest();
      }
    }
  }
  return { spans, rejected };
}

function spanOf(sent: z.output<typeof OtlpSpan>, resource: Mapping): Omit<NewSpan, 'call'> {
  return {
    traceId: sent.traceId,
    spanId: sent.spanId,
    parentId: sent.parentSpanId || null,
    name: sent.name,
    kind: spanKinds[sent.kind ?? 0] ?? 'UNSPECIFIED',
    traceState: sent.traceState ?? '',
    startedAt: sent.startTimeUnixNano,
    endedAt: sent.endTimeUnixNano ?? sent.startTimeUnixNano,
    status: spanStatuses[sent.status?.code ?? 0] ?? 'UNSET',
    statusMessage: sent.status?.message || null,
    attributes: sent.attributes,
    events: (sent.events ?? []).map(({ name, timeUnixNano, attributes: more }) => ({
      name: name ?? '',
      timestamp: timeUnixNano ? isoMoment(timeUnixNano) : null,
      attributes: more,
    })),
    links: (sent.links ?? []).map(({ traceId, spanId, attributes: more }) => ({
      context: { trace_id: traceId, span_id: spanId },
      attributes: more,
    })),
    resource,
  };
}
