import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Page } from '../../../../src/api/page.ts';
import { InvalidCursorError } from '../../../../src/core/errors.ts';
import { itemsOf, pagesOf } from '../../../../src/core/tables/paging.ts';
import { RecordingLogger } from '../../../support/http/recording-logger.ts';

interface Item {
  readonly id: string;
}
type Fetch = (cursor: string | undefined) => Promise<Page<Item>>;

const items = (from: number, count: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(from + index) }));

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
}

/** A list cut into pages of these sizes; the cursor is the number of the next page. */
const listOf =
  (sizes: readonly number[]): Fetch =>
  async (cursor) => {
    const page = Number(cursor ?? 0);
    const from = sizes.slice(0, page).reduce((sum, size) => sum + size, 0);
    const isLast = page >= sizes.length - 1;
    return {
      items: items(from, sizes[page] ?? 0),
      nextCursor: isLast ? undefined : String(page + 1),
      hasMore: !isLast,
    };
  };

const context = () => ({ name: 'things', logger: new RecordingLogger() });

describe('pagesOf', () => {
  it('gives every item once and in order, however the list is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 20 }),
        async (sizes) => {
          const all = await collect(itemsOf(pagesOf(listOf(sizes), context())));
          const total = sizes.reduce((sum, size) => sum + size, 0);
          assert.deepEqual(all, items(0, total));
        },
      ),
    );
  });

  it('ends for any service: with the whole list, or an error', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            next: fc.option(fc.nat({ max: 6 })),
            hasMore: fc.boolean(),
            size: fc.nat({ max: 2 }),
            fails: fc.boolean(),
          }),
          { minLength: 1, maxLength: 7 },
        ),
        async (script) => {
          let calls = 0;
          const fetch: Fetch = async (cursor) => {
            calls += 1;
            assert.ok(calls < 50, 'it goes on for ever');
            const step = script[Number(cursor ?? 0) % script.length]!;
            if (step.fails && cursor !== undefined) throw new InvalidCursorError('gone');
            return {
              items: items(calls * 10, step.size),
              nextCursor: step.next === null ? undefined : String(step.next),
              hasMore: step.hasMore,
            };
          };
          try {
            await collect(pagesOf(fetch, context()));
          } catch (error) {
            assert.ok(error instanceof Error && 'code' in error);
            assert.ok(error.code === 'response_format' || error.code === 'invalid_cursor');
          }
        },
      ),
    );
  });

  it('stops with an error on a repeated cursor', async () => {
    const fetch: Fetch = async (cursor) => ({
      items: items(0, 1),
      nextCursor: cursor === 'a' ? 'b' : 'a',
      hasMore: true,
    });
    const seen: unknown[] = [];
    await assert.rejects(
      async () => {
        for await (const page of pagesOf(fetch, context())) seen.push(page);
      },
      { code: 'response_format', message: /the same cursor twice/ },
    );
    assert.equal(seen.length, 3);
  });

  it('stops with an error when there is more but no cursor to it', async () => {
    const fetch: Fetch = async () => ({ items: items(0, 1), nextCursor: undefined, hasMore: true });
    await assert.rejects(collect(pagesOf(fetch, context())), /gave no cursor/);
  });

  it('stops with an error on endless empty pages', async () => {
    const fetch: Fetch = async (cursor) => ({
      items: [],
      nextCursor: String(Number(cursor ?? 0) + 1),
      hasMore: true,
    });
    await assert.rejects(collect(pagesOf(fetch, context())), /empty pages/);
  });

  it('begins again once when a cursor has become invalid, and says so', async () => {
    let hasFailed = false;
    const list = listOf([2, 2, 2]);
    const fetch: Fetch = async (cursor) => {
      if (cursor === '2' && !hasFailed) {
        hasFailed = true;
        throw new InvalidCursorError('gone');
      }
      return list(cursor);
    };
    const { logger, name } = context();
    const pages = await collect(pagesOf(fetch, { logger, name }));
    assert.deepEqual(
      pages.map((page) => page.restarted),
      [false, false, true, false, false],
    );
    assert.match(logger.messages('warn').join(), /read again from its start/);
    hasFailed = false;
    const all = await collect(itemsOf(pagesOf(fetch, context())));
    assert.deepEqual(all, items(0, 6), 'items are not given twice');
  });

  it('does not begin again for ever, nor for a cursor that the caller brought', async () => {
    const list = listOf([1, 1]);
    let calls = 0;
    const fetch: Fetch = async (cursor) => {
      calls += 1;
      if (cursor !== undefined) throw new InvalidCursorError('gone');
      return list(cursor);
    };
    await assert.rejects(collect(pagesOf(fetch, context())), { code: 'invalid_cursor' });
    assert.equal(calls, 4);
    calls = 0;
    await assert.rejects(collect(pagesOf(fetch, { ...context(), cursor: 'mine' })), {
      code: 'invalid_cursor',
    });
    assert.equal(calls, 1);
  });
});
