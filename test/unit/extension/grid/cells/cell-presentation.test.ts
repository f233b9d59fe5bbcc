import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Cell } from '../../../../../src/api/cell.ts';
import { ExactNumber } from '../../../../../src/api/exact-number.ts';
import { parseJson, stringifyJson } from '../../../../../src/core/index.ts';
import { cellDetailOf } from '../../../../../src/extension/grid/cells/cell-detail.ts';
import { presentationOf } from '../../../../../src/extension/grid/cells/cell-presentation.ts';
import {
  gridPageOf,
  patchesBetween,
  withCell,
} from '../../../../../src/extension/grid/rows/grid-page.ts';
import { jsonStart } from '../../../../../src/core/tables/json-text.ts';
import { laidOut } from '../../../../../src/extension/panels/laid-out.ts';
import { rowAt, textColumn } from '../fake-rows.ts';
import { cutText } from '../../../../../src/core/shortened.ts';

const typed = textColumn;
const computed = {
  ...textColumn,
  id: 'c-computed',
  type: 'COUNT',
  editable: false,
  computed: true,
};

const cellOf = (fields: Partial<Cell>): Cell => ({
  id: 'x',
  column_id: 'c',
  row_index: 0,
  status: 'completed',
  ...fields,
});

describe('what a cell shows', () => {
  it('keeps look-alikes apart', () => {
    const kinds = (fields: Partial<Cell>): string => presentationOf(cellOf(fields), typed).kind;
    assert.equal(presentationOf(undefined, typed).kind, 'missing');
    assert.equal(kinds({}), 'missing');
    assert.equal(kinds({ value: null }), 'null');
    assert.equal(kinds({ value: '' }), 'empty');
    assert.equal(kinds({ value: 'null' }), 'text');
    assert.equal(kinds({ value: 0 }), 'number');
    assert.equal(kinds({ value: false }), 'boolean');
    assert.equal(kinds({ value: [] }), 'json');
  });

  it('tells a cell that was never run from one whose result is null', () => {
    assert.equal(presentationOf(undefined, computed).kind, 'notRun');
    assert.equal(presentationOf(cellOf({ status: 'stale', value: null }), computed).kind, 'notRun');
    assert.equal(presentationOf(cellOf({ status: 'queued' }), computed).kind, 'notRun');
    assert.equal(presentationOf(cellOf({ value: null }), computed).kind, 'null');
    const old = cellOf({ status: 'stale', value: null, last_computed_version: 3 });
    assert.equal(presentationOf(old, computed).kind, 'null');
  });

  it('shows numbers as they were sent', () => {
    for (const text of ['9007199254740993', '1e400', '0.1000000000000000055', '-0', '12.50']) {
      const { value } = parseJson(`{"value":${text}}`) as { value: unknown };
      const { text: shown, kind } = presentationOf(cellOf({ value }), computed);
      assert.equal(kind, 'number');
      assert.equal(Number(shown), Number(text));
      if (value instanceof ExactNumber) assert.equal(shown, text);
    }
  });

  it('writes numbers as the service shows them, wherever they stand', () => {
    const shownOf = (written: string, shown = written): string =>
      presentationOf(
        cellOf({ value: JSON.parse(written), display_value: shown }),
        computed,
        Infinity,
      ).text;
    for (const written of ['10.0', '-0.0', '1e3', '1.10', '[1,2.0,{"a":[1E-7,"10.0"]}]', '[]']) {
      assert.equal(shownOf(written), written);
    }
    // A text of one's own, or of something else, is no form of the number.
    for (const shown of ['10.0 %', '$10.0', '11', '', '10.01', 'ten']) {
      assert.equal(shownOf('10.0', shown), '10', shown);
      assert.equal(shownOf('[10.0]', `[${shown}]`), '[10]', shown);
    }
    assert.equal(shownOf('{"a":1.0}', '{"a": 1.0}'), '{"a":1}');
    const long = `[${'1.0,'.repeat(500)}2]`;
    const cut = presentationOf(cellOf({ value: JSON.parse(long), display_value: long }), computed);
    assert.equal(cut.text, long.slice(0, 256));
  });

  it('shows the state and the error of computed cells only', () => {
    const failed = cellOf({ status: 'error', error: 'short', error_message: 'long text' });
    assert.deepEqual(presentationOf(failed, computed), {
      ...{ text: '', kind: 'null', cut: false, status: 'error', error: 'long text' },
    });
    assert.equal(presentationOf(cellOf({ value: 'a' }), typed).status, '');
  });

  it('cuts at 256 units and never inside a surrogate pair', () => {
    const { text, cut } = presentationOf(cellOf({ value: `${'a'.repeat(255)}😀 and more` }), typed);
    assert.equal(text, 'a'.repeat(255));
    assert.equal(cut, true);
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.integer({ min: 1, max: 20 }),
        (whole, limit) => {
          const start = cutText(whole, limit);
          assert.ok(
            whole.startsWith(start) && start.length <= limit && !/\p{Surrogate}/u.test(start),
          );
          assert.ok(start.length >= Math.min(whole.length, limit) - 1);
        },
      ),
    );
  });

  it('writes the start of a JSON value as the whole would begin', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 60 }), (value, limit) => {
        const whole = stringifyJson(value);
        assert.equal(jsonStart(value, Infinity), whole);
        const start = jsonStart(value, limit).slice(0, limit);
        assert.equal(start, whole.slice(0, start.length));
        assert.ok(start.length >= Math.min(limit, whole.length) - 1);
      }),
    );
  });
});

