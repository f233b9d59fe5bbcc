import fc from 'fast-check';
import type { Description, Schema } from './description.ts';

/** Texts that break careless code: every script, directions, controls, quotes, long ones. */
export const hardText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    'שלום‮abc',
    "'; DROP TABLE cells; --",
    '../../etc/passwd',
    '\u0007\u001b[31m',
    'é'.normalize('NFD'),
    '👩‍👩‍👧‍👦',
    'x'.repeat(5000),
    '{"a":1}',
    '%00%2F',
    'nul \u0000 inside',
    'half \ud83d pair',
  ),
);

/** Groups hold groups without end; a few levels of them will do. */
const maxDepth = 8;

/** Values that a schema of the description allows. */
export function arbitraryOf(
  description: Description,
  sent: Schema,
  depth = 0,
): fc.Arbitrary<unknown> {
  const schema = description.resolve(sent);
  const of = (inner: Schema): fc.Arbitrary<unknown> => arbitraryOf(description, inner, depth + 1);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.discriminator?.mapping !== undefined) return discriminated(schema.discriminator, of);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return fc.oneof(...choices.map(of));
  if (schema.allOf?.[0] !== undefined) return of(schema.allOf[0]);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (typeof schema.type === 'object') {
    return fc.oneof(...schema.type.map((type) => of({ ...schema, type })));
  }
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? (schema.exclusiveMinimum ?? -1001) + 1,
        max: schema.maximum ?? 1000,
      });
    case 'number':
      return fc.double({
        min: schema.minimum ?? -Number.MAX_VALUE,
        max: schema.maximum ?? Number.MAX_VALUE,
        noNaN: true,
      });
    case 'string':
      return text(schema);
    case 'array':
      if (depth > maxDepth) return fc.constant([]);
      return fc.array(of(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'object':
      return object(schema, of);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Fields whose form only their description tells. */
const wellKnown: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  file_name: fc.string({ unit: 'grapheme', maxLength: 40 }).map((name) => `${name}.csv`),
  file_content_base64: fc
    .array(fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 2, maxLength: 2 }), {
      maxLength: 5,
    })
    .map((rows) => [['a', 'b'], ...rows].map((row) => row.join(',')).join('\n'))
    .map((text) => Buffer.from(text).toString('base64')),
};

function text(schema: Schema): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.format === 'date-time') {
    return fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  }
  const { minLength = 0, maxLength = Infinity } = schema;
  // Ids of one length, which no text at random has.
  if (minLength === maxLength) {
    const size = { minLength, maxLength };
    return fc.oneof(
      fc.string({ ...size, unit: fc.constantFrom('0', '1', '9', 'a', 'b', 'f') }),
      fc.string({ ...size, unit: 'grapheme-ascii' }),
    );
  }
  return hardText.filter((value) => {
    const length = Array.from(value).length;
    return length >= minLength && length <= maxLength;
  });
}

/** Which of several schemas is meant stands in one field. */
function discriminated(
  { propertyName: name, mapping = {} }: NonNullable<Schema['discriminator']>,
  of: (inner: Schema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const kinds = Object.entries(mapping).map(([kind, $ref]) =>
    of({ $ref }).map((value) => ({ ...(value as object), [name]: kind })),
  );
  return fc.oneof(...kinds);
}

function object(
  schema: Schema,
  of: (inner: Schema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const { properties, required = [], additionalProperties: others } = schema;
  if (properties === undefined) {
    const value = typeof others === 'object' ? of(others) : fc.jsonValue({ maxDepth: 1 });
    return fc.dictionary(fc.uuid(), value, { maxKeys: 3 });
  }
  const model = Object.fromEntries(
    Object.entries(properties).map(([key, inner]) => [key, wellKnown[key] ?? of(inner)]),
  );
  return fc.record(model, { requiredKeys: required.filter((key) => key in model) });
}
