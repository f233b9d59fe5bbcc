import fc from 'fast-check';

type Path = readonly (string | number)[];

/** Values that break careless code, whatever was expected. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    1e308,
    [],
    {},
    [[]],
    [null],
    { a: { b: [1] } },
    { $ne: 1 },
    'nul \u0000 inside',
    'half \ud83d pair',
    'turned \u202e around',
    '\u0007\u001b[31m\r\n',
    "'; drop table cells; --",
    '%00%2F..%2F',
    '../../etc/passwd',
    '{{7*7}}${7*7}',
    'é'.normalize('NFD').repeat(300),
    'x'.repeat(100_000),
    Array.from({ length: 3000 }, (_, index) => index),
    Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${String(index)}`, index])),
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer({ min: 10, max: 3000 }).map((levels) => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level += 1)
      value = level % 2 === 0 ? [value] : { v: value };
    return value;
  }),
);

/** Every place in a value, the whole first. */
export function placesIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, part]) => placesIn(part, [...at, key]))];
}

export function replaced(
  value: unknown,
  [first, ...rest]: Path,
  change: (part: unknown) => unknown,
): unknown {
  if (first === undefined) return change(value);
  if (typeof value !== 'object' || value === null) return value;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<
    string,
    unknown
  >;
  const part = replaced(copy[first], rest, change);
  if (part === undefined) Reflect.deleteProperty(copy, first);
  else copy[first] = part;
  return copy;
}

/** A body that fits, with some of it put out of order. `fields` are names that the schema has. */
export function spoiled(fits: unknown, fields: readonly string[]): fc.Arbitrary<unknown> {
  const place = fc.constantFrom(...placesIn(fits));
  const one: fc.Arbitrary<(value: unknown) => unknown> = fc.oneof(
    fc.tuple(place, hostile).map(
      ([at, value]) =>
        (body: unknown) =>
          replaced(body, at, () => value),
    ),
    place.map((at) => (body: unknown) => replaced(body, at, () => undefined)),
    place.map((at) => (body: unknown) => replaced(body, at, (part) => [part])),
    fc.tuple(fc.constantFrom('unknown', '__proto__', ...fields), hostile).map(
      ([name, value]) =>
        (body: unknown) =>
          typeof body === 'object' && body !== null && !Array.isArray(body)
            ? Object.defineProperty({ ...body }, name, { value, enumerable: true })
            : body,
    ),
  );
  return fc
    .array(one, { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce((body, change) => change(body), fits));
}

const encoder = new TextEncoder();

/** The bytes of a body: most often its JSON, now and then JSON that is none. */
export function bytesOf(body: unknown): fc.Arbitrary<string | Uint8Array> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const inside = text.startsWith('{') && text !== '{}' ? text.slice(1) : undefined;
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(text) },
    fc.nat({ max: text.length }).map((end) => text.slice(0, end)),
    fc.constantFrom<string | Uint8Array>(
      `\ufeff${text}`,
      `${text}${text}`,
      `${text}\u0000`,
      text.replaceAll('"', "'"),
      text.replaceAll(/\d+/g, '9007199254740993'),
      text.replaceAll(/\d+/g, '1e999'),
      text.replaceAll(/\d+/g, '-0.000000000000000000001'),
      text.replaceAll(/"([^"]*)":/g, '"$1":null,"$1":'),
      ...(inside === undefined ? [] : [`{"\\u0000":1,${inside}`, `{"\\ud800":"\\udfff",${inside}`]),
      '['.repeat(50_000),
      '{"a":'.repeat(20_000),
      'NaN',
      Uint8Array.from([0xff, 0xfe, ...encoder.encode(text)]),
      new Uint8Array(Buffer.from(text, 'utf16le')),
    ),
  );
}

export const hostileHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  fc.constantFrom<Readonly<Record<string, string>>>(
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'multipart/form-data' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-encoding': 'gzip' },
    { 'accept-encoding': 'gzip;q=0, br' },
    { accept: 'text/html' },
    { 'if-none-match': '*', range: 'bytes=0-0' },
    { 'x-http-method-override': 'DELETE' },
    { 'x-forwarded-host': 'evil.example' },
  ),
);

const hostileText: fc.Arbitrary<string> = fc.oneof(
  hostile
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .map((text) => text.slice(0, 1000)),
  fc.uuid(),
  fc.constantFrom('0', '1', '-1', '1e3', '9007199254740993', '99999999999999999999', 'null', '[]'),
);

/** As it stands in a URL; some of it is no proper encoding. */
const inUrl: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: hostileText.map((text) => encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))),
  },
  fc.constantFrom('%', '%zz', '%00', '%2F%2e%2e', '%ff%fe', '%ed%a0%80', '..', '.', '+', '%F0%9F'),
);

/** Values for the names of a query, and now and then one twice or one that nobody knows. */
export function hostileQuery(
  names: readonly string[],
  fits: readonly string[],
): fc.Arbitrary<string> {
  const value = fc.oneof(inUrl, fc.constantFrom('', ...fits));
  const name = fc.constantFrom('unknown', 'cursor', ...names);
  return fc
    .array(fc.tuple(name, value), { maxLength: 4 })
    .map((pairs) => pairs.map(([key, text]) => `${key}=${text}`).join('&'));
}

/** A path of the description: mostly with what is there, now and then with what can not be. */
export function hostilePath(
  template: string,
  placeOf: (name: string) => string,
): fc.Arbitrary<string> {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  if (names.length === 0) return fc.constant(template);
  const segment = (name: string) =>
    fc.oneof(
      { weight: 9, arbitrary: fc.constant(encodeURIComponent(placeOf(name))) },
      { weight: 1, arbitrary: inUrl },
    );
  return fc
    .record(Object.fromEntries(names.map((name) => [name, segment(name)])))
    .map((values) => template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''));
}
