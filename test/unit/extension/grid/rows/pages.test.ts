import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { hasErrorCode } from '../../../../../src/core/errors.ts';
import type { PagesOptions, Walk } from '../../../../../src/extension/grid/rows/pages.ts';
import { MovedRowsError, Pages } from '../../../../../src/extension/grid/rows/pages.ts';
import { Spool } from '../../../../../src/extension/grid/rows/spool.ts';
import type { FakeRows } from '../fake-rows.ts';
import { fakeRows, rowAt, textColumn } from '../fake-rows.ts';

const signal = new AbortController().signal;

function pagesOver(fake: FakeRows, options: Partial<PagesOptions> = {}): Pages {
  return new Pages({
    fetch: fake.fetch,
    order: 'asc',
    generation: 1,
    columns: [textColumn],
    rowCount: fake.rows.length,
    isInvalidCursor: (error) => hasErrorCode(error, 'invalid_cursor'),
    ...options,
  });
}

const indicesOf = (fake: FakeRows, page: number, order: 'asc' | 'desc'): number[] => {
  const rows = order === 'asc' ? fake.rows : fake.rows.toReversed();
  return rows.slice(page * 100, page * 100 + 100).map((row) => row.row_index);
};

describe('grid pages', () => {
  it('reads the first and the last page with one request each', async () => {
    const fake = fakeRows(1_000_042);
    const pages = pagesOver(fake);
    const last = await pages.get(10_000, signal);
    assert.equal(last.grid.rowIndices.length, 42);
    assert.equal(last.grid.rowIndices.at(-1), 2 * 1_000_041);
    await pages.get(0, signal);
    assert.equal(fake.requests.length, 2);
  });

  it('reaches the middle with at most half of the pages, and tells how far it is', async () => {
    const fake = fakeRows(10_000);
    const walks: Walk[] = [];
    const pages = pagesOver(fake, { onWalk: (walk) => walks.push(walk) });
    const middle = await pages.get(49, signal);
    assert.deepEqual(middle.grid.rowIndices, indicesOf(fake, 49, 'asc'));
    assert.equal(fake.requests.length, 50);
    assert.deepEqual(walks.at(0), { target: 49, reached: 1, pages: 50 });
    assert.deepEqual(walks.at(-1), { target: 49, reached: 50, pages: 50 });
  });

  it('shows the rows of a direct listing whatever jumps are made', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 1500 }),
        fc.constantFrom('asc' as const, 'desc' as const),
        fc.boolean(),
        fc.constantFrom(100, 37),
        fc.array(fc.integer({ min: 0, max: 17 }), { maxLength: 12 }),
        fc.boolean(),
        async (count, order, knowsCount, mostRows, jumps, together) => {
          const fake = fakeRows(count, { sendsRowCount: knowsCount, mostRows });
          const pages = pagesOver(fake, {
            order,
            memoryPages: 3,
            rowCount: knowsCount ? count : undefined,
          });
          const inside = jumps.filter((page) => page === 0 || page * 100 < count);
          const check = async (page: number): Promise<void> => {
            const { grid } = await pages.get(page, signal);
            assert.deepEqual(grid.rowIndices, indicesOf(fake, page, order));
            assert.deepEqual(
              grid.columns[textColumn.id]?.text,
              grid.rowIndices.map((rowIndex) => `row ${rowIndex / 2}`),
            );
          };
          if (together) await Promise.all(inside.map(check));
          else for (const page of inside) await check(page);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('stops a walk at once when it is aborted, and goes on from there later', async () => {
    const fake = fakeRows(10_000);
    const controller = new AbortController();
    const onWalk = (): void => {
      if (fake.requests.length >= 10) controller.abort();
    };
    const pages = pagesOver(fake, { onWalk });
    await assert.rejects(pages.get(40, controller.signal), { name: 'AbortError' });
    const made = fake.requests.length;
    assert.ok(made < 40, String(made));
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(fake.requests.length <= made + 1, 'no request follows the abort');
    await pages.get(40, signal);
    assert.ok(fake.requests.length <= 42);
  });

  it('serves a known page while a walk is under way', async () => {
    const fake = fakeRows(10_000);
    const pages = pagesOver(fake);
    await pages.get(0, signal);
    const walking = pages.get(45, signal);
    const second = await pages.get(1, signal);
    assert.deepEqual(second.grid.rowIndices, indicesOf(fake, 1, 'asc'));
    assert.ok(fake.requests.length < 10);
    await walking;
  });

  it('asks once for a page that is wanted twice at the same time', async () => {
    const fake = fakeRows(500);
    const pages = pagesOver(fake);
    const impatient = new AbortController();
    const first = pages.get(0, impatient.signal);
    const second = pages.get(0, signal);
    impatient.abort();
    await assert.rejects(first);
    assert.equal((await second).grid.rowIndices.length, 100);
    assert.equal(fake.requests.length, 1);
  });

  it('walks from the start again when the service no longer knows a cursor', async () => {
    const fake = fakeRows(1000);
    const pages = pagesOver(fake);
    await pages.get(4, signal);
    const { fetch } = fake;
    let refused = 0;
    const forgetful: FakeRows['fetch'] = (request, aborted) => {
      if (request.cursor !== undefined && refused === 0) {
        refused += 1;
        return fakeRows(1000, { cursorsEndAfter: 0 }).fetch(request, aborted);
      }
      return fetch(request, aborted);
    };
    const again = pagesOver({ ...fake, fetch: forgetful }, { chain: pages.chain });
    const page = await again.get(4, signal);
    assert.equal(refused, 1);
    assert.deepEqual(page.grid.rowIndices, indicesOf(fake, 4, 'asc'));
  });

  it('notices that rows were added or deleted', async () => {
    const fake = fakeRows(1000);
    const counts: number[] = [];
    const pages = pagesOver(fake, { onRowCount: (count) => counts.push(count) });
    await pages.get(0, signal);
    fake.rows = fake.rows.slice(3);
    await assert.rejects(pages.get(1, signal), MovedRowsError);
    assert.deepEqual(counts, [997]);
  });

  it('keeps the cursors of a sheet that only grew', async () => {
    const fake = fakeRows(1000);
    const pages = pagesOver(fake);
    await pages.get(4, signal);
    fake.rows = [...fake.rows, rowAt(1000), rowAt(1001)];
    const grown = pagesOver(fake, { chain: pages.chain.grownTo(1002) });
    const made = fake.requests.length;
    assert.deepEqual((await grown.get(4, signal)).grid.rowIndices, indicesOf(fake, 4, 'asc'));
    assert.deepEqual((await grown.get(10, signal)).grid.rowIndices, [2000, 2002]);
    assert.equal(fake.requests.length, made + 2);
  });

  describe('with a spool', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'pt-spool-'));
    });
    afterEach(async () => rm(folder, { recursive: true, force: true }));

    const faults: unknown[] = [];
    const spoolOf = (limitBytes?: number): Spool =>
      new Spool({
        file: path.join(folder, 'deep', 'pages'),
        onFault: (fault) => faults.push(fault),
        ...(limitBytes !== undefined && { limitBytes }),
      });

    it('brings back what was walked past without asking again', async () => {
      const fake = fakeRows(10_000);
      const spool = spoolOf();
      const pages = pagesOver(fake, { spool, memoryPages: 2 });
      await pages.get(40, signal);
      const made = fake.requests.length;
      for (const page of [40, 3, 17, 0, 39]) {
        const { grid } = await pages.get(page, signal);
        assert.deepEqual(grid.rowIndices, indicesOf(fake, page, 'asc'));
      }
      assert.equal(fake.requests.length, made);
      // A window that is killed now leaves nothing behind (Windows removes it when it is closed).
      if (process.platform !== 'win32') {
        assert.deepEqual(await readdir(path.join(folder, 'deep')), []);
      }
      await spool.close();
      assert.deepEqual(await readdir(path.join(folder, 'deep')), []);
    });

    it('stays within its limit and gives only what it was given', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.uint8Array({ maxLength: 40 })), {
            maxLength: 60,
          }),
          async (writes) => {
            const spool = spoolOf(100);
            const latest = new Map<number, Uint8Array>();
            for (const [page, bytes] of writes) {
              latest.set(page, bytes);
              await spool.put(page, bytes);
            }
            for (const [page, bytes] of latest) {
              const found = await spool.get(page);
              if (found !== undefined) assert.deepEqual(found, bytes);
            }
            const newest = writes.at(-1);
            if (newest) assert.deepEqual(await spool.get(newest[0]), newest[1]);
            await spool.close();
          },
        ),
        { numRuns: 40 },
      );
    });

    it('goes on without a disk when the disk refuses', async () => {
      const fake = fakeRows(1000);
      faults.length = 0;
      const spool = new Spool({
        file: path.join('/dev/null', 'nowhere'),
        onFault: (fault) => faults.push(fault),
      });
      const pages = pagesOver(fake, { spool });
      assert.equal((await pages.get(5, signal)).grid.rowIndices.length, 100);
      assert.equal((await pages.get(4, signal)).grid.rowIndices.length, 100);
      assert.equal(faults.length, 1);
    });
  });
});
