import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { MalformedBody } from '../http/malformed-body.ts';

/**
 * Reads and writes the messages of OTLP in protobuf, as far as they are kept, in the shape that
 * OTLP gives them in JSON: ids as hexadecimal text, 64-bit numbers as text. So one reader of spans
 * does for both. Field numbers: opentelemetry-proto 1.x, `trace_service.proto` and what it includes.
 */
type Kind = 'text' | 'hex' | 'base64' | 'fixed64' | 'int64' | 'enum' | 'bool' | 'double';

interface Field {
  readonly name: string;
  readonly kind: Kind | (() => Message);
  readonly isList?: boolean;
}
type Message = Readonly<Record<number, Field>>;

const one = (name: string, kind: Field['kind']): Field => ({ name, kind });
const list = (name: string, kind: Field['kind']): Field => ({ name, kind, isList: true });

const anyValue: Message = {
  1: one('stringValue', 'text'),
  2: one('boolValue', 'bool'),
  3: one('intValue', 'int64'),
  4: one('doubleValue', 'double'),
  5: one('arrayValue', () => ({ 1: list('values', () => anyValue) })),
  6: one('kvlistValue', () => ({ 1: list('values', () => keyValue) })),
  7: one('bytesValue', 'base64'),
};
const keyValue: Message = { 1: one('key', 'text'), 2: one('value', () => anyValue) };
const attributes = list('attributes', () => keyValue);

const event: Message = { 1: one('timeUnixNano', 'fixed64'), 2: one('name', 'text'), 3: attributes };
const link: Message = {
  1: one('traceId', 'hex'),
  2: one('spanId', 'hex'),
  3: one('traceState', 'text'),
  4: attributes,
};
const status: Message = { 2: one('message', 'text'), 3: one('code', 'enum') };
const span: Message = {
  1: one('traceId', 'hex'),
  2: one('spanId', 'hex'),
  3: one('traceState', 'text'),
  4: one('parentSpanId', 'hex'),
  5: one('name', 'text'),
  6: one('kind', 'enum'),
  7: one('startTimeUnixNano', 'fixed64'),
  8: one('endTimeUnixNano', 'fixed64'),
  9: attributes,
  11: list('events', () => event),
  13: list('links', () => link),
  15: one('status', () => status),
};
const scope: Message = { 1: one('name', 'text'), 2: one('version', 'text'), 3: attributes };
const scopeSpans: Message = {
  1: one('scope', () => scope),
  2: list('spans', () => span),
  3: one('schemaUrl', 'text'),
};
const resourceSpans: Message = {
  1: one('resource', () => ({ 1: attributes })),
  2: list('scopeSpans', () => scopeSpans),
  3: one('schemaUrl', 'text'),
};
const request: Message = { 1: list('resourceSpans', () => resourceSpans) };

const wireTypes: Readonly<Record<Kind, WireType>> = {
  text: WireType.LengthDelimited,
  hex: WireType.LengthDelimited,
  base64: WireType.LengthDelimited,
  fixed64: WireType.Bit64,
  double: WireType.Bit64,
  int64: WireType.Varint,
  enum: WireType.Varint,
  bool: WireType.Varint,
};

/** Values inside values are read by recursion; nobody nests attributes so deep. */
const DEEPEST = 64;
/** Of parts in one request: empty ones take two bytes each there, and a hundred here. */
const MOST_PARTS = 2_000_000;

class Reading {
  readonly reader: BinaryReader;
  #parts = 0;

  constructor(bytes: Uint8Array) {
    this.reader = new BinaryReader(bytes);
  }

  countPart(depth: number): void {
    this.#parts += 1;
    if (depth > DEEPEST) throw new RangeError('values are nested too deeply');
    if (this.#parts > MOST_PARTS) throw new RangeError('it has too many parts');
  }
}

function readScalar(reader: BinaryReader, kind: Kind): unknown {
  switch (kind) {
    case 'text':
      return reader.string();
    case 'hex':
      return Buffer.from(reader.bytes()).toString('hex');
    case 'base64':
      return Buffer.from(reader.bytes()).toString('base64');
    case 'fixed64':
      return String(reader.fixed64());
    case 'int64':
      return String(reader.int64());
    case 'enum':
      return reader.int32();
    case 'bool':
      return reader.bool();
    case 'double':
      return reader.double();
  }
}

function readMessage(reading: Reading, message: Message, end: number, depth: number): object {
  reading.countPart(depth);
  const { reader } = reading;
  const read: Record<string, unknown> = {};
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    const field = message[number];
    const expected =
      typeof field?.kind === 'string' ? wireTypes[field.kind] : WireType.LengthDelimited;
    if (field === undefined || wireType !== expected) {
      reader.skip(wireType, number);
      continue;
    }
    const value = readField(reading, field, depth);
    if (field.isList === true) ((read[field.name] ??= []) as unknown[]).push(value);
    else read[field.name] = value;
  }
  if (reader.pos !== end) throw new RangeError('a part ends in the middle of a field');
  return read;
}

function readField(reading: Reading, { kind }: Field, depth: number): unknown {
  const { reader } = reading;
  if (typeof kind === 'string') return readScalar(reader, kind);
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError('a part is longer than the whole');
  return readMessage(reading, kind(), end, depth + 1);
}

/** An ExportTraceServiceRequest; throws MalformedBody for what is none. */
export function readTraceRequest(bytes: Uint8Array): object {
  try {
    return readMessage(new Reading(bytes), request, bytes.byteLength, 0);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MalformedBody(reason.slice(0, 200), cause, 'a protobuf message of OTLP');
  }
}

/** An ExportTraceServiceResponse. */
export function writeTraceResponse(rejected: number, message: string): Uint8Array {
  const writer = new BinaryWriter();
  if (rejected === 0) return writer.finish();
  writer.tag(1, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.Varint).int64(rejected);
  writer.tag(2, WireType.LengthDelimited).string(message);
  return writer.join().finish();
}
