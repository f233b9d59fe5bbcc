import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { tablesPath } from '../../src/api/table.ts';
import { arbitraryOf } from '../support/contract/arbitrary.ts';
import { contract, type Schema } from '../support/contract/description.ts';
import { placeOf } from '../support/contract/live.ts';
import { servedEndpoints } from '../support/contract/endpoints.ts';
import {
  acceptedDifferences,
  stricterRules,
  type AcceptedDifference,
} from './accepted-differences.ts';

contract('endpoints against the public description', (description) => {
  function isAccepted(endpoint: Endpoint, part: AcceptedDifference['part'], what: string): boolean {
    return acceptedDifferences.some(
      (entry) => entry.where === placeOf(endpoint) && entry.part === part && entry.what === what,
    );
  }

  for (const endpoint of servedEndpoints) {
    const described = description.operation(endpoint.method, endpoint.path);

    describe(`${endpoint.method} ${endpoint.path}`, () => {
      it('is described', () => {
        if (isAccepted(endpoint, 'endpoint', 'extra')) assert.equal(described, undefined);
        else assert.ok(described, 'not in the public description');
      });
      if (described === undefined) return;

      it('takes the same query parameters', () => {
        const theirs = description.query(described);
        const ours = endpoint.query.shape;
        for (const name of Object.keys(theirs)) assert.ok(name in ours, `${name} is missing`);
        for (const [name, schema] of Object.entries(ours)) {
          const other = theirs[name];
          if (isAccepted(endpoint, 'query', name)) assert.equal(other, undefined);
          else {
            assert.ok(other, `${name} is not described`);
            const hasOwnDefault = isAccepted(endpoint, 'query', `default of ${name}`);
            assertSameParameter(name, schema, other, hasOwnDefault);
          }
        }
      });

      it('takes the same body', () => {
        const theirs = description.body(described);
        const ours = objectOf(endpoint.body);
        if (theirs === undefined) {
          assert.deepEqual(Object.keys(ours?.properties ?? {}), []);
          return;
        }
        const fields = Object.keys(theirs.properties ?? {});
        assert.ok(ours, 'no body is declared');
        for (const name of fields) assert.ok(name in (ours.properties ?? {}), `${name} is missing`);
        for (const name of Object.keys(ours.properties ?? {})) {
          const known = fields.includes(name);
          assert.equal(isAccepted(endpoint, 'body', name), !known, `${name} is not described`);
        }
        const needed = (theirs.required ?? []).filter(
          (name) => !isAccepted(endpoint, 'body', `${name} is not needed`),
        );
        assert.deepEqual(new Set(ours.required), new Set(needed));
        assert.equal(ours.additionalProperties === false, theirs.additionalProperties === false);
      });

      it('counts every documented success as one', () => {
        const successes = Object.keys(described.responses).map(Number);
        for (const status of successes.filter((code) => code < 300)) {
          assert.ok(endpoint.ok.includes(status), String(status));
        }
      });

      it('accepts every body that the description allows', () => {
        const theirs = description.body(described);
        if (theirs === undefined) return;
        fc.assert(
          fc.property(arbitraryOf(description, theirs), (body) => {
            fc.pre(!isKnownStricter(body, endpoint));
            const result = endpoint.body.safeParse(body);
            assert.ok(result.success, z.prettifyError(result.error ?? new z.ZodError([])));
          }),
          { numRuns: 100 },
        );
      });

      it('reads every answer that the description allows', () => {
        for (const status of endpoint.ok) {
          const schema = description.answer(described, status);
          if (schema === undefined || isWithoutFields(schema)) continue;
          fc.assert(
            fc.property(arbitraryOf(description, complete(schema)), (body) => {
              const result = endpoint.answer.safeParse(body);
              assert.ok(result.success, z.prettifyError(result.error ?? new z.ZodError([])));
            }),
            { numRuns: 60 },
          );
        }
      });
    });
  }

  /** The description rarely says which fields an answer always has; ours do, and need them. */
  function complete(sent: Schema): Schema {
    const schema = description.resolve(sent);
    const inner = (part: Schema): Schema => complete(part);
    return {
      ...schema,
      ...(schema.properties && {
        properties: Object.fromEntries(
          Object.entries(schema.properties).map(([key, part]) => [key, inner(part)]),
        ),
        required: Object.keys(schema.properties),
      }),
      ...(typeof schema.additionalProperties === 'object' && {
        additionalProperties: inner(schema.additionalProperties),
      }),
      ...(schema.items && { items: inner(schema.items) }),
      ...(schema.allOf && { allOf: schema.allOf.map(inner) }),
      ...(schema.oneOf && { oneOf: schema.oneOf.map(inner) }),
      ...(schema.anyOf && { anyOf: schema.anyOf.map(inner) }),
    };
  }

  it('cover all that is described for tables', () => {
    const ours = new Set(servedEndpoints.map(({ method, path }) => `${method} ${path}`));
    const missing = description.operationsBelow(tablesPath).filter((key) => !ours.has(key));
    assert.deepEqual(missing, []);
  });

  describe('accepted differences', () => {
    it('are all differences still', () => {
      // What is accepted for an endpoint is held against it above; here, that there is such a thing.
      const unused = acceptedDifferences.filter(
        (entry) =>
          ['endpoint', 'query', 'body'].includes(entry.part) &&
          !servedEndpoints.some((one) => placeOf(one) === entry.where && isThere(one, entry)),
      );
      assert.deepEqual(unused, []);
    });
  });

  function isThere(endpoint: Endpoint, { part, what }: AcceptedDifference): boolean {
    if (part === 'endpoint') return true;
    if (part === 'query') return what.replace(/^default of /, '') in endpoint.query.shape;
    const described = description.operation(endpoint.method, endpoint.path);
    const needed = / is not needed$/.exec(what);
    if (needed === null) return what in (objectOf(endpoint.body)?.properties ?? {});
    const theirs = described && description.body(described);
    return theirs?.required?.includes(what.slice(0, needed.index)) === true;
  }
});

