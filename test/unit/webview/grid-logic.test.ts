import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { GridColumn } from '../../../src/protocol/grid-sheet.ts';
import {
  arrange,
  columnsInView,
  emptyLayout,
  neighbour,
  withHidden,
  withMoved,
  withPinned,
  withWidth,
} from '../../../src/webview/grid/columns/arrangement.ts';
import { presentationOf } from '../../../src/webview/grid/rows/cells.ts';
import { asPage, asSheet, checkIncoming } from '../../../src/webview/grid/guards.ts';
import { readJson } from '../../../src/webview/grid/details/json-nodes.ts';
import { readKey } from '../../../src/webview/grid/cursor/keyboard.ts';
import { moved } from '../../../src/webview/grid/cursor/moves.ts';
import { ProgressRate, spellProgress } from '../../../src/webview/grid/around/progress.ts';
import { revealInPieces, revealOnLine } from '../../../src/webview/common/reveal.ts';
import {
  atSpot,
  clip,
  extendTo,
  joinRanges,
  selectRows,
  sizeOf,
} from '../../../src/webview/grid/cursor/selection.ts';

const column = (id: string): GridColumn => ({
  id,
  title: id.toUpperCase(),
  type: 'TEXT',
  icon: 'symbol-string',
  editable: true,
  computed: false,
  system: false,
  output: false,
  sources: [],
  numeric: false,
});
const columns = ['a', 'b', 'c', 'd'].map(column);
const ids = (layout = emptyLayout): string =>
  arrange(columns, layout, 50)
    .map((each) => each.column.id)
    .join('');

describe('Columns on screen', () => {
  it('stand pinned first, in the order of the user, without the hidden ones', () => {
    assert.equal(ids(), 'abcd');
    assert.equal(ids(withPinned(emptyLayout, 'c', true)), 'cabd');
    assert.equal(ids(withHidden(withPinned(emptyLayout, 'c', true), 'a', true)), 'cbd');
    assert.equal(ids(withMoved(columns, emptyLayout, { columnId: 'd', beforeId: 'b' })), 'adbc');
    assert.equal(ids({ ...emptyLayout, order: ['d', 'gone'] }), 'dabc');
  });

  it('have widths within bounds and follow each other without a gap', () => {
    const shown = arrange(columns, withWidth(withWidth(emptyLayout, 'a', 5), 'b', 99_999), 50);
    assert.deepEqual(
      shown.slice(0, 3).map(({ left, width }) => [left, width]),
      [
        [50, 48],
        [98, 1200],
        [1298, 180],
      ],
    );
  });

  it('move one place within their group only', () => {
    const shown = arrange(columns, withPinned(emptyLayout, 'a', true), 50);
    assert.equal(neighbour(shown, 'b', -1), undefined);
    assert.deepEqual(neighbour(shown, 'b', 1), { beforeId: 'd' });
    assert.deepEqual(neighbour(shown, 'c', 1), { beforeId: undefined });
  });

  it('are drawn only where they are in view', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 0, max: 3 }),
        (scrollLeft, pinned) => {
          const many = Array.from({ length: 100 }, (_, index) => column(`c${index}`));
          const shown = arrange(
            many,
            { ...emptyLayout, pinned: many.slice(0, pinned).map(({ id }) => id) },
            50,
          );
          const sticky = 50 + pinned * 180;
          const { from, to } = columnsInView(shown, {
            pinned,
            scrollLeft,
            viewWidth: 1000,
            sticky,
          });
          assert.ok(from >= pinned && to - from <= 7);
          const first = shown[from]!;
          if (scrollLeft + 1000 < shown.at(-1)!.left)
            assert.ok(first.left + first.width > scrollLeft + sticky);
        },
      ),
    );
  });
});

