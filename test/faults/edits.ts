/**
 * What a person types, pastes, fills, clears, adds, deletes and takes back, while the extension's
 * side, the service and the page are killed at random moments. Nothing may be lost,
 * doubled or miscounted.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, silentLogger, type SheetRef } from '../../src/core/index.ts';
import { newFolder, RunningService, firstKey } from '../service/support/running-service.ts';
import { HostKilledError, HostProcess } from '../support/edits/host-process.ts';
import type { Campaign } from './load.ts';
import { between as anyBetween, within } from './load.ts';

const startRows = 300;

/** A whole number, both ends included. */
const between = (low: number, high: number): number => Math.floor(anyBetween(low, high + 1));

/** The sheet as it must be in the end: its rows in order, by row index. */
type Expected = Map<number, string>;

interface Figures {
  rounds: number;
  hostKills: number;
  serviceKills: number;
  pageKills: number;
  confirmed: number;
  lost: number;
  doubled: number;
  drafts: number;
  slowest: number;
}

class Typist {
  readonly #client: () => Client;
  readonly #ref: SheetRef;
  readonly #columnId: string;
  readonly expected: Expected = new Map();
  #number = 0;

  constructor(client: () => Client, ref: SheetRef, columnId: string) {
    this.#client = client;
    this.#ref = ref;
    this.#columnId = columnId;
  }

