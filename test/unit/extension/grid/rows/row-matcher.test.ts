import assert from 'node:assert/strict';
import type { CellKind, GridPage } from '../../../../../src/protocol/grid-cells.ts';
import type { GridColumn } from '../../../../../src/protocol/grid-sheet.ts';
import { cellKinds } from '../../../../../src/protocol/grid-cells.ts';
import type { RowCondition } from '../../../../../src/protocol/grid-work.ts';
import {
  anyColumn,
  conditionOperators,
  notRunStatus,
} from '../../../../../src/protocol/grid-work.ts';
import { compareKeys, orderKey } from '../../../../../src/extension/grid/rows/order.ts';
import { RowMatcher } from '../../../../../src/extension/grid/rows/row-matcher.ts';
import { t } from '../editor-host.ts';

type Shown = readonly [text: string, kind?: CellKind, status?: string];
const statuses = ['', 'completed', 'stale', 'queued', 'running', 'error', 'cancelled'];

function pageOf(columns: Readonly<Record<string, readonly Shown[]>>): GridPage {
  const rows = Math.max(...Object.values(columns).map(({ length }) => length));
  const presentations: Record<string, unknown> = {};
  for (const [id, cells] of Object.entries(columns))
    presentations[id] = {
      text: cells.map(([text]) => text),
      kind: cells.map(([, kind = 'text']) => cellKinds.indexOf(kind)),
      status: cells.map(([, , status = 'completed']) => statuses.indexOf(status)),
    };
  const rowIndices = Array.from({ length: rows }, (_, index) => index);
  const shown: unknown = { page: 0, statuses, rowIndices, columns: presentations };
  return shown as GridPage;
}

async function found(
  columns: Readonly<Record<string, readonly Shown[]>>,
  condition: Partial<RowCondition>,
): Promise<readonly number[]> {
  const all = Object.keys(columns).map((id) => ({ id })) as unknown as readonly GridColumn[];
  const conditions = [{ columnId: 'a', operand: '', ...condition } as RowCondition];
  const matcher = new RowMatcher({ match: 'all', conditions, sort: [] } as never, all, t);
  const page = pageOf(columns);
  try {
    const matches = await matcher.matches(page, new AbortController().signal);
    return matches.flatMap((is, place) => (is ? [place] : []));
  } finally {
    await matcher.close();
  }
}

