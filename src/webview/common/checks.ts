/**
 * Small checks of shapes, for pages too small to carry a schema library. A check knows the type of
 * what it lets through: one that is said to be of a message's type, and lets something else through,
 * does not compile.
 */
export interface Check<Value = unknown> {
  (value: unknown): value is Value;
  /** Of a shape: the checks of its fields. */
  readonly fields?: Shape;
}
/** Of a field that may be absent. */
type OptionalCheck<Value> = Check<Value> & { readonly isOptional: true };
export type Shape = Readonly<Record<string, Check>>;
type Plain = Readonly<Record<string, unknown>>;

type Checked<Of> = Of extends (value: unknown) => value is infer Value ? Value : never;
type Optional = { readonly isOptional: true };
type Shaped<Fields extends Shape> = {
  readonly [Name in keyof Fields as Fields[Name] extends Optional ? never : Name]: Checked<
    Fields[Name]
  >;
} & {
  readonly [Name in keyof Fields as Fields[Name] extends Optional ? Name : never]?: Checked<
    Fields[Name]
  >;
};

export const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const text: Check<string> = (value) => typeof value === 'string';
export const flag: Check<boolean> = (value) => typeof value === 'boolean';
export const number: Check<number> = (value): value is number =>
  typeof value === 'number' && Number.isFinite(value);
export const whole: Check<number> = (value): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
/** A field that need not be there. */
export const optional = <Value>(check: Check<Value>): OptionalCheck<Value> => {
  const mayBeAbsent: Check<Value> = (value): value is Value => value === undefined || check(value);
  return Object.assign(mayBeAbsent, { isOptional: true as const });
};
/** A field that is always meant, and undefined does not travel. */
export const orUndefined =
  <Value>(check: Check<Value>): Check<Value | undefined> =>
  (value): value is Value | undefined =>
    value === undefined || check(value);
export const nullable =
  <Value>(check: Check<Value>): Check<Value | null> =>
  (value): value is Value | null =>
    value === null || check(value);
export const listOf =
  <Value>(check: Check<Value>): Check<readonly Value[]> =>
  (value): value is readonly Value[] =>
    Array.isArray(value) && value.every(check);
/** Two of a kind. */
export const pairOf =
  <Value>(check: Check<Value>): Check<readonly [Value, Value]> =>
  (value): value is readonly [Value, Value] =>
    listOf(check)(value) && value.length === 2;
export const recordOf =
  <Value>(check: Check<Value>): Check<Readonly<Record<string, Value>>> =>
  (value): value is Readonly<Record<string, Value>> =>
    isPlain(value) && Object.values(value).every(check);
export const oneOf =
  <const Value>(values: readonly Value[]): Check<Value> =>
  (value): value is Value =>
    values.some((known) => known === value);
export const anyOf =
  <const Checks extends readonly Check[]>(...checks: Checks): Check<Checked<Checks[number]>> =>
  (value): value is Checked<Checks[number]> =>
    checks.some((check) => check(value));
export const shape = <const Fields extends Shape>(fields: Fields): Check<Shaped<Fields>> => {
  const fits = (value: unknown): value is Shaped<Fields> =>
    isPlain(value) && Object.entries(fields).every(([name, check]) => check(value[name]));
  return Object.assign(fits, { fields });
};

/** The first field of a shape that does not fit, as far as there are fields. */
export function misfitIn({ fields }: Check, value: unknown): string | undefined {
  if (fields === undefined || !isPlain(value)) return undefined;
  return Object.entries(fields).find(([name, check]) => !check(value[name]))?.[0];
}