const objectOf = (schema: z.ZodType): Schema | undefined => {
  if (schema instanceof z.ZodUndefined) return undefined;
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
};

const isWithoutFields = (schema: Schema): boolean =>
  schema.$ref === undefined && schema.properties === undefined && schema.oneOf === undefined;

function assertSameParameter(
  name: string,
  ours: z.ZodType,
  theirs: Schema,
  hasOwnDefault: boolean,
): void {
  const empty = z.object({ [name]: ours }).safeParse({}).data?.[name];
  assert.equal(isEqual(empty, theirs.default), !hasOwnDefault, `default of ${name}`);
  const accepts = (value: unknown): boolean => ours.safeParse(value).success;
  if (theirs.type === 'integer') {
    assert.equal(accepts('ten'), false, name);
    assert.equal(accepts('1.5'), false, name);
    for (const [bound, outside] of [
      [theirs.minimum, -1],
      [theirs.maximum, 1],
    ] as const) {
      if (bound === undefined) continue;
      assert.equal(accepts(String(bound)), true, `${name}=${bound}`);
      assert.equal(accepts(String(bound + outside)), false, `${name}=${bound + outside}`);
    }
    assert.equal(accepts(String(theirs.minimum ?? 7)), true, name);
    if (theirs.exclusiveMinimum !== undefined) {
      assert.equal(accepts(String(theirs.exclusiveMinimum)), false, name);
    }
  } else if (theirs.type === 'boolean') {
    assert.deepEqual(['true', 'false', 'maybe'].map(accepts), [true, true, false], name);
  } else if (theirs.enum !== undefined) {
    for (const value of theirs.enum) assert.equal(accepts(value), true, `${name}=${String(value)}`);
    assert.equal(accepts('something else'), false, name);
  }
}

const isEqual = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

const isKnownStricter = (body: unknown, endpoint: Endpoint): boolean =>
  typeof body === 'object' &&
  body !== null &&
  stricterRules.some(({ refuses }) =>
    refuses(body as Readonly<Record<string, unknown>>, placeOf(endpoint)),
  );
