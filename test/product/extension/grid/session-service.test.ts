/** One open sheet against the real service. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { Client, silentLogger, type SheetRef } from '../../../../src/core/index.ts';
import { Journal } from '../../../../src/extension/grid/edit/journal.ts';
import { plainView } from '../../../../src/extension/grid/columns/layouts.ts';
import { Session } from '../../../../src/extension/grid/session.ts';
import { sheetSource } from '../../../../src/extension/grid/rows/source.ts';
import { Spool } from '../../../../src/extension/grid/rows/spool.ts';
import type { RowsQuery } from '../../../../src/protocol/grid-work.ts';
import type { GridPage } from '../../../../src/protocol/grid-cells.ts';
import type { GridSheet } from '../../../../src/protocol/grid-sheet.ts';
import type { ViewEvents } from '../../../../src/protocol/grid.ts';
import { ServiceProcess } from '../../../support/contract/service-process.ts';
import { testEditorHost, type TestEditorHost } from '../../../unit/extension/grid/editor-host.ts';
import { until } from '../../../support/until.ts';

const signal = new AbortController().signal;
const rowTotal = 437;

type Event = {
  readonly [Name in keyof ViewEvents]: { name: Name; payload: ViewEvents[Name] };
}[keyof ViewEvents];

interface OpenSheet {
  readonly session: Session;
  readonly editorHost: TestEditorHost;
  readonly events: Event[];
  readonly sheet: GridSheet;
  readonly rows: GridPage | null;
}

describe('an open sheet and the real service', function () {
  this.timeout(60_000);
  let service: ServiceProcess;
  let client: Client;
  let folder: string;
  let ref: SheetRef;
  const opened: Session[] = [];

  before(async () => {
    service = await ServiceProcess.start();
    client = new Client({ apiKey: service.key, baseURL: service.url, logger: silentLogger });
    folder = await mkdtemp(path.join(os.tmpdir(), 'pt-session-'));
  });
  after(async () => {
    await client.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    ref = await newSheet();
  });
  afterEach(async () => {
    for (const session of opened.splice(0)) await session.close();
  });

  async function newSheet(): Promise<SheetRef> {
    const { table } = await client.tables.create({ title: 'Words', create_default_sheet: false });
    const lines = Array.from({ length: rowTotal }, (_, index) => `word ${index},"text, ${index}"`);
    const content = new TextEncoder().encode(`Word,Sense\n${lines.join('\n')}\n`);
    const upload = { fileName: 'words.csv', content };
    const { sheet, operation } = await client.tables.sheets.createFromFile(table.id, upload);
    assert.ok(operation);
    const made = { tableId: table.id, sheetId: sheet.id };
    for await (const seen of client.tables.imports.watch(
      made.tableId,
      operation.operation_id,
      {},
    )) {
      if (seen.isFinished) break;
    }
    return made;
  }

  async function addCount(sheet: SheetRef): Promise<string> {
    const { items } = await client.tables.columns.page(sheet);
    const source = items.find(({ title }) => title === 'Sense')!;
    const { column } = await client.tables.columns.create(sheet, {
      title: 'Length',
      type: 'COUNT',
      config: { source: source.id, type: 'chars' },
    });
    return column.id;
  }

  async function open(name = 'first', query: RowsQuery | null = null): Promise<OpenSheet> {
    const editorHost = testEditorHost(async ({ request }, stop) => {
      const start = await client.tables.operations.create(ref, request, { signal: stop });
      if (start.kind !== 'queued') throw new Error('not queued');
      return { outcome: 'started', operationId: start.operationId, cellCount: start.cellCount };
    });
    const events: Event[] = [];
    const onFault = (fault: unknown): void => void editorHost.faults.push(fault);
    const session = new Session({
      ...ref,
      connection: { id: 'local', name: 'Local workspace', local: true },
      source: sheetSource(async () => client, ref),
      editorHost,
      journal: new Journal({ folder: path.join(folder, ref.sheetId), onFault }),
      spool: new Spool({ file: path.join(folder, `${ref.sheetId}-${name}.pages`), onFault }),
      layout: plainView.layout,
      query,
      columns: {
        columnAction: () => null,
        moveColumn: () => ({ kept: true, message: '' }),
      },
      emit: (event, payload) => void events.push({ name: event, payload } as Event),
      timing: { activeMs: 50, idleMs: 200 },
    });
    opened.push(session);
    const { sheet, rows } = await session.handlers.ready({ page: 0 }, signal);
    return { session, editorHost, events, sheet, rows };
  }

  const read = (session: Session, page: number): Promise<GridPage> =>
    Promise.resolve(
      session.handlers.rows({ page, generation: session.sheet().generation }, signal),
    );

  const columnId = (sheet: GridSheet, title: string): string =>
    sheet.columns.find((column) => column.title === title)!.id;

  it('shows columns, counts and every page, in both orders', async () => {
    const { session, sheet } = await open();
    assert.equal(sheet.rowCount, rowTotal);
    assert.deepEqual(
      sheet.columns.map(({ title }) => title),
      ['Word', 'Sense'],
    );
    const word = columnId(sheet, 'Word');
    const last = await read(session, 4);
    assert.equal(last.columns[word]?.text.at(-1), `word ${rowTotal - 1}`);
    assert.equal(last.rowIndices.length, 37);
    const middle = await read(session, 2);
    assert.equal(middle.columns[word]?.text[5], 'word 205');
    await session.handlers.setOrder({ order: 'desc' }, signal);
    const first = await read(session, 0);
    assert.equal(first.columns[word]?.text[0], `word ${rowTotal - 1}`);
    assert.equal((await read(session, 4)).columns[word]?.text.at(-1), 'word 0');
  });

  it('brings the rows of the first view along when they are at hand', async () => {
    const { session, sheet, rows } = await open();
    const word = columnId(sheet, 'Word');
    assert.equal(rows?.columns[word]?.text[0], 'word 0');
    assert.deepEqual(rows, await read(session, 0));
    const reopenedAt = async (page: number) =>
      (await session.handlers.ready({ page }, signal)).rows;
    assert.equal(await reopenedAt(3), null);
    const far = await read(session, 3);
    assert.deepEqual(await reopenedAt(3), far);
  });

  it('shows the rows of a direct listing whatever jumps are made', async () => {
    const { session, sheet } = await open();
    const word = columnId(sheet, 'Word');
    const listed: string[] = [];
    for await (const page of client.tables.rows.pages(ref)) {
      for (const row of page.items) listed.push(String(row.cells[word]?.value));
    }
    const jump = fc.record({
      page: fc.integer({ min: 0, max: 4 }),
      order: fc.constantFrom('asc' as const, 'desc' as const),
      isReloaded: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(jump, { maxLength: 6 }), async (jumps) => {
        for (const { page, order, isReloaded } of jumps) {
          if (isReloaded) await session.handlers.reload(null, signal);
          await session.handlers.setOrder({ order }, signal);
          const expected = order === 'asc' ? listed : listed.toReversed();
          const { columns } = await read(session, page);
          assert.deepEqual(columns[word]?.text, expected.slice(page * 100, page * 100 + 100));
        }
      }),
      { numRuns: 15 },
    );
  });

  it('saves an edit, marks dependants stale and shows it at once; undo takes it back', async () => {
    await addCount(ref);
    const { session, sheet, events } = await open();
    const word = columnId(sheet, 'Sense');
    const { rowIndices } = await read(session, 0);
    const address = { columnId: word, rowIndex: rowIndices[3]! };
    const outcome = await session.handlers.edit(
      { ...address, text: 'new', base: 'text, 3' },
      signal,
    );
    assert.equal(outcome.outcome, 'saved');
    const patches = events.flatMap(({ name, payload }) =>
      name === 'cells' ? payload.patches : [],
    );
    assert.deepEqual(
      patches.map(({ text, place, page }) => ({ text, place, page })),
      [{ text: 'new', place: 3, page: 0 }],
    );
    assert.equal((await session.handlers.cell(address, signal)).text, 'new');
    assert.deepEqual(session.sheet().unsaved, []);
    assert.deepEqual(await session.handlers.undo(null, signal), { at: address });
    assert.equal((await session.handlers.cell(address, signal)).text, 'text, 3');
    assert.deepEqual(await session.handlers.redo(null, signal), { at: address });
    assert.equal((await session.handlers.cell(address, signal)).text, 'new');
    const left = await readdir(path.join(folder, ref.sheetId));
    assert.deepEqual(left, []);
  });

  it('shows a newer value of somebody else instead of overwriting it', async () => {
    const { session, sheet } = await open();
    const word = columnId(sheet, 'Word');
    const { rowIndices } = await read(session, 0);
    const address = { columnId: word, rowIndex: rowIndices[0]! };
    const { id } = await session.handlers.cell(address, signal);
    await client.tables.cells.update(ref, id, { value: 'theirs' });
    const outcome = await session.handlers.edit(
      { ...address, text: 'mine', base: 'word 0' },
      signal,
    );
    assert.deepEqual(outcome, { outcome: 'conflict', current: 'theirs', text: 'mine' });
    assert.equal(session.sheet().unsaved[0]?.state, 'conflict');
    assert.equal((await session.handlers.cell(address, signal)).text, 'theirs');
    const kept = await session.handlers.resolveEdit({ ...address, keep: 'mine' }, signal);
    assert.equal(kept.outcome, 'saved');
    assert.equal((await session.handlers.cell(address, signal)).text, 'mine');
  });

  it('patches the cells on screen while an operation runs, and ends with it', async () => {
    const length = await addCount(ref);
    const { session, events, editorHost } = await open();
    const before = await read(session, 0);
    assert.equal(before.statuses[before.columns[length]!.status[0]!], 'stale');
    session.seePages(0, 0);
    session.show();
    const scope = { kind: 'column', columnId: length, onlyStale: false } as const;
    const outcome = await session.handlers.run(scope, signal);
    assert.equal(outcome.outcome, 'started');
    assert.equal(editorHost.orders[0]?.cellCount, rowTotal);
    const patched = new Map<number, string>();
    await until('all cells patched', () => {
      for (const { name, payload } of events) {
        if (name !== 'cells') continue;
        for (const patch of payload.patches) {
          if (patch.columnId === length) patched.set(patch.place, `${patch.status} ${patch.text}`);
        }
      }
      return (
        patched.size === 100 && [...patched.values()].every((text) => text.startsWith('completed'))
      );
    });
    assert.equal(patched.get(7), 'completed 7');
    await until('no operation left', () => !session.isRunning);
    // Of computed cells only.
    await until('counts', () => session.sheet().statusCounts['completed'] === rowTotal);
    assert.deepEqual(editorHost.faults, []);
  });

  it('notices rows that somebody else added', async () => {
    const { session, events } = await open();
    session.show();
    await client.tables.rows.add(ref, { count: 3 });
    await until('a new generation', () => events.some(({ name }) => name === 'sheet'));
    assert.equal(session.sheet().rowCount, rowTotal + 3);
    assert.equal((await read(session, 4)).rowIndices.length, 40);
  });

  it('adds and deletes rows', async () => {
    const { session, editorHost } = await open();
    await session.handlers.addRows({ count: 130 }, signal);
    assert.equal(session.sheet().rowCount, rowTotal + 130);
    assert.equal((await read(session, 5)).rowIndices.length, 67);
    editorHost.agrees = false;
    const ranges = [
      { from: 0, to: 1 },
      { from: 10, to: 10 },
    ];
    assert.deepEqual(await session.handlers.deleteRows({ rows: ranges }, signal), { deleted: 0 });
    editorHost.agrees = true;
    assert.deepEqual(await session.handlers.deleteRows({ rows: ranges }, signal), { deleted: 3 });
    assert.equal(session.sheet().rowCount, rowTotal + 127);
    const page = await read(session, 0);
    assert.deepEqual(page.rowIndices.slice(0, 3), [2, 3, 4]);
  });

  it('copies rows beyond those on screen, with whole values', async () => {
    const { session, sheet, editorHost } = await open();
    const [word, sense] = [columnId(sheet, 'Word'), columnId(sheet, 'Sense')];
    const { rowIndices } = await read(session, 0);
    const long = 'x'.repeat(3000);
    await session.handlers.edit(
      { columnId: word, rowIndex: rowIndices[1]!, text: long, base: 'word 1' },
      signal,
    );
    const selection = { rows: [{ from: 0, to: rowTotal - 1 }], columnIds: [sense, word] };
    const copied = await session.handlers.copy({ selection, format: 'csv', headers: true }, signal);
    assert.deepEqual(copied, { cells: rowTotal * 2, rows: rowTotal });
    const lines = editorHost.clipboard[0]!.split('\r\n');
    assert.equal(lines[0], 'Sense,Word');
    assert.equal(lines[2], `"text, 1",${long}`);
    assert.equal(lines.length, rowTotal + 1);
    editorHost.limitBytes = 1000;
    await assert.rejects(
      async () => session.handlers.copy({ selection, format: 'tsv', headers: false }, signal),
      { code: 'too_large' },
    );
  });

  const texts = (page: GridPage, id: string): readonly string[] => page.columns[id]?.text ?? [];
  const contains = (id: string, operand: string): RowsQuery => ({
    conditions: [{ columnId: id, operator: 'contains', operand }],
    match: 'all',
    sort: [],
  });

  it('filters the rows that are loaded, and says how many those are; all of them when asked', async () => {
    const { session, sheet } = await open();
    const word = columnId(sheet, 'Word');
    const query = contains(word, 'word 4');
    const loaded = await session.handlers.setView({ query, scope: 'loaded' }, signal);
    assert.deepEqual(loaded, { query, scanned: 100, total: rowTotal });
    assert.equal(session.sheet().rowCount, 11);
    const all = await session.handlers.setView({ query, scope: 'all' }, signal);
    assert.equal(all?.scanned, rowTotal);
    const expected = Array.from({ length: rowTotal }, (_, index) => `word ${index}`).filter(
      (text) => text.includes('word 4'),
    );
    assert.equal(session.sheet().rowCount, expected.length);
    assert.deepEqual(texts(await read(session, 0), word), expected);
    assert.equal(await session.handlers.setView({ query: null, scope: 'loaded' }, signal), null);
    assert.equal(session.sheet().rowCount, rowTotal);
    assert.deepEqual(texts(await read(session, 0), word).slice(0, 2), ['word 0', 'word 1']);
  });

  it('sorts by several columns, equal rows in the order of the sheet, and copies what is shown', async () => {
    const { session, sheet, editorHost } = await open();
    const [word, sense] = [columnId(sheet, 'Word'), columnId(sheet, 'Sense')];
    const { rowIndices } = await read(session, 0);
    for (const place of [3, 5]) {
      const address = { columnId: sense, rowIndex: rowIndices[place]! };
      await session.handlers.edit({ ...address, text: 'same', base: `text, ${place}` }, signal);
    }
    const sort = [
      { columnId: sense, direction: 'asc' as const },
      { columnId: word, direction: 'desc' as const },
    ];
    await session.handlers.setView(
      { query: { conditions: [], match: 'all', sort }, scope: 'all' },
      signal,
    );
    const page = await read(session, 0);
    assert.deepEqual(texts(page, word).slice(0, 3), ['word 5', 'word 3', 'word 0']);
    assert.deepEqual(texts(page, sense).slice(0, 4), ['same', 'same', 'text, 0', 'text, 1']);
    const selection = { rows: [{ from: 0, to: 2 }], columnIds: [word] };
    await session.handlers.copy({ selection, format: 'tsv', headers: false }, signal);
    assert.equal(editorHost.clipboard[0], 'word 5\nword 3\nword 0');
  });

  it('comes back with its filter, and keeps it while rows are added', async () => {
    const { sheet } = await open();
    const word = columnId(sheet, 'Word');
    const { session } = await open('again', contains(word, 'word 40'));
    assert.equal(session.sheet().rowCount, 11);
    assert.deepEqual(session.sheet().view?.scanned, rowTotal);
    await session.handlers.addRows({ count: 1 }, signal);
    assert.equal(session.sheet().rowCount, 11);
    assert.equal(session.sheet().view?.total, rowTotal + 1);
    const deleted = await session.handlers.deleteRows({ rows: [{ from: 0, to: 0 }] }, signal);
    assert.deepEqual(deleted, { deleted: 1 });
    assert.deepEqual(texts(await read(session, 0), word).slice(0, 2), ['word 400', 'word 401']);
  });

  it('finds in the rows that are loaded or in all of them, by text or pattern', async () => {
    const { session, sheet } = await open();
    const columnIds = [columnId(sheet, 'Word'), columnId(sheet, 'Sense')];
    const plain = { columnIds, isPattern: false, matchCase: false };
    const some = await session.handlers.find({ ...plain, text: 'WORD 9', scope: 'loaded' }, signal);
    assert.deepEqual([some.count, some.scanned, some.total], [11, 100, rowTotal]);
    assert.deepEqual(some.hits.slice(0, 2), [
      [9, 0],
      [90, 0],
    ]);
    const exact = { ...plain, matchCase: true, scope: 'all' as const };
    assert.equal((await session.handlers.find({ ...exact, text: 'WORD 9' }, signal)).count, 0);
    const pattern = { ...exact, isPattern: true, text: '^text, 4\\d$' };
    const all = await session.handlers.find(pattern, signal);
    assert.deepEqual([all.count, all.scanned], [10, rowTotal]);
    assert.deepEqual(all.hits[0], [40, 1]);
    await assert.rejects(
      async () => session.handlers.find({ ...pattern, text: '(' }, signal),
      /can't be used/,
    );
  });

  it('pastes a block, adds the rows it needs, and takes it all back in one step', async () => {
    const length = await addCount(ref);
    const { session, sheet, editorHost } = await open();
    const [word, sense] = [columnId(sheet, 'Word'), columnId(sheet, 'Sense')];
    const start = rowTotal - 2;
    const block = Array.from({ length: 5 }, (_, index) => [
      `a${index}`,
      // A text like another: copies of a sheet, where it stands for '=b', are told apart before.
      index === 1 ? null : index === 2 ? "'=b" : `b\n${index}`,
      'x',
    ]);
    const selection = { rows: [{ from: start, to: start }], columnIds: [word] };
    const paste = {
      kind: 'paste',
      position: start,
      columnIds: [word, sense, length],
      block,
      selection,
    } as const;
    editorHost.agrees = false;
    assert.deepEqual(await session.handlers.change(paste, signal), { outcome: 'declined' });
    assert.match(editorHost.asked[0]!.join('\n'), /3 rows are added.*\nSkipped.*Length/s);
    assert.equal(session.sheet().rowCount, rowTotal);
    editorHost.agrees = true;
    const done = await session.handlers.change(paste, signal);
    assert.deepEqual(done, {
      outcome: 'done',
      cells: 10,
      rowsAdded: 3,
      open: 0,
      dropped: 0,
    });
    assert.deepEqual(session.sheet().unsaved, []);
    const last = await client.tables.rows.page(ref, { order: 'desc', limit: 5 });
    const values = last.items
      .map(({ cells }) => [cells[word]?.value, cells[sense]?.value])
      .reverse();
    assert.deepEqual(
      values,
      block.map(([one, other]) => [one, other]),
    );
    await session.handlers.undo(null, signal);
    const undone = await client.tables.rows.page(ref, { order: 'desc', limit: 5 });
    const before = undone.items.map(({ cells }) => cells[word]?.value ?? null).reverse();
    assert.deepEqual(before, [`word ${start}`, `word ${start + 1}`, null, null, null]);
    await session.handlers.redo(null, signal);
    assert.equal(
      (await client.tables.rows.page(ref, { order: 'desc', limit: 1 })).items[0]?.cells[word]
        ?.value,
      'a4',
    );
  });

  it('fills down, empties and sets to null', async () => {
    const { session, sheet } = await open();
    const [word, sense] = [columnId(sheet, 'Word'), columnId(sheet, 'Sense')];
    const selection = { rows: [{ from: 2, to: 150 }], columnIds: [word] };
    const filled = await session.handlers.change({ kind: 'fill', selection }, signal);
    assert.equal(filled.outcome === 'done' && filled.cells, 148);
    assert.equal(texts(await read(session, 1), word)[50], 'word 2');
    const some = { rows: [{ from: 0, to: 1 }], columnIds: [word, sense] };
    const valuesNow = async (): Promise<unknown[]> => {
      const { items } = await client.tables.rows.page(ref, { limit: 2 });
      return items.flatMap(({ cells }) => [cells[word]?.value, cells[sense]?.value]);
    };
    await session.handlers.change({ kind: 'clear', selection: some, to: 'empty' }, signal);
    assert.deepEqual(await valuesNow(), ['', '', '', '']);
    await session.handlers.change({ kind: 'clear', selection: some, to: 'null' }, signal);
    assert.deepEqual(await valuesNow(), [null, null, null, null]);
    await session.handlers.undo(null, signal);
    await session.handlers.undo(null, signal);
    assert.deepEqual(await valuesNow(), ['word 0', 'text, 0', 'word 1', 'text, 1']);
  });

  it('takes answers of people as their column wants them', async () => {
    const { column } = await client.tables.columns.create(ref, {
      title: 'Stars',
      type: 'HUMAN',
      config: { data_type: 'number', ui_element: { type: 'slider', min: 0, max: 5 } },
    });
    const { session, sheet } = await open();
    const stars = sheet.columns.find(({ id }) => id === column.id)!;
    assert.deepEqual(stars.input, { kind: 'number', min: 0, max: 5 });
    const { rowIndices } = await read(session, 0);
    const address = { columnId: stars.id, rowIndex: rowIndices[0]! };
    const answer = (text: string, base: string | null) =>
      session.handlers.edit({ ...address, text, base }, signal);
    const refused = await answer('9', null);
    assert.ok(refused.outcome === 'refused' && /must be at most 5/.test(refused.message));
    assert.equal((await answer('4', null)).outcome, 'saved');
    const first = async () =>
      (await client.tables.rows.page(ref, { limit: 1 })).items[0]?.cells[stars.id];
    assert.equal((await first())?.value, 4);
    assert.equal((await answer('', '4')).outcome, 'saved');
    assert.equal((await first())?.value, null);
    const block = [['3'], ['many'], ['5']];
    const selection = { rows: [{ from: 0, to: 0 }], columnIds: [stars.id] };
    const paste = { kind: 'paste', position: 0, columnIds: [stars.id], block, selection } as const;
    const done = await session.handlers.change(paste, signal);
    assert.ok(done.outcome === 'done' && done.cells === 2 && done.open === 1);
    assert.match(done.fault ?? '', /must be a number, not “many”/);
  });

  it('sums up what is selected of the rows that are loaded', async () => {
    const length = await addCount(ref);
    const { session, sheet } = await open();
    const sense = columnId(sheet, 'Sense');
    const selection = { rows: [{ from: 0, to: rowTotal - 1 }], columnIds: [sense, length] };
    const summary = await session.handlers.summary({ selection }, signal);
    assert.equal(summary.scanned, 100);
    assert.equal(summary.rows, rowTotal);
    assert.deepEqual([summary.values, summary.distinct, summary.numbers], [100, 100, 0]);
  });
});
