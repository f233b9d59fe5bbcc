import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Client } from '../../../src/core/index.ts';
import { ExactNumber } from '../../../src/core/index.ts';
import { localClient, makeSheet } from '../support/local-client.ts';
import { MemoryFiles } from '../support/memory-files.ts';
import { product, run } from '../support/product.ts';

describe('exports of a sheet', function () {
  this.timeout(90_000);
  let client: Client;
  let sheet: { readonly connectionId: string; readonly tableId: string; readonly sheetId: string };
  let wordId: string;
  let folder: string;
  const errors = async (): Promise<number> => (await product()).shownErrors.length;

  before(async () => {
    await run('promptTables.openSample');
    client = await localClient();
    const { tableId, sheetId } = await makeSheet(client, { title: 'Exports', rows: 250 });
    sheet = { connectionId: 'local', tableId, sheetId };
    const { items, columns } = await client.tables.rows.page(sheet, { include_columns: true });
    wordId = columns.find(({ title }) => title === 'word')?.id ?? '';
    const cell = items[1]?.cells[wordId];
    assert.ok(cell !== undefined);
    await client.tables.cells.update(sheet, cell.id, {
      value: new ExactNumber('9007199254740993'),
    });
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-export-'));
  });
  after(async () => {
    fs.rmSync(folder, { recursive: true, force: true });
    await client.close();
    await run('workbench.action.closeAllEditors');
  });

  const exported = async (kind: string, given: object = {}): Promise<string> => {
    const file = vscode.Uri.file(path.join(folder, `file.${kind}`));
    const before = await errors();
    await run('promptTables.exportSheet', { ...sheet, ...given }, { kind, file });
    assert.equal(await errors(), before);
    assert.deepEqual(
      fs.readdirSync(folder).filter((name) => name.endsWith('.part')),
      [],
    );
    return fs.readFileSync(file.fsPath, 'utf8');
  };

  it('have every digit, made by the service or here', async () => {
    const sent = (await exported('jsonl')).split('\n');
    assert.equal(sent.length, 251);
    assert.equal(sent[1], '{"word":9007199254740993}');
    const tsv = (await exported('tsv')).split('\r\n');
    assert.deepEqual(tsv.slice(0, 3), ['word\tanswer', 'word 0\t', '9007199254740993\t']);
    assert.equal(tsv.length, 252);
    const chosen = { columnIds: [wordId], rowIndices: [1, 249] };
    assert.equal(
      await exported('json', chosen),
      '[\n{"word":9007199254740993},\n{"word":"word 249"}\n]\n',
    );
    assert.match(
      await exported('markdown', chosen),
      /^\| word \|\n\| --- \|\n\| 9007199254740993 \|\n/,
    );
  });

  it('go where only VS Code can write, and leave no draft there', async () => {
    const memory = new MemoryFiles();
    const registration = vscode.workspace.registerFileSystemProvider('pt-memory', memory);
    try {
      const file = vscode.Uri.parse('pt-memory:/words.csv');
      await run('promptTables.exportSheet', sheet, { kind: 'csv', file });
      assert.deepEqual([...memory.files.keys()], ['/words.csv']);
      assert.match(
        new TextDecoder().decode(memory.files.get('/words.csv')),
        /^word,answer\r\nword 0,/,
      );
    } finally {
      registration.dispose();
    }
  });

  it('leave an earlier file as it was when they fail', async () => {
    const file = path.join(folder, 'kept.csv');
    fs.writeFileSync(file, 'earlier');
    const before = await errors();
    const gone = { ...sheet, sheetId: '00000000-0000-4000-8000-000000000000' };
    await run('promptTables.exportSheet', gone, { kind: 'csv', file: vscode.Uri.file(file) });
    assert.equal(await errors(), before + 1);
    assert.equal(fs.readFileSync(file, 'utf8'), 'earlier');
    assert.deepEqual(
      fs.readdirSync(folder).filter((name) => name.endsWith('.part')),
      [],
    );
  });
});
