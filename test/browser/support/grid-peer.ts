/**
 * The extension's end of the channel, scripted: runs in the page before the grid does, in place of
 * VS Code. Tests reach it as `peer`.
 */
import { openChannel, type Channel, type SentError } from '../../../src/protocol/channel.ts';
import type { CellPatch, GridPage } from '../../../src/protocol/grid-cells.ts';
import type { GridLayout, GridSheet } from '../../../src/protocol/grid-sheet.ts';
import type {
  HostEvents,
  SheetRequests,
  ViewEvents,
  ViewRequests,
} from '../../../src/protocol/grid.ts';
import { askedForms, readPaste } from '../../../src/extension/grid/paste/read-paste.ts';
import { cellOf, makeCell, makeColumns, makePage } from './grid-data.ts';

export interface Logged {
  readonly name: string;
  readonly params: unknown;
}

type Answer = (params: unknown, signal: AbortSignal) => unknown;

const query = new URLSearchParams(location.search);
const rows = query.get('rows') ?? '100000';
const delayMs = Number(query.get('delay') ?? '2');
const stateKey = 'grid-state';

let sheet: GridSheet = {
  tableId: 't-1',
  sheetId: 's-1',
  title: 'Answers',
  tableTitle: 'Support questions',
  connection: { id: 'local', name: 'Local workspace', local: true },
  columns: makeColumns(Number(query.get('columns') ?? '20')),
  rowCount: rows === 'unknown' ? undefined : Number(rows),
  version: 17,
  generation: 1,
  order: 'asc',
  systemColumns: true,
  layout: (JSON.parse(query.get('layout') ?? 'null') as GridLayout | null) ?? {
    widths: {},
    hidden: [],
    pinned: [],
    order: [],
  },
  operations: [],
  statusCounts: { completed: 61_234, stale: 2_310, failed: 12 },
  view: null,
  totals: [
    {
      metric: 'price',
      label: 'Cost',
      count: 61234,
      sum: 12.345678,
      average: 0.000202,
      min: 0.00001,
      max: 0.0132,
    },
    {
      metric: 'latency',
      label: 'Latency',
      count: 61234,
      sum: 73_480_800,
      average: 1200,
      min: 12,
      max: 8123,
    },
  ],
  unsaved: [],
  canUndo: false,
  canRedo: false,
};

const requests: Logged[] = [];
const events: Logged[] = [];
const aborted: Logged[] = [];
const answers = new Map<string, Answer>();
if (query.get('refuse') === '1') {
  answers.set('ready', () => {
    throw Object.assign(new Error('The sheet was deleted.'), { code: 'not_found' });
  });
}
const endRows = Number(query.get('endRows') ?? '0');

function pause(signal: AbortSignal): Promise<void> {
  if (delayMs <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, delayMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('aborted', 'AbortError'));
    });
  });
}

const rowTotal = (): number => sheet.rowCount ?? endRows;

const usual: Readonly<Record<keyof SheetRequests, Answer>> = {
  ready: () => ({ sheet, rows: null }),
  rows: async (params, signal): Promise<GridPage> => {
    const { page, generation } = params as SheetRequests['rows']['params'];
    await pause(signal);
    return makePage(page, generation, {
      columns: sheet.columns,
      rows: rowTotal(),
      order: sheet.order,
    });
  },
  cell: async (params, signal) => {
    await pause(signal);
    const { columnId, rowIndex } = params as SheetRequests['cell']['params'];
    return makeCell(sheet.columns, rowIndex, columnId);
  },
  edit: () => ({ outcome: 'saved', version: 18, staleCount: 0 }),
  resolveEdit: () => ({ outcome: 'saved', version: 19, staleCount: 0 }),
  resolveAll: () => null,
  stopSaving: () => null,
  undo: () => null,
  redo: () => null,
  addRows: () => ({ rowCount: rowTotal() + 1 }),
  deleteRows: () => ({ deleted: 1 }),
  copy: () => ({ cells: 1, rows: 1 }),
  openValue: () => null,
  run: () => ({ outcome: 'started', operationId: 'op-1', cellCount: 100 }),
  cancelOperation: () => ({ cancelled: 42 }),
  setOrder: (params) => {
    const { order } = params as SheetRequests['setOrder']['params'];
    peer.sheet({ order, generation: sheet.generation + 1 });
    return null;
  },
  showSystemColumns: () => null,
  setView: (params) => {
    const { query, scope } = params as SheetRequests['setView']['params'];
    const total = Number(rows);
    const scanned = scope === 'all' ? total : 300;
    const view = query === null ? null : { query, scanned, total };
    const rowCount = query === null ? total : scope === 'all' ? 40 : 12;
    peer.sheet({ view, rowCount, generation: sheet.generation + 1 });
    return view;
  },
  find: (params) => {
    const { text, scope, columnIds } = params as SheetRequests['find']['params'];
    const total = Number(rows);
    const scanned = scope === 'all' ? total : 300;
    const hits: (readonly [number, number])[] = [];
    for (let row = 0; row < scanned && hits.length < 100; row++) {
      for (const [place, id] of columnIds.entries()) {
        const column = sheet.columns.find((each) => each.id === id);
        if (column && cellOf(column, row).text.includes(text)) hits.push([row, place]);
      }
    }
    return { hits, count: hits.length, scanned, total };
  },
  summary: () => ({
    ...{ values: 6, numbers: 4, sum: '10', min: '1', max: '4', nulls: 1, empties: 0 },
    ...{ distinct: 5, isDistinctAtLeast: false, scanned: 3, rows: 3 },
  }),
  readPaste: (params) => {
    const { text, table, isAsked } = params as SheetRequests['readPaste']['params'];
    const clip = { text: text ?? '', table };
    const reading = isAsked ? askedForms(clip) : readPaste(clip);
    // A person who takes the first offer.
    return 'block' in reading ? reading.block : reading.forms[0].block;
  },
  change: () => ({ outcome: 'done', cells: 4, rowsAdded: 0, open: 0, dropped: 0 }),
  columnAction: () => null,
  moveColumn: () => ({ kept: true, message: '' }),
  reload: () => {
    peer.sheet({ generation: sheet.generation + 1 });
    return null;
  },
};