  async read(): Promise<Expected> {
    const found: Expected = new Map();
    for await (const { items } of this.#client().tables.rows.pages(this.#ref)) {
      for (const { row_index: index, cells } of items) {
        found.set(index, cells[this.#columnId]?.display_value ?? '');
      }
    }
    return found;
  }

  text(): string {
    this.#number += 1;
    return `text ${String(this.#number)}`;
  }

  get column(): string {
    return this.#columnId;
  }
}

type Action = (
  host: HostProcess,
  typist: Typist,
  rows: readonly [number, string][],
) => Promise<unknown>;

const blockOf = (typist: Typist, count: number): string[][] =>
  Array.from({ length: count }, () => [typist.text()]);

/** Each changes what is expected at the moment at which its person has confirmed it. */
const actions: Readonly<Record<string, Action>> = {
  async type(host, typist, rows) {
    const [rowIndex, base] = rows[between(0, rows.length - 1)] ?? [0, ''];
    const text = typist.text();
    const { column: columnId } = typist;
    const typed = host.request('edit', { columnId, rowIndex, text, base });
    typist.expected.set(rowIndex, text);
    return typed;
  },
  async paste(host, typist, rows) {
    const position = between(0, rows.length - 101);
    const block = blockOf(typist, between(2, 100));
    const selection = { rows: [{ from: position, to: position }], columnIds: [typist.column] };
    const pasted = host.request('change', {
      ...{ kind: 'paste', position, columnIds: [typist.column], block, selection },
    });
    for (const [at, [text]] of block.entries()) {
      typist.expected.set(rows[position + at]?.[0] ?? -1, text ?? '');
    }
    return pasted;
  },
  async pasteBeyondEnd(host, typist, rows) {
    const position = rows.length - 1;
    const block = blockOf(typist, between(2, 350));
    const selection = { rows: [{ from: position, to: position }], columnIds: [typist.column] };
    const pasted = host.request('change', {
      ...{ kind: 'paste', position, columnIds: [typist.column], block, selection },
    });
    const last = rows.at(-1)?.[0] ?? -1;
    for (const [at, [text]] of block.entries()) typist.expected.set(last + at, text ?? '');
    return pasted;
  },
  async fill(host, typist, rows) {
    const from = between(0, rows.length - 60);
    const to = from + between(1, 50);
    const selection = { rows: [{ from, to }], columnIds: [typist.column] };
    const filled = host.request('change', { kind: 'fill', selection });
    for (let at = from; at <= to; at += 1) {
      typist.expected.set(rows[at]?.[0] ?? -1, rows[from]?.[1] ?? '');
    }
    return filled;
  },
  async clear(host, typist, rows) {
    const from = between(0, rows.length - 60);
    const to = from + between(0, 50);
    const selection = { rows: [{ from, to }], columnIds: [typist.column] };
    const cleared = host.request('change', { kind: 'clear', selection, to: 'empty' });
    for (let at = from; at <= to; at += 1) typist.expected.set(rows[at]?.[0] ?? -1, '');
    return cleared;
  },
  async add(host, typist, rows) {
    const count = between(1, 250);
    const added = host.request('addRows', { count });
    const last = rows.at(-1)?.[0] ?? -1;
    for (let at = 1; at <= count; at += 1) typist.expected.set(last + at, '');
    return added;
  },
  undo: (host) => host.request('undo', null),
  async delete(host, typist, rows) {
    const from = between(0, rows.length - 30);
    const to = from + between(0, 20);
    const deleted = host.request('deleteRows', { rows: [{ from, to }] });
    for (let at = from; at <= to; at += 1) typist.expected.delete(rows[at]?.[0] ?? -1);
    return deleted;
  },
};

export const edits: Campaign = {
  name: 'kill -9 of page, extension host and service while cells are edited',
  async run(untilMs) {
    const folder = newFolder();
    const journal = mkdtempSync(path.join(os.tmpdir(), 'pt-edits-'));
    const figures: Figures = {
      ...{ rounds: 0, hostKills: 0, serviceKills: 0, confirmed: 0, lost: 0, doubled: 0 },
      ...{ drafts: 0, slowest: 0, pageKills: 0 },
    };
    let service = await RunningService.start({ folder });
    const url = service.ready.url ?? '';
    const { port } = new URL(url);
    const restart = async (): Promise<void> => {
      service = await RunningService.start({ folder, args: ['--port', port] });
    };
    const client = new Client({
      ...{ apiKey: firstKey, baseURL: url, logger: silentLogger },
      environment: {},
    });
    let host: HostProcess | undefined;
    try {
      const { table } = await client.tables.create({ title: 'E', create_default_sheet: false });
      const lines = Array.from({ length: startRows }, (_, index) => `first ${String(index)}`);
      const content = new TextEncoder().encode(`Word\n${lines.join('\n')}\n`);
      const upload = { fileName: 'e.csv', content };
      const made = await client.tables.sheets.createFromFile(table.id, upload);
      const operationId = made.operation?.operation_id ?? '';
      for await (const { isFinished } of client.tables.imports.watch(table.id, operationId)) {
        if (isFinished) break;
      }
      const ref = { tableId: table.id, sheetId: made.sheet.id };
      const columnId = (await client.tables.columns.page(ref)).items[0]?.id ?? '';
      const typist = new Typist(() => client, ref, columnId);
      for (const [index, text] of await typist.read()) typist.expected.set(index, text);
      const open = (): Promise<HostProcess> =>
        HostProcess.start({
          ...{ url, key: firstKey, folder: journal, ...ref },
          takesMany: Math.random() < 0.7,
        });
      host = await open();
      while (Date.now() < untilMs) {
        host = await round(host, open, typist, figures, {
          kill: () => service.kill('SIGKILL'),
          restart,
          journal,
        });
      }
    } finally {
      await host?.kill();
      await client.close();
      await service.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
      rmSync(journal, { recursive: true, force: true });
    }
    return [
      { metric: 'rounds', value: figures.rounds, unit: '' },
      { metric: 'kills of the extension host', value: figures.hostKills, unit: '' },
      { metric: 'kills of the service', value: figures.serviceKills, unit: '' },
      { metric: 'kills of the page', value: figures.pageKills, unit: '' },
      { metric: 'cells and rows confirmed and compared', value: figures.confirmed, unit: '' },
      { metric: 'texts being typed, kept', value: figures.drafts, unit: '' },
      { metric: 'lost', value: figures.lost, unit: '', limit: 0 },
      { metric: 'doubled', value: figures.doubled, unit: '', limit: 0 },
      { metric: 'longest way to the end after the last kill', value: figures.slowest, unit: 'ms' },
    ];
  },
};

interface Killers {
  readonly kill: () => Promise<unknown>;
  readonly restart: () => Promise<void>;
  readonly journal: string;
}

/** One action, kept before anything is killed, then up to three kills, then all is compared. */
async function round(
  host: HostProcess,
  open: () => Promise<HostProcess>,
  typist: Typist,
  figures: Figures,
  { kill, restart, journal }: Killers,
): Promise<HostProcess> {
  const before = [...typist.expected].sort(([one], [other]) => one - other);
  await host.request('reload', null);
  await host.request('ready', { page: 0 });
  // What the page shows is at hand: a change begins at a row that is known.
  const { generation } = (await host.request('ready', { page: 0 })).sheet;
  const pages = Math.ceil(before.length / 100);
  for (let page = 0; page < pages; page += 1) await host.request('rows', { page, generation });
  const names = Object.keys(actions);
  const name = names[between(0, names.length - 1)] ?? 'type';
  const first = before[0]?.[0] ?? 0;
  const place = { columnId: typist.column, rowIndex: first, position: 0 };
  const draft = { ...place, text: typist.text(), base: before[0]?.[1] ?? null };
  if (name === 'undo') await pasteToTakeBack(host, typist, before.length);
  const hasJournal = (): boolean => readdirSync(journal).some((file) => file.endsWith('.log'));
  // One of the round before says nothing of what comes now.
  await within('the journal of before is gone', 20_000, async () => !hasJournal());
  let isDone = false;
  let isAlone = false;
  const acting = actions[name]?.(host, typist, before).then(
    () => (isDone = true),
    (error: unknown) => {
      // Nobody hears any more what became of it.
      if (!(error instanceof HostKilledError) && !isAlone) throw error;
    },
  );
  await within('what was confirmed is on disk', 20_000, async () => isDone || hasJournal());
  await host.draft(draft);
  const killed: string[] = [];
  for (let at = between(0, 3); at > 0; at -= 1) {
    await pause(between(0, 250));
    const dice = Math.random();
    if (dice < 0.3) {
      isAlone = true;
      await host.leave();
      figures.pageKills += 1;
      killed.push('page');
    } else if (dice < 0.7) {
      await host.kill();
      figures.hostKills += 1;
      killed.push('host');
      host = await opened(open);
    } else {
      await kill();
      figures.serviceKills += 1;
      killed.push('service');
      await pause(between(0, 300));
      await restart();
    }
  }
  await acting;
  const kept = (await host.state()).draft;
  if (kept?.text === draft.text) figures.drafts += 1;
  else figures.lost += 1;
  await host.draft(null);
  const living = host;
  figures.slowest = Math.max(
    figures.slowest,
    await within('all is saved', 60_000, async () => {
      const { isBusy, unsaved } = await living.state();
      return !isBusy && unsaved === 0;
    }),
  );
  const what = `"${name}" and kills of ${killed.join(', ') || 'nothing'}`;
  compare(await typist.read(), typist.expected, figures, what);
  figures.rounds += 1;
  return host;
}

/** A paste that is done: what is expected is what was there before it. */
async function pasteToTakeBack(host: HostProcess, typist: Typist, rows: number): Promise<void> {
  const position = between(0, rows - 101);
  const block = blockOf(typist, between(2, 100));
  const selection = { rows: [{ from: position, to: position }], columnIds: [typist.column] };
  await host.request('change', {
    ...{ kind: 'paste', position, columnIds: [typist.column], block, selection },
  });
}

/** A window that opens while the service is away tries again, as a person would. */
async function opened(open: () => Promise<HostProcess>): Promise<HostProcess> {
  for (;;) {
    try {
      return await open();
    } catch {
      await pause(200);
    }
  }
}

function compare(found: Expected, expected: Expected, figures: Figures, what: string): void {
  figures.confirmed += expected.size;
  let wrong = 0;
  for (const [index, text] of expected) if (found.get(index) !== text) wrong += 1;
  const extra = [...found.keys()].filter((index) => !expected.has(index)).length;
  if (wrong + extra > 0)
    console.error(`    after ${what}: ${String(wrong)} lost, ${String(extra)} too many`);
  figures.lost += wrong;
  figures.doubled += extra;
  expected.clear();
  for (const [index, text] of found) expected.set(index, text);
}
