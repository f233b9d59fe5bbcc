import type { ParquetParsers, SchemaElement } from 'hyparquet';
import { parseJsonAsWritten, stringifyJson } from '../http/json.ts';
import type { Remarks, ValueText } from './table.ts';

type Unit = 'MILLIS' | 'MICROS' | 'NANOS';

const perSecond = { MILLIS: 1_000n, MICROS: 1_000_000n, NANOS: 1_000_000_000n } as const;
const digitsOf = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;

/** A number of units as whole seconds and their decimals, which are left out where they are 0. */
function seconds(count: bigint, unit: Unit): readonly [seconds: bigint, decimals: string] {
  const per = perSecond[unit];
  const part = ((count % per) + per) % per;
  const decimals = part === 0n ? '' : `.${String(part).padStart(digitsOf[unit], '0')}`;
  return [(count - part) / per, decimals];
}

const dayText = (days: number): string => {
  const iso = new Date(days * 86_400_000).toISOString();
  return iso.slice(0, iso.indexOf('T'));
};

function timestampText(count: bigint, unit: Unit, zone: 'Z' | ''): string {
  const [whole, decimals] = seconds(count, unit);
  return new Date(Number(whole) * 1000).toISOString().replace('.000Z', `${decimals}${zone}`);
}

function timeText(count: bigint, unit: Unit): string {
  const [whole, decimals] = seconds(count, unit);
  return `${new Date(Number(whole) * 1000).toISOString().slice(11, 19)}${decimals}`;
}

/** Months, days and milliseconds, as ISO 8601 has them. */
function intervalText(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const part = (at: number): number => view.getUint32(at, true);
  const [months, days, millis] = [part(0), part(4), part(8)];
  const time = millis === 0 ? '' : `T${String(millis / 1000)}S`;
  const date = `${months === 0 ? '' : `${String(months)}M`}${days === 0 ? '' : `${String(days)}D`}`;
  return date === '' && time === '' ? 'PT0S' : `P${date}${time}`;
}

/** Big-endian, two's complement. */
function integerIn(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return isNegative ? value - (1n << BigInt(bytes.length * 8)) : value;
}

/** All digits: `12345`, scale 2 -> `123.45`. */
function decimalText(unscaled: bigint, scale: number): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  if (scale <= 0) return `${sign}${digits}${digits === '0' ? '' : '0'.repeat(-scale)}`;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** As few digits as make the same 32 bits: 0.1, not 0.10000000149011612. */
function floatText(value: number): string {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return stringifyJson(short);
  }
  return stringifyJson(value);
}

/** What is read of a column as the file holds it, because the reader would lose digits of it. */
export interface ExactType {
  readonly read: (value: unknown) => string;
}

const asBigInt = (value: unknown): bigint =>
  value instanceof Uint8Array ? integerIn(value) : BigInt(value as bigint | number);

/** Undefined: the reader loses nothing of such values. */
export function exactType({
  type,
  converted_type: converted,
  logical_type: logical,
  scale = 0,
}: SchemaElement): ExactType | undefined {
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') {
    const places = logical?.type === 'DECIMAL' ? logical.scale : scale;
    return { read: (value) => decimalText(asBigInt(value), places) };
  }
  if (logical?.type === 'TIMESTAMP') {
    const { unit, isAdjustedToUTC } = logical;
    const zone = isAdjustedToUTC ? 'Z' : '';
    return { read: (value) => JSON.stringify(timestampText(asBigInt(value), unit, zone)) };
  }
  const unit = logical?.type === 'TIME' ? logical.unit : timeUnits[converted ?? ''];
  if (unit !== undefined)
    return { read: (value) => JSON.stringify(timeText(asBigInt(value), unit)) };
  if (converted === 'INTERVAL')
    return { read: (value) => JSON.stringify(intervalText(value as Uint8Array)) };
  if (type === 'FLOAT') {
    return {
      read: (value) => (Number.isFinite(value) ? floatText(Number(value)) : notANumber(value)),
    };
  }
  return undefined;
}

const timeUnits: Partial<Record<string, Unit>> = { TIME_MILLIS: 'MILLIS', TIME_MICROS: 'MICROS' };

const notANumber = (value: unknown): string => JSON.stringify(String(value));

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Texts are refused where they are none; times are texts with all their digits. */
export const exactParsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (count) => timestampText(count, 'MILLIS', 'Z'),
  timestampFromMicroseconds: (count) => timestampText(count, 'MICROS', 'Z'),
  timestampFromNanoseconds: (count) => timestampText(count, 'NANOS', 'Z'),
  dateFromDays: dayText,
  stringFromBytes: (bytes: Uint8Array | undefined) => bytes && strict.decode(bytes),
  jsonFromBytes: (bytes: Uint8Array | undefined) =>
    bytes && parseJsonAsWritten(strict.decode(bytes)),
};

/** Older writers have texts without saying so; what is no text is Base64. */
function bytesText(bytes: Uint8Array, remarks: Remarks, record: number): string {
  try {
    return strict.decode(bytes);
  } catch {
    remarks.note('binary', { record });
    return Buffer.from(bytes).toString('base64');
  }
}

function plain(value: unknown, remarks: Remarks, record: number): unknown {
  if (value instanceof Uint8Array) return bytesText(value, remarks, record);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    remarks.note('not-a-number', { record });
    return String(value);
  }
  if (Array.isArray(value)) return value.map((item: unknown) => plain(item, remarks, record));
  if (value === undefined) return null;
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, plain(item, remarks, record)]),
  );
}

export const valueText = (value: unknown, remarks: Remarks, record: number): ValueText =>
  value === null || value === undefined ? null : stringifyJson(plain(value, remarks, record));