describe('Selections', () => {
  it('extend from their anchor and shrink again', () => {
    let selection = atSpot({ row: 5, column: 2 });
    selection = extendTo(selection, { row: 8, column: 1 });
    assert.deepEqual(sizeOf(selection), { rows: 4, columns: 2 });
    selection = extendTo(selection, { row: 5, column: 2 });
    assert.deepEqual(sizeOf(selection), { rows: 1, columns: 1 });
  });

  it('collect rows that do not touch', () => {
    const extent = { rows: 100, columns: 4 };
    let selection = selectRows(atSpot({ row: 0, column: 0 }), 3, extent);
    selection = selectRows(selection, 9, extent, { add: true });
    assert.deepEqual(selection.rows, [
      { from: 3, to: 3 },
      { from: 9, to: 9 },
    ]);
  });

  it('never leave the sheet when it shrinks', () => {
    const selection = clip(extendTo(atSpot({ row: 5, column: 3 }), { row: 50, column: 0 }), {
      rows: 10,
      columns: 2,
    });
    assert.deepEqual(selection.rows, [{ from: 5, to: 9 }]);
    assert.deepEqual(selection.columns, [{ from: 0, to: 1 }]);
    assert.deepEqual(selection.cursor, { row: 5, column: 1 });
  });

  it('join ranges as sets do', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 9 }))),
        (pairs) => {
          const ranges = pairs.map(([from, length]) => ({ from, to: from + length }));
          const list = (all: typeof ranges): number[] =>
            all.flatMap(({ from, to }) =>
              Array.from({ length: to - from + 1 }, (_, i) => from + i),
            );
          const joined = list([...joinRanges(ranges)]);
          assert.deepEqual(
            joined,
            [...new Set(list(ranges))].sort((a, b) => a - b),
          );
        },
      ),
    );
  });

  it('move within the sheet whatever the keys', () => {
    const keys = [
      'up',
      'down',
      'left',
      'right',
      'rowStart',
      'rowEnd',
      'sheetStart',
      'sheetEnd',
      'pageUp',
      'pageDown',
    ] as const;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...keys)),
        fc.integer({ min: 0, max: 30 }),
        (pressed, rows) => {
          let spot = { row: -1, column: 0 };
          for (const key of pressed)
            spot = moved(spot, key, { rows, columns: 3, page: 7, firstVisible: 4 });
          assert.ok(spot.row >= -1 && spot.row < Math.max(rows, 0));
          assert.ok(spot.column >= (spot.row === -1 ? -1 : 0) && spot.column < 3);
        },
      ),
    );
  });
});

describe('Keys', () => {
  const plain = {
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    isComposing: false,
  };
  it('are read as the grid pattern says', () => {
    const read = (key: string, more: Partial<typeof plain> = {}): unknown =>
      readKey({ key, ...plain, ...more });
    assert.deepEqual(read('ArrowDown', { shiftKey: true }), {
      do: 'move',
      to: 'down',
      extend: true,
    });
    assert.deepEqual(read('Home', { ctrlKey: true }), {
      do: 'move',
      to: 'sheetStart',
      extend: false,
    });
    assert.deepEqual(read(' ', { ctrlKey: true }), { do: 'selectColumn' });
    assert.deepEqual(read(' ', { shiftKey: true }), { do: 'selectRow' });
    assert.deepEqual(read('c', { metaKey: true }), { do: 'copy' });
    assert.deepEqual(read('ß'), { do: 'type', text: 'ß' });
    assert.equal(read('x', { isComposing: true }), undefined);
    assert.equal(read('Dead'), undefined);
    assert.equal(read('Tab'), undefined);
    assert.equal(read('e', { ctrlKey: true, altKey: true }), undefined, 'AltGr types letters');
  });
});

