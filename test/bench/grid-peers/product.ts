/** The grid of the product with all of its features, over its own protocol. */
import { openChannel } from '../../../src/protocol/channel.ts';
import { pageSize } from '../../../src/protocol/grid-cells.ts';
import type {
  HostEvents,
  SheetRequests,
  ViewEvents,
  ViewRequests,
} from '../../../src/protocol/grid.ts';
import { openPage } from '../../../src/webview/common/page.ts';
import { connectHost } from '../../../src/webview/grid/connection.ts';
import { SheetGrid } from '../../../src/webview/grid/sheet-grid.ts';
import { makeCell } from '../../browser/support/grid-data.ts';
import { rowCount, rowHeight, type Contender } from './contender.ts';
import { measureWith } from './measures.ts';
import { pageOf } from './product-sheet.ts';
import { columns } from './values.ts';

const query = new URLSearchParams(location.search);
/** Every row in memory from the start: what drawing alone costs. */
const isWarm = query.get('warm') === '1';

/** From the page to the other side, which is in the page too but for the first request. */
const toHost = new Set<(message: unknown) => void>();
Object.assign(globalThis, {
  toHost: (message: unknown) => {
    queueMicrotask(() => {
      for (const listener of toHost) listener(message);
    });
  },
});
const channel = openChannel<SheetRequests, ViewRequests, HostEvents, ViewEvents>({
  port: {
    post: (message) => window.postMessage(message),
    listen: (listener) => {
      toHost.add(listener);
      return () => toHost.delete(listener);
    },
  },
  handlers: {
    rows: ({ page }: SheetRequests['rows']['params']) => pageOf(page),
    cell: ({ rowIndex, columnId }: SheetRequests['cell']['params']) =>
      makeCell(columns, rowIndex, columnId),
  } as never,
  listeners: {
    visiblePages: () => undefined,
    layout: () => undefined,
    cursor: () => undefined,
    draft: () => undefined,
    close: () => undefined,
  },
  check: (_kind, _name, payload) => payload,
  describeError: (error) => ({ code: 'bench', message: String(error) }),
  onFault: (fault) => console.error(fault),
});

const { root, port, state, showIcons } = openPage('host');
let grid: SheetGrid | undefined;
const host = connectHost({
  port,
  handlers: { selection: () => ({ rows: [], columnIds: [] }), command: () => null },
  listeners: {
    sheet: (now) => grid?.takeSheet(now),
    cells: (now) => grid?.takeCells(now),
    operations: (now) => grid?.takeOperations(now),
    walk: (now) => grid?.takeWalk(now),
    unsaved: (now) => grid?.takeUnsaved(now),
    saving: (now) => grid?.takeSaving(now),
    problem: (now) => grid?.takeProblem(now),
  },
  onFault: (fault) => console.error(fault),
});

async function show(): Promise<void> {
  const { sheet, rows } = await host.ready(0);
  grid = new SheetGrid({
    host,
    sheet,
    rows,
    saved: undefined,
    save: state.set,
    painted: showIcons,
    signal: new AbortController().signal,
    capacity: isWarm ? rowCount / pageSize : undefined,
  });
  if (isWarm) {
    for (let page = 0; page < rowCount / pageSize; page++)
      grid.model.store.put(pageOf(page), () => false);
  }
  root.replaceChildren(grid.element);
  measureWith(contenderOf(grid));
}

function contenderOf({ model, viewport }: SheetGrid): Contender {
  const rowElementAt = (y: number): Element | undefined => {
    const box = viewport.element.getBoundingClientRect();
    const x = box.left + model.gutter + 30;
    return (
      document.elementFromPoint(x, box.top + viewport.headHeight + y)?.closest('.row') ?? undefined
    );
  };
  return {
    scroller: () => viewport.element,
    rowAt: (y) => {
      const element = rowElementAt(y);
      return element ? Number(element.getAttribute('aria-rowindex')) - 2 : undefined;
    },
    expectedAt: (y) => Math.floor((viewport.top + y) / rowHeight),
    isFilled: (y) => rowElementAt(y)?.classList.contains('skeleton') === false,
    firstRow: () => viewport.firstRow,
    update: (changes) =>
      channel.emit('cells', {
        generation: 1,
        patches: changes.map(({ row, column, text }) => ({
          rowIndex: row,
          page: Math.floor(row / pageSize),
          place: row % pageSize,
          columnId: columns[column]?.id ?? '',
          text,
          kind: 4,
          status: column === 2 ? 'completed' : '',
          cut: false,
        })),
      }),
    jump: (row) => viewport.scrollToRow(row),
    focus: () => viewport.grid.focus(),
    cursorRow: () => model.selection.cursor.row,
  };
}

void show();
