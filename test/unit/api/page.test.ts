import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import { cursorQuery, pageOf, pagePosition, queryFlag } from '../../../src/api/page.ts';
import { listRows, SentRowsPage, settleRowsPage } from '../../../src/api/row.ts';
import * as sample from './samples.ts';

const schema = pageOf(z.looseObject({ id: z.string() }), 'tables');
const data = [{ id: 'a' }, { id: 'b' }];

describe('pages of a cursor list', () => {
  it('are the same from the flat and from the nested envelope', () => {
    fc.assert(
      fc.property(
        fc.option(fc.string({ minLength: 1 })),
        fc.option(fc.boolean()),
        (next_cursor, has_more) => {
          const flat = schema.parse({ data, next_cursor, has_more });
          const nested = schema.parse({
            data,
            success: true,
            pagination: { next_cursor, has_more },
          });
          const both = schema.parse({
            data,
            next_cursor,
            has_more,
            pagination: { next_cursor, has_more, limit: 2, prev_cursor: null },
          });
          assert.deepEqual(nested, flat);
          assert.deepEqual(both, flat);
          assert.deepEqual(flat.items, data);
        },
      ),
    );
  });

  it('go on when there is a cursor, unless they are said to be the last', () => {
    assert.deepEqual(pagePosition({}), { nextCursor: undefined, hasMore: false });
    assert.deepEqual(pagePosition({ next_cursor: 'c' }), { nextCursor: 'c', hasMore: true });
    assert.deepEqual(pagePosition({ next_cursor: '' }), { nextCursor: undefined, hasMore: false });
    assert.equal(pagePosition({ next_cursor: 'c', has_more: false }).hasMore, false);
    assert.equal(
      pagePosition({ next_cursor: 'c', pagination: { has_more: false } }).hasMore,
      false,
    );
  });

  it('do not hide that a cursor is missing', () => {
    for (const next_cursor of [null, '', undefined]) {
      const position = pagePosition({ next_cursor, has_more: true });
      assert.deepEqual(position, { nextCursor: undefined, hasMore: true });
    }
  });

  it('take the nested cursor when the flat one is null', () => {
    const position = pagePosition({ next_cursor: null, pagination: { next_cursor: 'n' } });
    assert.deepEqual(position, { nextCursor: 'n', hasMore: true });
  });

  it('hold their list under data, the name of the list or items', () => {
    for (const key of ['data', 'tables', 'items']) {
      assert.deepEqual(schema.parse({ [key]: data }).items, data, key);
    }
    assert.deepEqual(schema.parse({ data, tables: [] }).items, data);
  });

  it('are refused without a list, naming the place', () => {
    const result = schema.safeParse({ success: true, next_cursor: null });
    assert.equal(result.success, false);
    assert.deepEqual(result.error.issues[0]?.path, ['data']);
  });

  it('name the item that does not fit', () => {
    const result = schema.safeParse({ data: [{ id: 'a' }, { id: 3 }] });
    assert.deepEqual(result.error?.issues[0]?.path, ['data', 1, 'id']);
  });
});

describe('cursor query', () => {
  const query = z.object(cursorQuery({ limit: 20, order: 'desc' }));

  it('has the documented defaults', () => {
    assert.deepEqual(query.parse({}), { limit: 20, order: 'desc' });
  });

  it('accepts limits from 1 to 100 and nothing else', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1000, max: 1000 }), (limit) => {
        assert.equal(query.safeParse({ limit: String(limit) }).success, limit >= 1 && limit <= 100);
      }),
    );
    for (const limit of ['', 'ten', '1.5', '1e99', 'NaN', '0x1F4']) {
      assert.equal(query.safeParse({ limit }).success, false, limit);
    }
  });

  it('refuses another order and an empty cursor', () => {
    assert.equal(query.safeParse({ order: 'up' }).success, false);
    assert.equal(query.safeParse({ cursor: '' }).success, false);
  });

  it('reads flags as servers write them', () => {
    const flag = queryFlag();
    assert.equal(flag.parse('true'), true);
    assert.equal(flag.parse('1'), true);
    assert.equal(flag.parse('False'), false);
    assert.equal(flag.parse(false), false);
    assert.equal(flag.safeParse('maybe').success, false);
  });
});

describe('row pages', () => {
  const page = {
    success: true,
    data: [sample.row],
    next_cursor: 'n',
    has_more: true,
    row_count: 250,
    columns: [sample.column],
    version: 12,
    execution_metadata_aggregates: { by_column_id: {}, sheet: { by_metric: {} } },
    pagination: { next_cursor: 'n', has_more: true, limit: 1 },
  };

  it('carry columns, row count, version and totals', () => {
    const parsed = listRows.answer.parse(page);
    assert.equal(parsed.rowCount, 250);
    assert.equal(parsed.version, 12);
    assert.equal(parsed.columns[0]?.title, 'Answer');
    assert.equal(parsed.items[0]?.cells[sample.id]?.value !== undefined, true);
    assert.deepEqual(parsed.aggregates, { by_column_id: {}, sheet: { by_metric: {} } });
  });

  it('may leave out everything but the rows', () => {
    assert.deepEqual(listRows.answer.parse({ rows: [{ row_index: 0, cells: {} }] }), {
      items: [{ row_index: 0, cells: {} }],
      nextCursor: undefined,
      hasMore: false,
      columns: [],
      rowCount: undefined,
      version: undefined,
      aggregates: undefined,
    });
  });

  it('accept gaps in row indices and missing cells', () => {
    const rows = [
      { row_index: 3, cells: {} },
      { row_index: 900, cells: { [sample.id]: sample.cell } },
    ];
    const parsed = listRows.answer.parse({ data: rows });
    assert.deepEqual(
      parsed.items.map((row) => row.row_index),
      [3, 900],
    );
  });

  it('without rows are no pages', () => {
    assert.equal(settleRowsPage(SentRowsPage.parse({ success: true })), undefined);
    assert.equal(listRows.answer.safeParse({ success: true }).success, false);
  });

  it('accept sums with more digits than a double holds', async () => {
    const { ExactNumber } = await import('../../../src/api/exact-number.ts');
    const aggregate = { ...sample.aggregate, sum: new ExactNumber('0.12345678901234567890') };
    const parsed = listRows.answer.parse({
      ...page,
      execution_metadata_aggregates: {
        by_column_id: {},
        sheet: { by_metric: { price: aggregate } },
      },
    });
    assert.equal(Number(parsed.aggregates?.sheet.by_metric['price']?.sum), 0.12345678901234568);
  });
});