describe('Texts made safe to look at', () => {
  it('show what changes direction, has no width or controls', () => {
    assert.deepEqual(revealOnLine('a\u202Eb'), { text: 'a⟨RLO⟩b', isOdd: true });
    assert.deepEqual(revealOnLine('a\u0000b\u200B'), { text: 'a␀b⟨ZWSP⟩', isOdd: true });
    assert.deepEqual(revealOnLine('pay\u200Dpal'), { text: 'pay⟨ZWJ⟩pal', isOdd: true });
    assert.deepEqual(revealOnLine('a\u{E0041}'), { text: 'a⟨U+E0041⟩', isOdd: true });
  });

  it('leave emoji, Persian and Indic writing alone', () => {
    for (const text of ['👩‍👩‍👧', '🏳️‍🌈', 'می‌خواهم', 'क्‍ष', 'שלום', 'e\u0301']) {
      assert.deepEqual(revealOnLine(text), { text, isOdd: false });
    }
  });

  it('keep lines and tabs in whole values, and on one line as signs', () => {
    assert.deepEqual(revealOnLine('a\r\nb\tc'), { text: 'a↵b⇥c', isOdd: false });
    assert.deepEqual(revealInPieces('a\r\nb\tc'), [{ text: 'a\r\nb\tc', isSign: false }]);
    assert.deepEqual(
      revealInPieces('a\u202Eb').map(({ isSign }) => isSign),
      [false, true, false],
    );
  });

  it('lose no visible character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const rest = revealInPieces(text)
          .filter(({ isSign }) => !isSign)
          .map((piece) => piece.text)
          .join('');
        for (const letter of text.replace(/[^a-zA-Z0-9]/g, '')) assert.ok(rest.includes(letter));
      }),
    );
  });
});

describe('Faces of cells', () => {
  const cell = {
    rowIndex: 1,
    kind: 'text',
    text: 'hello',
    status: '',
    isCut: false,
    error: undefined,
  } as const;
  it('keep look-alikes apart in look and speech', () => {
    const presentation = (change: object): string => {
      const made = presentationOf({ ...cell, ...change }, undefined, 80);
      return `${made.look.trim()} | ${made.badge} | ${made.text} | ${made.label}`;
    };
    assert.equal(presentation({}), 'k-text |  | hello | ');
    assert.equal(presentation({ text: 'null' }), 'k-text |  | null | ');
    assert.equal(presentation({ kind: 'null', text: '' }), 'k-null |  | null | null, no value');
    assert.equal(presentation({ kind: 'empty', text: '' }), 'k-empty |  | empty | empty text');
    assert.equal(presentation({ kind: 'missing', text: '' }), 'k-missing |  | no cell | no cell');
    assert.equal(
      presentation({ kind: 'notRun', text: '', status: 'stale' }),
      'k-notRun s-notrun | Not run |  | Not run yet',
    );
    assert.equal(
      presentation({ kind: 'notRun', text: '', status: 'queued' }),
      'k-notRun s-queued | Queued |  | Queued, not run yet',
    );
    assert.equal(
      presentation({ kind: 'number', text: '42', status: 'COMPLETED' }),
      'k-number s-completed | Completed | 42 | Completed, 42, number',
    );
    assert.equal(
      presentation({ kind: 'boolean', text: 'true' }),
      'k-boolean |  | true | true, boolean',
    );
    assert.equal(
      presentation({ status: 'error', error: 'no' }),
      'k-error s-failed | Failed | no | Failed, no',
    );
    assert.equal(
      presentation({ status: 'paused' }),
      'k-text s-other | paused | hello | paused, hello',
    );
    assert.equal(presentation({ isCut: true }), 'k-text cut |  | hello… | hello, shortened');
  });

  it('put less text on the page than fits, and say all of it', () => {
    const made = presentationOf({ ...cell, text: 'word '.repeat(50) }, undefined, 40);
    assert.ok(made.text.length <= 41 && made.text.endsWith('…'));
    assert.ok(made.label.length > 200);
  });

  it('show an edit that is not saved in place of the value', () => {
    const edit = {
      rowIndex: 1,
      columnId: 'a',
      text: 'mine',
      state: 'conflict',
      current: 'theirs',
    } as const;
    assert.deepEqual(presentationOf(cell, edit, 80), {
      text: 'mine',
      badge: 'Conflict',
      look: 'k-text u-conflict',
      label: 'Conflict, mine',
    });
  });
});

