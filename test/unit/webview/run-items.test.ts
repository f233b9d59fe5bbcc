import assert from 'node:assert/strict';
import type { GridColumn, GridSheet } from '../../../src/protocol/grid-sheet.ts';
import type { GridActions } from '../../../src/webview/grid/actions/grid-actions.ts';
import { emptyLayout } from '../../../src/webview/grid/columns/arrangement.ts';
import { runItems } from '../../../src/webview/grid/columns/run-items.ts';
import { atSpot, extendTo, headerRow } from '../../../src/webview/grid/cursor/selection.ts';
import { Changes } from '../../../src/webview/grid/model/changes.ts';
import { SheetModel } from '../../../src/webview/grid/model/sheet-model.ts';

const column = (id: string, more: Partial<GridColumn> = {}): GridColumn => ({
  ...{ id, title: id, type: 'TEXT', icon: 'symbol-string', editable: true, computed: false },
  ...{ system: false, output: false, sources: [], numeric: false },
  ...more,
});
const typed = column('typed');
const computed = column('computed', { type: 'CODE_EXECUTION', editable: false, computed: true });
const human = column('human', { type: 'HUMAN', computed: true, input: { kind: 'text' } });

function modelOf(sheet: Partial<GridSheet>): SheetModel {
  const model = new SheetModel(
    {
      ...{ tableId: 't', sheetId: 's', title: 'S', tableTitle: 'T', version: 1, generation: 1 },
      connection: { id: 'local', name: 'Local', local: true },
      ...{ columns: [typed, computed, human], rowCount: 3, order: 'asc', systemColumns: false },
      ...{ layout: emptyLayout, operations: [], statusCounts: { stale: 2, error: 1 }, view: null },
      ...{ totals: [], unsaved: [], canUndo: false, canRedo: false },
      ...sheet,
    },
    { changes: new Changes(() => undefined) },
  );
  const columns = Object.fromEntries(
    model.sheet.columns.map(({ id }) => [
      id,
      { text: ['', '', ''], kind: [0, 0, 0], status: [0, 0, 0], cut: [], errors: {} },
    ]),
  );
  const page = { page: 0, generation: 1, rowIndices: [0, 1, 2], statuses: [''], columns };
  model.takeRows(page);
  return model;
}

/** What can't be chosen, and why. */
const refused = (model: SheetModel): Readonly<Record<string, string>> =>
  Object.fromEntries(
    runItems(model, {} as GridActions).flatMap(({ label, reason }) =>
      reason === undefined ? [] : [[label, reason]],
    ),
  );

describe('The Run menu of a sheet', () => {
  it('offers everything on a computed cell of a sheet with stale and failed cells', () => {
    const model = modelOf({});
    model.selection = atSpot({ row: 0, column: 1 });
    assert.deepEqual(refused(model), {});
  });

  it('says of a typed column, and of one that people fill in, that nothing runs them', () => {
    for (const [at, reason] of [
      [0, "“typed” isn't computed, so there is nothing to run."],
      [2, '“human” is filled in by people, so there is nothing to run.'],
    ] as const) {
      const model = modelOf({});
      model.selection = atSpot({ row: 0, column: at });
      const name = at === 0 ? 'typed' : 'human';
      assert.deepEqual(refused(model), {
        'Run this cell': reason,
        'Run selected cells': 'No selected cell is computed.',
        [`Run column “${name}”`]: reason,
        [`Run stale cells of “${name}”`]: reason,
      });
    }
  });

  it('runs a selection that holds a computed column beside others', () => {
    const model = modelOf({});
    model.selection = extendTo(atSpot({ row: 0, column: 0 }), { row: 1, column: 1 });
    assert.equal(refused(model)['Run selected cells'], undefined);
  });

  it('says that nothing is stale, and that nothing has failed', () => {
    const model = modelOf({ statusCounts: { completed: 3 } });
    model.selection = atSpot({ row: 0, column: 1 });
    assert.deepEqual(refused(model), {
      'Run stale cells of “computed”': 'No cell is stale.',
      'Run all stale cells': 'No cell is stale.',
      'Run failed cells': 'No cell has failed.',
    });
  });

  it('leaves what has not been counted yet to be tried', () => {
    const model = modelOf({ statusCounts: {} });
    model.selection = atSpot({ row: 0, column: 1 });
    assert.deepEqual(refused(model), {});
  });

  it('says that a sheet has no computed column, and that a title is no cell', () => {
    const bare = modelOf({ columns: [typed, human] });
    assert.equal(refused(bare)['Run this row'], 'This sheet has no computed column.');
    assert.equal(refused(bare)['Run all stale cells'], 'This sheet has no computed column.');
    const model = modelOf({});
    model.selection = atSpot({ row: headerRow, column: 1 });
    assert.deepEqual(refused(model), {
      'Run this cell': 'Move to a cell first.',
      'Run selected cells': 'Select a row first.',
      'Run this row': 'Select a row first.',
    });
  });
});
