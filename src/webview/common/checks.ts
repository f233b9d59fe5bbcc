/** Small checks of shapes, for pages too small to carry a schema library. */
export type Check = (value: unknown) => boolean;
export type Shape = Readonly<Record<string, Check>>;
type Plain = Readonly<Record<string, unknown>>;

export const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const text: Check = (value) => typeof value === 'string';
export const flag: Check = (value) => typeof value === 'boolean';
export const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
export const whole: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
export const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
export const recordOf =
  (check: Check): Check =>
  (value) =>
    isPlain(value) && Object.values(value).every(check);
export const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
export const shape =
  (fields: Shape): Check =>
  (value) =>
    isPlain(value) && Object.entries(fields).every(([name, check]) => check(value[name]));