describe('pages of cells', () => {
  const rows = [rowAt(0), rowAt(1), rowAt(2)];
  const page = gridPageOf(rows, [typed, computed], { page: 4, generation: 2 });

  it('holds each column as parallel lists', () => {
    assert.deepEqual(page.rowIndices, [0, 2, 4]);
    assert.deepEqual(page.columns[typed.id]?.text, ['row 0', 'row 1', 'row 2']);
    assert.deepEqual(
      page.columns[computed.id]?.status.map((status) => page.statuses[status]),
      ['stale', 'stale', 'stale'],
    );
  });

  it('gives a patch for each cell that differs', () => {
    const changed = withCell(page, 2, typed.id, presentationOf(cellOf({ value: 'new' }), typed))!;
    assert.equal(changed.patch.place, 1);
    assert.deepEqual(patchesBetween(page, changed.page), [changed.patch]);
    assert.deepEqual(patchesBetween(page, page), []);
    assert.equal(patchesBetween(undefined, page)?.length, 6);
    const other = gridPageOf(rows.slice(1), [typed], { page: 4, generation: 2 });
    assert.equal(patchesBetween(page, other), undefined);
  });
});

describe('the detail of a cell', () => {
  it('lays out JSON with exact numbers, also inside a text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = stringifyJson(value);
        assert.deepEqual(parseJson(laidOut(parseJson(json))), parseJson(json));
        if (!json.includes('-0')) {
          assert.equal(laidOut(value), JSON.stringify(value, null, 2));
        }
      }),
    );
    const value = '{"id":9007199254740993,"list":[]}';
    const detail = cellDetailOf(cellOf({ value }), typed, { columnId: 'c', rowIndex: 0 }, 7);
    assert.equal(detail.text, value);
    assert.equal(detail.json, '{\n  "id": 9007199254740993,\n  "list": []\n}');
    assert.equal(detail.kind, 'text');
    assert.equal(detail.sheetVersion, 7);
  });

  it('tells ids of requests as a list, and none where there are none', () => {
    const metrics = { request_ids: [55, 56], trace_ids: [], price: 0.1, own: { a: 1 } };
    const detail = cellDetailOf(
      cellOf({ value: 'a', request_metrics: metrics }),
      typed,
      { columnId: 'c', rowIndex: 0 },
      undefined,
    );
    assert.deepEqual(detail.metrics, { request_ids: '55, 56', price: 0.1, own: '{"a":1}' });
  });

  it('cuts what is too large for the pane', () => {
    const value = 'x'.repeat(300_000);
    const detail = cellDetailOf(
      cellOf({ value }),
      typed,
      { columnId: 'c', rowIndex: 0 },
      undefined,
    );
    assert.equal(detail.cut, true);
    assert.ok(detail.text.length <= 200_000);
  });
});
