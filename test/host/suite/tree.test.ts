import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Client } from '../../../src/core/index.ts';
import { cellsThatAre, localClient, makeSheet } from '../support/local-client.ts';
import { entryNamed, product, run, setting } from '../support/product.ts';
import { until } from '../../support/until.ts';

const slow = 'const end = Date.now() + 100; while (Date.now() < end); return data.word.length;';

describe('tables tree', () => {
  let client: Client;
  let sheet: Awaited<ReturnType<typeof makeSheet>>;
  let restore: () => Promise<void>;

  before(async function () {
    this.timeout(60_000);
    restore = await setting('promptTables.run.confirmAbove', 1_000_000);
    await run('promptTables.useLocal');
    await (await product()).tree();
    client = await localClient();
    sheet = await makeSheet(client, { title: 'Tree test', rows: 300, code: slow });
    await run('promptTables.refresh');
  });

  after(async () => {
    await client.tables.delete(sheet.tableId);
    await client.close();
    await restore();
    await run('promptTables.refresh');
  });

  const sheetId = (): string => `local/${sheet.tableId}/${sheet.sheetId}`;
  const address = () => ({ connectionId: 'local', tableId: sheet.tableId, sheetId: sheet.sheetId });

  it('shows tables, sheets, and the three branches of a sheet', async () => {
    const api = await product();
    const table = entryNamed(await api.tree(), 'Tree test');
    assert.equal(table.kind, 'table');
    assert.match(table.description, /1 sheet/);
    const found = entryNamed(await api.tree(table.id), 'Words');
    assert.equal(found.id, sheetId());
    assert.match(found.description, /300 rows · v\d+/);
    assert.deepEqual(
      (await api.tree(found.id)).map(({ kind }) => kind),
      ['columns', 'operations', 'versions'],
    );
  });

  it('says at a sheet that its import has failed, until it is gone', async () => {
    const api = await product();
    // A line with a field too many after thousands that are well: it begins, and ends with a reason.
    const lines = Array.from({ length: 6000 }, (_, index) => `word ${index}`);
    const content = new TextEncoder().encode(`a\n${lines.join('\n')}\none,too many\n`);
    const started = await client.tables.sheets.createFromFile(sheet.tableId, {
      ...{ fileName: 'broken.csv', content, title: 'Broken' },
    });
    const imports = client.tables.imports;
    for await (const { isFinished } of imports.watch(sheet.tableId, started.operation_id)) {
      if (isFinished) break;
    }
    await run('promptTables.refresh');
    const line = await until('the sheet', async () =>
      (await api.tree(`local/${sheet.tableId}`)).find(({ label }) => label === 'Broken'),
    );
    assert.match(line.description, /^import failed · /);
    await client.tables.sheets.delete({ tableId: sheet.tableId, sheetId: started.sheet.id });
    await run('promptTables.refresh');
  });

  it('tells columns that are typed in from columns that are computed', async () => {
    const columns = await (await product()).tree(`${sheetId()}/columns`);
    assert.deepEqual(
      columns.map(({ kind, label, description }) => [kind, label, description]),
      [
        ['textColumn', 'word', 'TEXT'],
        ['computedColumn', 'answer', 'CODE_EXECUTION'],
      ],
    );
  });

  it('says that an empty branch is empty', async () => {
    const versions = await (await product()).tree(`${sheetId()}/versions`);
    assert.deepEqual(
      versions.map(({ kind, label }) => [kind, label]),
      [['note', 'No saved versions']],
    );
  });

  it('keeps ids over a refresh, so that what is expanded stays expanded', async () => {
    const api = await product();
    const before = (await api.tree()).map(({ id }) => id);
    await run('promptTables.refresh');
    assert.deepEqual(
      (await api.tree()).map(({ id }) => id),
      before,
    );
  });

  it('loads more of a long list on demand', async function () {
    this.timeout(60_000);
    const size = await setting('promptTables.tree.pageSize', 5);
    const made: string[] = [];
    try {
      for (let index = 0; index < 7; index += 1) {
        const { table } = await client.tables.create({
          title: `Many ${index}`,
          create_default_sheet: false,
        });
        made.push(table.id);
      }
      await run('promptTables.useLocal');
      await run('promptTables.clearFilter');
      const api = await product();
      const first = await api.tree();
      assert.equal(first.at(-1)?.kind, 'more');
      assert.equal(first.length, 6);
      await run('promptTables.loadMore', { kind: 'more', id: 'root/more', parent: undefined });
      assert.ok((await api.tree()).length > 6);
    } finally {
      await size();
      for (const id of made) await client.tables.delete(id);
      await run('promptTables.clearFilter');
      await (await product()).tree();
    }
  });

  it('shows a running operation with its progress, and takes it away after a cancel', async function () {
    this.timeout(60_000);
    const api = await product();
    await api.tree(entryNamed(await api.tree(), 'Tree test').id);
    await api.tree(sheetId());
    const outcome = await run<{ outcome: string; operationId: string; cellCount: number }>(
      'promptTables.runStaleCells',
      address(),
    );
    assert.equal(outcome.outcome, 'started');
    assert.equal(outcome.cellCount, 300);
    const shown = await until('the operation to show progress', async () => {
      const entries = await api.tree(`${sheetId()}/operations`);
      return entries.find(
        ({ kind, description }) => kind === 'operation' && /[1-9]\d*\/300/.test(description),
      );
    });
    assert.equal(shown.id, `${sheetId()}/operations/${outcome.operationId}`);
    assert.equal(api.running.length, 1);
    const line = async (): Promise<string> =>
      entryNamed(await api.tree(`local/${sheet.tableId}`), 'Words').description;
    const table = async (): Promise<string> =>
      entryNamed(await api.tree(), 'Tree test').description;
    assert.match(await line(), /^\d+ % · 300 rows · v\d+$/);
    // Folded, it hides the line of its sheet.
    assert.match(await table(), /^running · \d+ sheets?$/);

    const operation = await client.tables.operations.get(sheet, outcome.operationId);
    const cancel = (item: object): Promise<{ cancelled: number }> =>
      run('promptTables.cancelOperation', { ...address(), ...item });
    const item = { kind: 'operation', id: shown.id, operation };
    const { cancelled } = await cancel(item);
    assert.ok(cancelled > 0 && cancelled < 300, `cancelled ${cancelled}`);
    await until('the operation to leave the tree', async () => {
      const entries = await api.tree(`${sheetId()}/operations`);
      return entries.every(({ kind }) => kind === 'note');
    });
    assert.equal(api.running.length, 0);
    assert.match(await line(), /^300 rows · v\d+$/);
    assert.match(await table(), /^\d+ sheets?$/);
    // A menu that was open while it ended: nothing is asked, and nothing goes wrong.
    assert.deepEqual(await cancel({ kind: 'sheet', id: sheetId() }), { cancelled: 0 });
    assert.deepEqual(await cancel(item), { cancelled: 0 });
    assert.equal(await cellsThatAre(client, sheet, 'running'), 0);
    assert.equal(await cellsThatAre(client, sheet, 'queued'), 0);
    assert.ok((await cellsThatAre(client, sheet, 'stale')) > 0);
  });

  it('runs one column by command and sees it end', async function () {
    this.timeout(60_000);
    const api = await product();
    const small = await makeSheet(client, { title: 'Small run', rows: 20 });
    try {
      const page = await client.tables.columns.page(small);
      const column = page.items.find(({ id }) => id === small.columnId);
      const outcome = await run<{ outcome: string }>(
        'promptTables.runColumn',
        { connectionId: 'local', tableId: small.tableId, sheetId: small.sheetId, column },
        'all',
      );
      assert.equal(outcome.outcome, 'started');
      await until('the run to end', () => api.running.length === 0);
      assert.equal(await cellsThatAre(client, small, 'stale'), 0);
      assert.ok((await cellsThatAre(client, small, 'completed')) >= 20);
    } finally {
      await client.tables.delete(small.tableId);
    }
  });

  it('imports a CSV file as a new sheet of a table', async function () {
    this.timeout(60_000);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-csv-'));
    const file = path.join(folder, 'Cities of the north.csv');
    fs.writeFileSync(file, 'city,country\nOslo,Norway\n"Malmö, old town",Sweden\n');
    try {
      const api = await product();
      const table = entryNamed(await api.tree(), 'Tree test');
      const made = await run<{ sheetId: string }>(
        'promptTables.importFile',
        {
          ...table,
          connectionId: 'local',
          tableId: sheet.tableId,
          table: { title: 'Tree test' },
        },
        vscode.Uri.file(file),
      );
      const entry = await until('the sheet to appear', async () =>
        (await api.tree(table.id)).find(({ label }) => label === 'Cities of the north'),
      );
      assert.ok(entry.id.endsWith(made.sheetId));
      const rows = await client.tables.rows.page({ tableId: sheet.tableId, sheetId: made.sheetId });
      assert.equal(rows.rowCount, 2);
    } finally {
      fs.rmSync(folder, { recursive: true });
      await run('workbench.action.closeAllEditors');
    }
  });

  it('imports values of other kinds, under titles whose order JSON would not keep', async function () {
    this.timeout(60_000);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-jsonl-'));
    const file = path.join(folder, 'Figures.jsonl');
    const lines = Array.from(
      { length: 150 },
      (_, at) => `{"name":"n${String(at)}","2024":${String(at)}.5}`,
    );
    fs.writeFileSync(file, `${lines.join('\n')}\n{"name":"","2023":9007199254740993}\n`);
    try {
      const made = await run<{ sheetId: string }>(
        'promptTables.importFile',
        { connectionId: 'local', tableId: sheet.tableId },
        vscode.Uri.file(file),
      );
      const ref = { tableId: sheet.tableId, sheetId: made.sheetId };
      const page = await client.tables.rows.page(ref, { order: 'desc', limit: 2 });
      assert.equal(page.rowCount, 151);
      const shown = page.items.map(({ cells }) =>
        page.columns.map(({ id, title }) => [title, cells[id]?.display_value ?? null]),
      );
      assert.deepEqual(shown, [
        [
          ['2024', null],
          ['name', ''],
          ['2023', '9007199254740993'],
        ],
        [
          ['2024', '149.5'],
          ['name', 'n149'],
          ['2023', null],
        ],
      ]);
    } finally {
      fs.rmSync(folder, { recursive: true });
      await run('workbench.action.closeAllEditors');
    }
  });

  it('shows what the clipboard holds before it is imported, and says when that is nothing', async function () {
    this.timeout(60_000);
    const before = await vscode.env.clipboard.readText();
    const table = { connectionId: 'local', tableId: sheet.tableId };
    try {
      await vscode.env.clipboard.writeText('city\tcountry\nOslo\tNorway\n');
      await run('promptTables.importClipboard', table);
      await until(
        'its tab',
        () => vscode.window.tabGroups.activeTabGroup.activeTab?.label === 'Import Clipboard',
      );
      await vscode.env.clipboard.writeText(' ');
      await run('promptTables.importClipboard', table);
      assert.match((await product()).shownErrors.at(-1) ?? '', /The clipboard has no text/);
    } finally {
      await vscode.env.clipboard.writeText(before);
      await run('workbench.action.closeAllEditors');
    }
  });

  describe('takes files that are dropped', () => {
    let folder: string;
    let table: string;
    before(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-drop-'));
      table = entryNamed(await (await product()).tree(), 'Tree test').id;
      fs.writeFileSync(path.join(folder, 'a b#1.csv'), 'city\nOslo\n');
      fs.writeFileSync(path.join(folder, 'more.tsv'), 'city\tland\nOslo\tNorway\n');
      fs.writeFileSync(path.join(folder, 'notes.docx'), 'x');
      fs.mkdirSync(path.join(folder, 'folder'));
      fs.mkdirSync(path.join(folder, 'folder.csv'));
    });
    after(() => fs.rmSync(folder, { recursive: true }));
    afterEach(async () => {
      await run('workbench.action.closeAllEditors');
      // What this side knows of tabs comes later.
      await until('no tab is left', () => tabs().length === 0);
    });

    const addresses = (...uris: readonly (vscode.Uri | string)[]): vscode.DataTransfer => {
      const dropped = new vscode.DataTransfer();
      const text = uris.map(String).join('\r\n');
      dropped.set('text/uri-list', new vscode.DataTransferItem(text));
      return dropped;
    };
    const at = (name: string): vscode.Uri => vscode.Uri.file(path.join(folder, name));
    const tabs = (): readonly string[] =>
      vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label)).sort();
    const shown = (...labels: readonly string[]): Promise<true> =>
      until(`the tabs ${labels.join()}`, () => tabs().join() === labels.join());
    const tables = async (): Promise<readonly string[]> =>
      (await (await product()).tree()).map(({ label }) => label);
    const errorsOf = async (count: number, drop: () => Promise<void>): Promise<string[]> => {
      await drop();
      return (await product()).shownErrors.slice(-count);
    };

    it('from the explorer: each that can be imported is shown, and of the others somebody is told', async () => {
      const api = await product();
      const before = await tables();
      const errors = await errorsOf(2, () =>
        api.drop(
          addresses(
            ...[at('a b#1.csv'), at('notes.docx'), at('folder'), at('folder.csv')],
            ...['no address', at('more.tsv')],
          ),
          table,
        ),
      );
      await shown('Import a b#1.csv', 'Import more.tsv');
      assert.match(errors[0] ?? '', /Not imported: notes\.docx, folder, no address\./);
      assert.match(errors[1] ?? '', /folder\.csv is a folder/);
      assert.deepEqual(await tables(), before);
    });

    it('from elsewhere: what cannot be read leaves nothing, not even a table', async () => {
      const api = await product();
      const before = await tables();
      const gone = addresses('https://example.invalid/x.csv', at('gone.csv'), 'of-nobody:/y.csv');
      const errors = await errorsOf(3, () => api.drop(gone));
      assert.match(errors[0] ?? '', /x\.csv can't be read/);
      assert.match(errors[1] ?? '', /gone\.csv can't be read/);
      assert.match(errors[2] ?? '', /y\.csv can't be read/);
      const none = await errorsOf(1, () => api.drop(addresses(at('notes.docx'), at('folder'))));
      assert.match(none[0] ?? '', /These files can't be imported/);
      assert.deepEqual([tabs(), await tables()], [[], before]);
    });

    it('from outside of VS Code, by their bytes, into a new table', async () => {
      const api = await product();
      class Outside extends vscode.DataTransferItem {
        override asFile(): vscode.DataTransferFile {
          return { name: 'Outside.csv', data: () => Promise.resolve(Buffer.from('a\n1\n')) };
        }
      }
      const dropped = new vscode.DataTransfer();
      dropped.set('files', new Outside(''));
      await api.drop(dropped);
      await shown('Import Outside.csv');
      const made = await until('its table', async () =>
        (await client.tables.page({ name: 'Outside' })).items.find(
          ({ title }) => title === 'Outside',
        ),
      );
      await client.tables.delete(made.id);
      await run('promptTables.refresh');
    });
  });

  it('says why a file cannot be imported', async function () {
    this.timeout(60_000);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-csv-'));
    const file = path.join(folder, 'empty.csv');
    fs.writeFileSync(file, '');
    try {
      await run(
        'promptTables.importFile',
        {
          kind: 'table',
          id: 'x',
          connectionId: 'local',
          tableId: sheet.tableId,
          table: { title: 'Tree test' },
        },
        vscode.Uri.file(file),
      );
      assert.match((await product()).shownErrors.at(-1) ?? '', /empty\.csv could not be imported/);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('copies the name and the id of an item', async () => {
    const node = {
      kind: 'table',
      id: `local/${sheet.tableId}`,
      connectionId: 'local',
      tableId: sheet.tableId,
      table: { id: sheet.tableId, title: 'Tree test' },
    };
    await run('promptTables.copyId', node);
    assert.equal(await vscode.env.clipboard.readText(), sheet.tableId);
    await run('promptTables.copyName', node);
    assert.equal(await vscode.env.clipboard.readText(), 'Tree test');
  });
});