function describeError(error: unknown): SentError {
  const { code = 'failed', hint } = error as { code?: string; hint?: string };
  return {
    code,
    message: error instanceof Error ? error.message : String(error),
    ...(hint !== undefined && { hint }),
  };
}

const listeners = new Set<(message: unknown) => void>();
const isDirect = query.get('direct') === '1';

const channel: Channel<ViewRequests, ViewEvents> = openChannel<
  SheetRequests,
  ViewRequests,
  HostEvents,
  ViewEvents
>({
  port: {
    post: (data) => {
      if (isDirect) window.dispatchEvent(new MessageEvent('message', { data }));
      else window.postMessage(data, '*');
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  },
  handlers: Object.fromEntries(
    Object.entries(usual).map(([name, answer]) => [
      name,
      (params: unknown, signal: AbortSignal) => {
        requests.push({ name, params });
        signal.addEventListener('abort', () => aborted.push({ name, params }));
        return (answers.get(name) ?? answer)(params, signal);
      },
    ]),
  ) as never,
  listeners: {
    visiblePages: (payload) => void events.push({ name: 'visiblePages', params: payload }),
    layout: (payload) => void events.push({ name: 'layout', params: payload }),
    cursor: (payload) => void events.push({ name: 'cursor', params: payload }),
    close: (payload) => void events.push({ name: 'close', params: payload }),
    draft: (payload) => void events.push({ name: 'draft', params: payload }),
  },
  check: (_kind, _name, payload) => payload,
  describeError,
  onFault: (fault) => console.error('peer', fault),
});

export const peer = {
  requests,
  events,
  aborted,
  violations: [] as string[],
  faults: [] as string[],
  of: (name: string): readonly unknown[] =>
    requests.filter((each) => each.name === name).map(({ params }) => params),
  reported: (name: string): readonly unknown[] =>
    events.filter((each) => each.name === name).map(({ params }) => params),
  answer: (name: keyof SheetRequests, answer: Answer) => void answers.set(name, answer),
  fail: (name: keyof SheetRequests, message: string, hint?: string) =>
    void answers.set(name, () => {
      throw Object.assign(new Error(message), hint === undefined ? {} : { hint });
    }),
  usual: (name: keyof SheetRequests) => void answers.delete(name),
  current: () => sheet,
  /** A page of the sheet after the row with that index was deleted. */
  page: (page: number, generation: number, deleted: number): GridPage => {
    const given = { columns: sheet.columns, rows: rowTotal() + 1, order: sheet.order };
    const whole = makePage(page, generation, given);
    const next = makePage(page + 1, generation, given);
    const rowIndices = [...whole.rowIndices, ...next.rowIndices.slice(0, 1)];
    const kept = rowIndices.flatMap((index, place) => (index === deleted ? [] : [place]));
    return {
      ...whole,
      rowIndices: kept.slice(0, 100).map((place) => rowIndices[place] ?? 0),
      columns: Object.fromEntries(
        Object.entries(whole.columns).map(([id, column]) => [
          id,
          {
            ...column,
            text: kept.slice(0, 100).map((place) => column.text[place] ?? ''),
            kind: kept.slice(0, 100).map((place) => column.kind[place] ?? 4),
            status: kept.slice(0, 100).map((place) => column.status[place] ?? 0),
          },
        ]),
      ),
    };
  },
  sheet: (change: Partial<GridSheet>) => {
    sheet = { ...sheet, ...change };
    channel.emit('sheet', sheet);
  },
  operations: (change: Partial<ViewEvents['operations']>) => {
    sheet = { ...sheet, ...change };
    const { operations, statusCounts, totals } = sheet;
    channel.emit('operations', { operations, statusCounts, totals });
  },
  cells: (patches: readonly CellPatch[], generation = sheet.generation) =>
    channel.emit('cells', { generation, patches }),
  emit: channel.emit.bind(channel),
  ask: channel.request.bind(channel),
  raw: (message: unknown) => window.postMessage(message, '*'),
  state: (): unknown => JSON.parse(sessionStorage.getItem(stateKey) ?? 'null'),
};
export type Peer = typeof peer;

document.addEventListener('securitypolicyviolation', (violation) => {
  peer.violations.push(
    `${violation.effectiveDirective} ${violation.blockedURI} ${violation.sample}`,
  );
});
window.addEventListener('error', ({ message }) => {
  // Not a fault: what an observer has changed is measured in the next frame.
  if (!message.startsWith('ResizeObserver loop')) peer.faults.push(message);
});
window.addEventListener('unhandledrejection', ({ reason }) => peer.faults.push(String(reason)));

Object.assign(globalThis, {
  peer,
  acquireVsCodeApi: () => ({
    postMessage: (message: unknown) => {
      const data: unknown = isDirect ? message : structuredClone(message);
      queueMicrotask(() => {
        for (const listener of listeners) listener(data);
      });
    },
    getState: () => peer.state(),
    setState: (state: unknown) => sessionStorage.setItem(stateKey, JSON.stringify(state)),
  }),
});