describe('which rows a filter shows', () => {
  const ids = ['1234567890123456788', '1234567890123456789', '1234567890123456790'] as const;
  const column = ids.map((id): Shown => [id]);

  it('tells ids of 64 bits apart, and sorts them', async () => {
    const [first, second, third] = ids;
    const cases: [RowCondition['operator'], string, number[]][] = [
      ['equals', second, [1]],
      ['equals', `${second}.0`, [1]],
      ['differs', second, [0, 2]],
      ['above', first, [1, 2]],
      ['below', third, [0, 1]],
      ['oneOf', `${first},${third}`, [0, 2]],
    ];
    for (const [operator, operand, places] of cases)
      assert.deepEqual(await found({ a: column }, { operator, operand }), places, operator);
    const keys = [third, first, second].map((id) => orderKey('text', id));
    const order = keys.toSorted((one, other) => compareKeys(one, other, 1)).map(String);
    assert.deepEqual(order, ids);
  });

  it('compares a number with no text, either way round', async () => {
    const cells: Shown[] = [['N/A'], ['5'], ['abc'], ['']];
    assert.deepEqual(await found({ a: cells }, { operator: 'above', operand: '3' }), [1]);
    assert.deepEqual(await found({ a: cells }, { operator: 'below', operand: '7' }), [1]);
    assert.deepEqual(await found({ a: cells }, { operator: 'above', operand: 'aaa' }), [2]);
    // Character by character, as everywhere: capitals come first.
    assert.deepEqual(await found({ a: cells }, { operator: 'above', operand: 'AAA' }), [0, 2]);
  });

  it('finds cells by the status that they show, also those without a value', async () => {
    const cells: Shown[] = [
      ['', 'notRun', 'queued'],
      ['', 'notRun', 'running'],
      ['', 'notRun', 'stale'],
      ['x', 'text', 'stale'],
      ['', 'notRun', 'cancelled'],
      ['x', 'text', 'queued'],
    ];
    for (const [operand, places] of [
      ['queued', [0, 5]],
      ['running', [1]],
      [notRunStatus, [2]],
      ['stale', [3]],
      ['cancelled', [4]],
    ] as const)
      assert.deepEqual(await found({ a: cells }, { operator: 'status', operand }), places, operand);
  });

  it('takes a negative over any column to mean none of them', async () => {
    const columns: Record<string, Shown[]> = {
      a: [['red'], ['red'], ['blue']],
      b: [['blue'], ['green'], ['blue']],
    };
    const any = { columnId: anyColumn, operand: 'blue' };
    assert.deepEqual(await found(columns, { ...any, operator: 'lacks' }), [1]);
    assert.deepEqual(await found(columns, { ...any, operator: 'differs' }), [1]);
    assert.deepEqual(await found(columns, { ...any, operator: 'contains' }), [0, 2]);
  });

  it('means the same of one column and of any, with every operator', async () => {
    const kinds: readonly Shown[] = [
      ['red'],
      ['', 'empty'],
      ['', 'null'],
      ['', 'missing'],
      ['', 'notRun', 'stale'],
      ['', 'notRun', 'queued'],
      ['5', 'number'],
      ['5.0'],
      ['{"a":1}', 'json'],
      ['true', 'boolean'],
      ['err', 'text', 'error'],
    ];
    const asked: readonly (readonly [RowCondition['operator'], string])[] = [
      ['contains', 'e'],
      ['lacks', 'e'],
      ['equals', '5'],
      ['differs', '5'],
      ['oneOf', 'red, 5'],
      ['matches', 'r.d|^$'],
      ['above', '4'],
      ['below', '6'],
      ['filled', ''],
      ['empty', ''],
      ['null', ''],
      ['status', 'queued'],
      ['status', 'error'],
      ['status', notRunStatus],
    ];
    assert.deepEqual(
      new Set(asked.map(([operator]) => operator)),
      new Set(conditionOperators),
      'an operator without a test',
    );
    const pairs = kinds.flatMap((one) => kinds.map((other) => [one, other] as const));
    const columns = { a: pairs.map(([one]) => one), b: pairs.map(([, other]) => other) };
    for (const [operator, operand] of asked) {
      const of = (columnId: string) => found(columns, { columnId, operator, operand });
      const [a, b, any] = [await of('a'), await of('b'), await of(anyColumn)];
      const isNone = operator === 'lacks' || operator === 'differs';
      const both = (place: number): boolean => a.includes(place) && b.includes(place);
      const one = (place: number): boolean => a.includes(place) || b.includes(place);
      const expected = pairs.flatMap((_, place) => ((isNone ? both : one)(place) ? [place] : []));
      assert.deepEqual(any, expected, `${operator} ${operand}`);
    }
  });

  it('takes opposites to be opposites, and lists to hold what equals', async () => {
    const cells: Shown[] = [
      ['red'],
      ['5', 'number'],
      ['5.0'],
      ['', 'empty'],
      ['', 'null'],
      ['', 'notRun', 'stale'],
      ['null'],
    ];
    const of = (operator: RowCondition['operator'], operand: string) =>
      found({ a: cells }, { operator, operand });
    const all = cells.map((_, place) => place);
    for (const operand of ['red', '5', '5.00', '', 'null', 'e']) {
      const both = [
        [await of('contains', operand), await of('lacks', operand)],
        [await of('equals', operand), await of('differs', operand)],
      ];
      for (const [yes = [], no = []] of both)
        assert.deepEqual([...yes, ...no].sort(), all, `“${operand}”`);
      // Of one word a list is the same as that word.
      assert.deepEqual(await of('oneOf', operand), await of('equals', operand), `“${operand}”`);
    }
    assert.deepEqual(await of('oneOf', '5.00\nred'), [0, 1, 2]);
  });
});