describe('JSON as nodes', () => {
  it('keeps numbers as they were written', () => {
    const node = readJson('{"big":9007199254740993,"e":1e400,"list":[1.10,null,true,"x"]}');
    assert.deepEqual(node, {
      kind: 'object',
      entries: [
        ['big', { kind: 'number', text: '9007199254740993' }],
        ['e', { kind: 'number', text: '1e400' }],
        [
          'list',
          {
            kind: 'array',
            items: [
              { kind: 'number', text: '1.10' },
              { kind: 'null', text: 'null' },
              { kind: 'boolean', text: 'true' },
              { kind: 'string', text: 'x' },
            ],
          },
        ],
      ],
    });
  });

  it('reads what JSON.stringify writes and refuses what JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => assert.ok(readJson(JSON.stringify(value, null, 2)))),
    );
    // Nearly JSON: of random characters hardly anything gets far enough to be wrongly read.
    const pieces = fc.constantFrom(
      ...['0', '1', '-', '+', '.', 'e', 'E', '"', '\\', '/', 'u00', '[', ']', '{', '}', ',', ':'],
      ...[
        ' ',
        '\t',
        '\n',
        '\v',
        '\u00A0',
        '\u2028',
        '\u0000',
        '\uFEFF',
        'true',
        'null',
        '"a"',
        'a',
      ],
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: pieces, maxLength: 8 })), (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        assert.equal(readJson(text) !== undefined, isJson);
      }),
      { numRuns: 3000 },
    );
    assert.equal(readJson('['.repeat(100_000)), undefined);
  });
});

describe('Progress in words', () => {
  const operation = {
    operationId: 'o',
    status: 'running',
    total: 1000,
    completed: 300,
    failed: 12,
    pending: 688,
    finished: false,
  };
  it('counts, failures, rate and time left', () => {
    const rate = new ProgressRate();
    assert.equal(rate.perSecond(), undefined);
    rate.add(0, 100);
    rate.add(2000, 312);
    assert.equal(rate.perSecond(), 106);
    assert.equal(
      spellProgress(operation, rate.perSecond()),
      '312 of 1,000 cells · 12 failed · 106 cells/s · 6 s left',
    );
    assert.equal(spellProgress(operation, undefined), '312 of 1,000 cells · 12 failed');
  });
});

describe('Messages from the extension', () => {
  const page = {
    page: 0,
    generation: 1,
    rowIndices: [1, 2],
    statuses: [''],
    columns: { a: { text: ['x', 'y'], kind: [4, 4], status: [0, 0], cut: [], errors: {} } },
  };
  it('are taken when they fit', () => {
    assert.equal(asPage(page), page);
    assert.equal(checkIncoming('event', 'problem', null), null);
    assert.deepEqual(checkIncoming('request', 'command', { command: 'copy' }), { command: 'copy' });
  });

  it('are refused with the field that does not fit', () => {
    assert.throws(
      () => asPage({ ...page, columns: { a: { ...page.columns.a, text: ['x'] } } }),
      /column a/,
    );
    assert.throws(() => asPage({ ...page, rowIndices: [1.5] }), /rowIndices/);
    assert.throws(() => asSheet({}), /tableId/);
    assert.throws(
      () => checkIncoming('request', 'command', { command: 'format' }),
      /“command” isn't valid: command/,
    );
    assert.throws(() => checkIncoming('event', 'nothing', {}), /no event named “nothing”/);
  });

  it('never make a check throw anything but its own refusal', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.constantFrom('sheet', 'cells', 'operations', 'walk', 'unsaved', 'saving', 'problem'),
        (payload, name) => {
          try {
            checkIncoming('event', name, payload);
          } catch (error) {
            assert.equal((error as Error).name, 'MisfitError');
          }
        },
      ),
    );
  });
});
