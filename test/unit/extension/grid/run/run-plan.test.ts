import assert from 'node:assert/strict';
import {
  settleRanges,
  rowsIn,
  pagesOfRanges,
} from '../../../../../src/extension/grid/rows/positions.ts';
import { planRun } from '../../../../../src/extension/grid/run/run-plan.ts';
import type { RunScope } from '../../../../../src/protocol/grid.ts';
import { textColumn } from '../fake-rows.ts';

const computed = { ...textColumn, type: 'COUNT', editable: false, computed: true };
const sheet = {
  columns: [textColumn, { ...computed, id: 'one' }, { ...computed, id: 'two' }],
  rowCount: 1000,
  statusCounts: { stale: 40, error: 3, completed: 2957 },
};
const plan = (scope: RunScope): unknown => planRun(scope, sheet);
const rows = [{ from: 10, to: 19 }];

describe('planning a run', () => {
  it('names rows and columns of a selection, whatever the state of the cells', () => {
    const selection = { rows, columnIds: [textColumn.id, 'two'] };
    assert.deepEqual(plan({ kind: 'selection', selection }), {
      kind: 'operation',
      request: { statuses: [], column_ids: ['two'] },
      rows,
      cells: 10,
      isUpperLimit: false,
    });
  });

  it('leaves out the rows when all are meant, and the columns likewise', () => {
    const all = [{ from: 0, to: 5000 }];
    assert.deepEqual(plan({ kind: 'rows', rows: all }), {
      kind: 'operation',
      request: { statuses: [] },
      rows: undefined,
      cells: 2000,
      isUpperLimit: false,
    });
  });

  it('asks for stale cells by leaving the statuses out, never by an empty list', () => {
    assert.deepEqual(plan({ kind: 'stale' }), {
      kind: 'operation',
      request: {},
      rows: undefined,
      cells: 40,
      isUpperLimit: false,
    });
    assert.deepEqual(plan({ kind: 'column', columnId: 'one', onlyStale: true }), {
      kind: 'operation',
      request: { column_ids: ['one'] },
      rows: undefined,
      cells: 40,
      isUpperLimit: true,
    });
  });

  it('does not count cells that people fill in', () => {
    const human = { ...computed, id: 'human', type: 'HUMAN', input: { kind: 'text' } as const };
    const withHuman = { ...sheet, columns: [...sheet.columns, human] };
    const cellsOf = (scope: RunScope): unknown => {
      const made = planRun(scope, withHuman);
      return made.kind === 'operation' ? [made.cells, made.isUpperLimit] : made.kind;
    };
    assert.deepEqual(cellsOf({ kind: 'rows', rows }), [20, false]);
    assert.deepEqual(cellsOf({ kind: 'stale' }), [40, true]);
    assert.deepEqual(cellsOf({ kind: 'column', columnId: 'human', onlyStale: false }), 'nothing');
  });

  it('never turns an empty selection into a run of the whole sheet', () => {
    const none = { rows: [], columnIds: ['one'] };
    assert.deepEqual(plan({ kind: 'selection', selection: none }), {
      kind: 'nothing',
      why: 'noRows',
    });
    assert.deepEqual(plan({ kind: 'rows', rows: [] }), { kind: 'nothing', why: 'noRows' });
    const typedIn = { rows, columnIds: [textColumn.id] };
    assert.deepEqual(plan({ kind: 'selection', selection: typedIn }), {
      kind: 'nothing',
      why: 'noComputedColumn',
    });
    const cell = { columnId: textColumn.id, rowIndex: 0 };
    assert.deepEqual(plan({ kind: 'cell', cell }), { kind: 'nothing', why: 'noComputedColumn' });
    assert.deepEqual(planRun({ kind: 'failed' }, { ...sheet, statusCounts: {} }), {
      kind: 'nothing',
      why: 'noFailed',
    });
  });

  it('is of the rows that a filter shows, whatever is run', () => {
    const filtered = { ...sheet, shownCount: 11, isFiltered: true };
    const shown = [{ from: 0, to: 10 }];
    const table: readonly (readonly [RunScope, object])[] = [
      [
        { kind: 'column', columnId: 'two', onlyStale: false },
        { request: { column_ids: ['two'], statuses: [] }, cells: 11, isUpperLimit: false },
      ],
      [
        { kind: 'column', columnId: 'two', onlyStale: true },
        { request: { column_ids: ['two'] }, cells: 11, isUpperLimit: true },
      ],
      [{ kind: 'stale' }, { request: {}, cells: 22, isUpperLimit: true }],
      [{ kind: 'failed' }, { request: { statuses: ['FAILED'] }, cells: 3, isUpperLimit: true }],
      [
        { kind: 'rows', rows: [{ from: 0, to: 10 }] },
        { request: { statuses: [] }, cells: 22, isUpperLimit: false },
      ],
    ];
    for (const [scope, expected] of table) {
      const asked = { kind: 'operation', rows: shown, ...expected };
      assert.deepEqual(planRun(scope, filtered), asked, scope.kind);
      const none = planRun(scope, { ...filtered, shownCount: 0 });
      assert.equal(none.kind, 'nothing', scope.kind);
    }
    // A filter that leaves nothing out is as good as none.
    const whole = planRun({ kind: 'stale' }, { ...filtered, shownCount: 1000 });
    assert.deepEqual(whole, plan({ kind: 'stale' }));
  });
});

describe('ranges of rows', () => {
  it('are put in order, joined and kept within the sheet', () => {
    const settled = settleRanges(
      [
        { from: 50, to: 60 },
        { from: 3, to: 5 },
        { from: 6, to: 8 },
        { from: 58, to: 900 },
        { from: 9, to: 2 },
      ],
      100,
    );
    assert.deepEqual(settled, [
      { from: 3, to: 8 },
      { from: 50, to: 99 },
    ]);
    assert.equal(rowsIn(settled), 56);
    assert.deepEqual(
      [...pagesOfRanges([{ from: 98, to: 201 }])],
      [
        { page: 0, from: 98, to: 99 },
        { page: 1, from: 0, to: 99 },
        { page: 2, from: 0, to: 1 },
      ],
    );
  });
});
