import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { localClient } from '../support/local-client.ts';
import { entryNamed, product, run } from '../support/product.ts';
import { until } from '../../support/until.ts';

interface Address {
  readonly connectionId: string;
  readonly tableId: string;
  readonly sheetId: string;
}

describe('commands', () => {
  after(async () => {
    await run('workbench.action.closeAllEditors');
  });

  it('open the sample: one table of real rows with computed columns, imported once', async function () {
    this.timeout(90_000);
    const first = await run<Address>('promptTables.openSample');
    const again = await run<Address>('promptTables.openSample');
    assert.deepEqual(again, first);
    const client = await localClient();
    try {
      const sheet = await client.tables.sheets.get(first);
      assert.ok((sheet.row_count ?? 0) > 1000);
      const columns = await client.tables.columns.page(first);
      assert.ok(columns.items.filter(({ type }) => type !== 'TEXT').length >= 5);
      let tables = 0;
      for await (const { title } of client.tables.list())
        if (title === 'Word definitions') tables += 1;
      assert.equal(tables, 1);
    } finally {
      await client.close();
    }
    // What this side knows of tabs comes later.
    await until(
      'there is one tab for one sheet',
      () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).length === 1,
    );
  });

  it('open the sample with prompts, a workflow, a scorecard and requests, each made once', async function () {
    this.timeout(90_000);
    const sheet = await run<Address>('promptTables.openSample');
    const client = await localClient();
    try {
      const versions = async (): Promise<number> =>
        (await client.templates.getRaw('explain-word', { label: 'dev' })).version ?? 0;
      assert.equal(await versions(), 2);
      assert.equal((await client.templates.getRaw('explain-word', { label: 'prod' })).version, 1);
      const variables = { word: 'brisk', definition: 'quick and energetic' };
      const workflowName = 'check-definition';
      const verdict = await client.runWorkflow({ workflowName, inputVariables: variables });
      assert.deepEqual(verdict, { words: 3, uses_word: false, short_enough: true });
      const card = await client.tables.scorecards.get(sheet);
      assert.equal(card.scorecard?.name, 'Quality of the definitions');
      const sampleRequests = async (): Promise<number> => {
        const { items } = await client.requests.search({ per_page: 25 });
        return items.filter((item) => JSON.stringify(item).includes('no model was asked')).length;
      };
      assert.equal(await sampleRequests(), 3);

      await run('promptTables.openSample');
      assert.equal(await versions(), 2);
      assert.equal(await sampleRequests(), 3);
    } finally {
      await client.close();
    }
  });

  it('reveal a sheet in the tree', async () => {
    const api = await product();
    await run('workbench.view.extension.promptTables');
    const sheet = await run<Address>('promptTables.openSample');
    await run('promptTables.revealSheet', sheet);
    const table = entryNamed(await api.tree(), 'Word definitions');
    await until('the sheet to be loaded', async () =>
      (await api.tree(table.id)).find(({ id }) => id.endsWith(sheet.sheetId)),
    );
  });

  it('show one error with what to do, and no other for the same trouble', async () => {
    const api = await product();
    const nowhere = {
      connectionId: 'local',
      tableId: '00000000-0000-4000-8000-000000000000',
      sheetId: '00000000-0000-4000-8000-000000000000',
    };
    const before = api.shownErrors.length;
    await run('promptTables.runStaleCells', nowhere);
    await run('promptTables.runStaleCells', nowhere);
    const shown = api.shownErrors.slice(before);
    assert.ok(shown.length >= 1);
    assert.match(shown[0] ?? '', /404/);
  });
});
