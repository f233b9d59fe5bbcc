/** The grid of the product with all of its features, over its own protocol. */
import { openChannel } from '../../../src/protocol/channel.ts';
import {
  pageSize,
  type GridSheet,
  type HostEvents,
  type HostRequests,
  type ViewEvents,
  type ViewRequests,
} from '../../../src/protocol/grid.ts';
import { connectHost } from '../../../src/webview/grid/connection.ts';
import { SheetGrid } from '../../../src/webview/grid/sheet-grid.ts';
import { makeCell, makePage } from '../../browser/support/grid-data.ts';
import { columnWidth, rowCount, rowHeight, type Contender } from './contender.ts';
import { measureWith } from './measures.ts';
import { columns } from './values.ts';

const query = new URLSearchParams(location.search);
/** Every row in memory from the start: what drawing alone costs. */
const isWarm = query.get('warm') === '1';

const sheet: GridSheet = {
  tableId: 't',
  sheetId: 's',
  title: 'Bench',
  tableTitle: 'Bench',
  connection: { id: 'local', name: 'Local workspace', local: true },
  columns,
  rowCount,
  version: 1,
  generation: 1,
  order: 'asc',
  systemColumns: false,
  layout: {
    widths: Object.fromEntries(columns.map(({ id }) => [id, columnWidth])),
    hidden: [],
    pinned: [],
    order: [],
  },
  operations: [],
  statusCounts: {},
  view: null,
  totals: [],
  unsaved: [],
  canUndo: false,
  canRedo: false,
};

const toGrid = new MessageChannel();
const toHost = new MessageChannel();
const port = (out: MessagePort, incoming: MessagePort) => ({
  post: (message: unknown) => out.postMessage(message),
  listen: (listener: (message: unknown) => void) => {
    incoming.onmessage = ({ data }: MessageEvent) => listener(data);
    return () => {
      incoming.onmessage = null;
    };
  },
});
const pageOf = (page: number) => makePage(page, 1, { columns, rows: rowCount, order: 'asc' });
const channel = openChannel<HostRequests, ViewRequests, HostEvents, ViewEvents>({
  port: port(toGrid.port1, toHost.port2),
  handlers: {
    ready: ({ page }: HostRequests['ready']['params']) => ({ sheet, rows: pageOf(page) }),
    rows: ({ page }: HostRequests['rows']['params']) => pageOf(page),
    cell: ({ rowIndex, columnId }: HostRequests['cell']['params']) =>
      makeCell(columns, rowIndex, columnId),
  } as never,
  listeners: { visiblePages: () => undefined, layout: () => undefined, cursor: () => undefined },
  check: (_kind, _name, payload) => payload,
  describeError: (error) => ({ code: 'bench', message: String(error) }),
  onFault: (fault) => console.error(fault),
});

const host = connectHost({
  port: port(toHost.port1, toGrid.port2),
  handlers: { selection: () => ({ rows: [], columnIds: [] }), command: () => null },
  listeners: {
    sheet: (now) => grid.takeSheet(now),
    cells: (now) => grid.takeCells(now),
    operations: (now) => grid.takeOperations(now),
    walk: (now) => grid.takeWalk(now),
    unsaved: (now) => grid.takeUnsaved(now),
    problem: (now) => grid.takeProblem(now),
  },
  onFault: (fault) => console.error(fault),
});

document.documentElement.style.setProperty('--vscode-editor-font-size', '14px');
const { sheet: opened, rows } = await host.ready(0);
const grid = new SheetGrid({
  host,
  sheet: opened,
  rows,
  saved: undefined,
  save: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
  signal: new AbortController().signal,
  capacity: isWarm ? rowCount / pageSize : undefined,
});
if (isWarm) {
  for (let page = 0; page < rowCount / pageSize; page++)
    grid.model.store.put(pageOf(page), () => false);
}
const { model, viewport } = grid;
document.getElementById('host')!.append(grid.element);

const rowElementAt = (y: number): Element | undefined => {
  const box = viewport.element.getBoundingClientRect();
  const x = box.left + model.gutter + 30;
  return (
    document.elementFromPoint(x, box.top + viewport.headHeight + y)?.closest('.row') ?? undefined
  );
};
const contender: Contender = {
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
measureWith(contender);
