/** What a hand does with an open sheet, at the extension's end of it, on the real service. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Client, silentLogger, type SheetRef } from '../../../../src/core/index.ts';
import { shownText } from '../../../../src/extension/grid/cells/cell-presentation.ts';
import { Journal } from '../../../../src/extension/grid/edit/journal.ts';
import { plainView } from '../../../../src/extension/grid/columns/layouts.ts';
import { Session } from '../../../../src/extension/grid/session.ts';
import { sheetSource } from '../../../../src/extension/grid/rows/source.ts';
import type { GridSelection } from '../../../../src/protocol/grid-cells.ts';
import type { ViewEvents } from '../../../../src/protocol/grid.ts';
import type { Block, RowsQuery } from '../../../../src/protocol/grid-work.ts';
import { ServiceProcess } from '../../../support/contract/service-process.ts';
import { testEditorHost, type TestEditorHost } from '../../../unit/extension/grid/editor-host.ts';
import { until } from '../../../support/until.ts';

const never = new AbortController().signal;

describe('a sheet by hand', function () {
  this.timeout(120_000);
  let service: ServiceProcess;
  let client: Client;
  let folder: string;
  let ref: SheetRef;
  /** Two columns of texts and a computed one. */
  let ids: readonly [string, string, string];
  let editorHost: TestEditorHost;
  let session: Session;
  let reported: { readonly name: string; readonly payload: unknown }[];

  before(async () => {
    service = await ServiceProcess.start();
    client = new Client({ apiKey: service.key, baseURL: service.url, logger: silentLogger });
  });
  after(async () => {
    await client.close();
    await service.stop();
  });
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pt-hand-'));
    const { table } = await client.tables.create({ title: 'Hand', create_default_sheet: false });
    const rows = Array.from(
      { length: 12 },
      (_, index) => `q${index},${index % 4 === 0 ? 'x' : ''}`,
    );
    const content = new TextEncoder().encode(`question,note\n${rows.join('\n')}\n`);
    const upload = { fileName: 'hand.csv', content };
    const { sheet, operation } = await client.tables.sheets.createFromFile(table.id, upload);
    ref = { tableId: table.id, sheetId: sheet.id };
    for await (const seen of client.tables.imports.watch(table.id, operation!.operation_id, {})) {
      if (seen.isFinished) break;
    }
    const { items } = await client.tables.columns.page(ref);
    const computed = await client.tables.columns.create(ref, {
      ...{ title: 'letters', type: 'COUNT', config: { source: 'question', type: 'chars' } },
    });
    ids = [items[0]!.id, items[1]!.id, computed.column.id];
    reported = [];
    editorHost = testEditorHost();
    session = new Session({
      ...ref,
      connection: { id: 'local', name: 'Local workspace', local: true },
      source: sheetSource(async () => client, ref, true),
      editorHost,
      journal: new Journal({
        folder,
        head: { connectionId: 'local', ...ref },
        onFault: (fault) => void editorHost.faults.push(fault),
      }),
      layout: plainView.layout,
      columns: { columnAction: () => null, moveColumn: () => ({ kept: true, message: '' }) },
      emit: (name, payload) => void reported.push({ name, payload }),
      timing: { activeMs: 50, idleMs: 50 },
    });
    await session.handlers.ready({ page: 0 }, never);
  });
  afterEach(async () => {
    await session.close();
    await rm(folder, { recursive: true, force: true });
  });

  const select = (from: number, to: number, columnIds: readonly string[]): GridSelection => ({
    rows: [{ from, to }],
    columnIds,
  });
  const copy = (selection: GridSelection) =>
    session.handlers.copy({ selection, format: 'tsv', headers: false }, never);
  const clipboard = () =>
    session.handlers.readPaste({ text: null, table: null, isAsked: false }, never);
  const paste = (block: Block, selection: GridSelection, position = selection.rows[0]!.from) => {
    const first = ids.indexOf(selection.columnIds[0] ?? '');
    const columnIds = ids.slice(first);
    return session.handlers.change({ kind: 'paste', position, columnIds, block, selection }, never);
  };

  async function values(): Promise<(string | null)[][]> {
    const { items } = await client.tables.rows.page(ref, { limit: 100 });
    return items.map(({ cells }) => [shownText(cells[ids[0]]), shownText(cells[ids[1]])]);
  }

  it('brings copied cells back as they were, also where a spreadsheet would part them', async () => {
    const texts = [
      ['line 1\nline 2', 'a, b\nc, d'],
      ['a\tb', '"quoted"'],
      [null, ''],
      ["'=1+1", '=1+1'],
      ['null', ' blank '],
    ] as const;
    const all = select(0, texts.length - 1, ids.slice(0, 2));
    const put = await paste(texts, all);
    assert.equal(put.outcome, 'done');
    assert.deepEqual(editorHost.asked, []);
    await copy(all);
    const again = await clipboard();
    assert.deepEqual(again, texts);
    for (const [row, cells] of texts.entries()) {
      for (const [at, text] of cells.entries()) {
        await copy(select(row, row, [ids[at]!]));
        assert.deepEqual(await clipboard(), [[text]], `row ${row}, column ${at}`);
      }
    }
    assert.deepEqual(editorHost.offered, []);
    await paste(again, select(6, 6 + texts.length - 1, ids.slice(0, 2)));
    assert.deepEqual((await values()).slice(6, 6 + texts.length), texts);
  });

  it('goes on copying when its view goes away, and tells how it ended', async () => {
    const view = new AbortController();
    const selection = select(0, 11, ids);
    const copying = session.handlers.copy(
      { selection, format: 'tsv', headers: false },
      view.signal,
    );
    view.abort();
    await assert.rejects(async () => copying);
    await until('it is told', () => editorHost.announced.length > 0);
    assert.deepEqual(editorHost.announced, ['Copied 36 cells.']);
    assert.equal(editorHost.clipboard.at(-1)?.split('\n').length, 12);
  });

  it('cuts in one step to be undone', async () => {
    const selection = select(0, 1, ids.slice(0, 2));
    await copy(selection);
    const cleared = await session.handlers.change({ kind: 'clear', selection, to: 'empty' }, never);
    assert.equal(cleared.outcome, 'done');
    assert.deepEqual((await values()).slice(0, 2), [['', ''], ['', '']]); // prettier-ignore
    assert.deepEqual(await clipboard(), [['q0', 'x'], ['q1', null]]); // prettier-ignore
    await session.handlers.undo(null, never);
    assert.deepEqual((await values()).slice(0, 2), [['q0', 'x'], ['q1', null]]); // prettier-ignore
  });

  it('asks before cells beside the selection are overwritten, and tells how many', async () => {
    const block = [['a', 'b'], ['c', 'd']]; // prettier-ignore
    editorHost.agrees = false;
    const before = await values();
    // q8 and its x below and beside it hold something; the note of row 9 is empty.
    assert.equal((await paste(block, select(8, 8, [ids[0]]))).outcome, 'declined');
    assert.deepEqual(editorHost.asked, [
      ["2 cells outside the selection aren't empty and will be overwritten."],
    ]);
    assert.deepEqual(await values(), before);
    // Within the selection nothing is a surprise, nor are empty cells beside it.
    assert.equal((await paste(block, select(8, 9, ids.slice(0, 2)))).outcome, 'done');
    assert.equal((await paste([['e'], ['f']], select(1, 1, [ids[1]]))).outcome, 'done');
    assert.equal(editorHost.asked.length, 1);
    // What is computed is skipped, and said.
    editorHost.agrees = true;
    await paste([['a', 'b', 'c']], select(2, 2, ids));
    assert.deepEqual(editorHost.asked[1], ['Skipped, because they are computed: letters.']);
  });

  it('fills a selection that is a multiple of the block, and no other', async () => {
    await paste([['a', 'b'], ['c', 'd']], select(0, 3, ids.slice(0, 2))); // prettier-ignore
    assert.deepEqual((await values()).slice(0, 5), [
      ['a', 'b'],
      ['c', 'd'],
      ['a', 'b'],
      ['c', 'd'],
      ['q4', 'x'],
    ]);
    await paste([['e'], ['f']], select(0, 2, [ids[0]]));
    assert.deepEqual(
      (await values()).slice(0, 4).map(([first]) => first),
      ['e', 'f', 'a', 'c'],
    );
    const undone = await session.handlers.undo(null, never);
    assert.equal(undone?.many?.saved, 2);
  });

  const noteIsX: RowsQuery = {
    conditions: [{ columnId: '', operator: 'equals', operand: 'x' }],
    match: 'all',
    sort: [],
  };

  it('runs what a filter shows, and says so in the question', async () => {
    await session.handlers.setView({ query: noteIsX, scope: 'all' }, never);
    await session.handlers.run({ kind: 'column', columnId: ids[2], onlyStale: false }, never);
    await session.handlers.run({ kind: 'stale' }, never);
    assert.deepEqual(
      editorHost.orders.map(({ request, cellCount, subject }) => [
        request.row_ids,
        cellCount,
        subject,
      ]),
      [
        [[0, 4, 8], 3, 'letters in the 3 rows shown'],
        [[0, 4, 8], 3, 'hand in the 3 rows shown'],
      ],
    );
    assert.deepEqual(await session.filteredRows(never), [0, 4, 8]);
    await session.handlers.setView({ query: null, scope: 'all' }, never);
    assert.equal(await session.filteredRows(never), undefined);
    await session.handlers.run({ kind: 'column', columnId: ids[2], onlyStale: false }, never);
    assert.deepEqual(editorHost.orders[2]?.request.row_ids, undefined);
    assert.equal(editorHost.orders[2]?.cellCount, 12);
  });

  it('counts computed cells only', async () => {
    const { statusCounts } = session.sheet();
    assert.deepEqual([statusCounts['stale'], statusCounts['completed']], [12, undefined]);
    session.show();
    await client.tables.operations.create(ref, { statuses: [], row_ids: [0, 1, 2] });
    await until('three are done', () => session.sheet().statusCounts['completed'] === 3);
    assert.equal(session.sheet().statusCounts['stale'], 9);
  });

  it('takes its names from the service, and says when it was deleted', async () => {
    session.show();
    await client.tables.sheets.update(ref, { title: 'Renamed elsewhere' });
    session.poke();
    await until('it is renamed', () => session.sheet().title === 'Renamed elsewhere');
    await client.tables.sheets.delete(ref);
    const problems = () =>
      reported.flatMap(({ name, payload }) =>
        name === 'problem' ? [payload as ViewEvents['problem']] : [],
      );
    await until('it is told', () => problems().some((problem) => problem?.isGone === true));
    const problem = problems().find((one) => one?.isGone === true);
    assert.match(problem?.message ?? '', /^This sheet was deleted/);
    assert.doesNotMatch(JSON.stringify(problem), /404|api\/public/);
    assert.ok(session.sheet().columns.every(({ editable }) => !editable));
    const edit = { columnId: ids[0], rowIndex: 0, text: 'a', base: 'q0' };
    await assert.rejects(async () => session.handlers.edit(edit, never), /This sheet was deleted/);
    const change = async () => paste([['a']], select(0, 0, [ids[0]]));
    await assert.rejects(change, /This sheet was deleted/);
    await assert.rejects(
      async () => session.handlers.run({ kind: 'stale' }, never),
      /This sheet was deleted/,
    );
  });
});
