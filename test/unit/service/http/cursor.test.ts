import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CursorScope } from '../../../../src/service/http/cursor.ts';
import { decodeCursor, encodeCursor } from '../../../../src/service/http/cursor.ts';
import { Problem } from '../../../../src/service/http/problem.ts';

const scopes: fc.Arbitrary<CursorScope> = fc.record({
  workspaceId: fc.integer({ min: 1, max: 3 }),
  resource: fc.constantFrom('tables', 'rows:a', 'rows:b'),
  sort: fc.constantFrom('created_at', 'row_index'),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  filters: fc.record(
    { name: fc.string({ maxLength: 3 }), folder_id: fc.integer({ min: 0, max: 2 }) },
    { requiredKeys: [] },
  ),
});
const positions = fc.array(
  fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  ),
  { minLength: 1, maxLength: 3 },
);
const isRefused = (error: unknown): boolean =>
  error instanceof Problem && error.status === 400 && error.code === 'invalid_cursor';

describe('Cursor', () => {
  it('gives back the position in the scope that it was made for', () => {
    fc.assert(
      fc.property(scopes, positions, (scope, position) => {
        const cursor = encodeCursor(scope, position);
        assert.match(cursor, /^[\w-]+$/);
        assert.deepEqual(decodeCursor(scope, cursor, position.length), position);
      }),
    );
  });

  it('is refused in every other scope', () => {
    const key = ({ filters, ...rest }: CursorScope): string =>
      JSON.stringify([rest, Object.entries(filters ?? {}).sort()]);
    fc.assert(
      fc.property(scopes, scopes, positions, (scope, other, position) => {
        fc.pre(key(scope) !== key(other));
        const cursor = encodeCursor(scope, position);
        assert.throws(() => decodeCursor(other, cursor, position.length), isRefused);
      }),
    );
  });

  it('does not mind in which order filters are given, or that one is undefined', () => {
    const base = { workspaceId: 1, resource: 'tables', sort: 'created_at', order: 'asc' } as const;
    const cursor = encodeCursor({ ...base, filters: { a: 1, b: 'x' } }, [5]);
    assert.deepEqual(
      decodeCursor({ ...base, filters: { b: 'x', a: 1, c: undefined } }, cursor, 1),
      [5],
    );
  });

  it('refuses any other text, without any other error', () => {
    const scope: CursorScope = { workspaceId: 1, resource: 'tables', sort: 's', order: 'asc' };
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.base64String(),
      fc.json().map((json) => Buffer.from(json).toString('base64url')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        assert.throws(() => decodeCursor(scope, text, 1), isRefused);
      }),
    );
  });

  it('refuses a position of another length or of other things than numbers', () => {
    const scope: CursorScope = { workspaceId: 1, resource: 'tables', sort: 's', order: 'asc' };
    assert.throws(() => decodeCursor(scope, encodeCursor(scope, [1, 2]), 1), isRefused);
    const odd = encodeCursor(scope, ['1; drop table cells'] as unknown as number[]);
    assert.throws(() => decodeCursor(scope, odd, 1), isRefused);
  });
});
