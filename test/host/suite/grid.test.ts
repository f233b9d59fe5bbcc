import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { gridCommandIds, gridPanelId } from '../../../src/extension/contributions.ts';
import { product } from '../support/product.ts';
import { until } from '../../support/until.ts';

/** VS Code puts its own prefix before the type that an extension gave. */
const isGrid = ({ input }: vscode.Tab): boolean =>
  input instanceof vscode.TabInputWebview && input.viewType.endsWith(gridPanelId);
const gridTabs = (): vscode.Tab[] =>
  vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(isGrid);

describe('sheets in editor tabs', function () {
  this.timeout(90_000);

  const closeAll = async (): Promise<void> => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // What this side knows of tabs comes later.
    await until('no tab', () => gridTabs().length === 0);
  };
  beforeEach(async () => {
    await product();
    await closeAll();
  });
  after(closeAll);

  it('open once, named for sheet and table, however often they are asked for', async () => {
    const sheet: unknown = await vscode.commands.executeCommand('promptTables.openSample');
    await until('a tab', () => gridTabs().length === 1);
    await until('its title', () => gridTabs()[0]?.label === 'WordNet senses — Word definitions');
    await vscode.commands.executeCommand('promptTables.openSheet', sheet);
    await vscode.commands.executeCommand('promptTables.openSample');
    assert.equal(gridTabs().length, 1);
    await until('the tab in front', () => gridTabs()[0]?.isActive === true);
  });

  it('open again after they were closed', async () => {
    await vscode.commands.executeCommand('promptTables.openSample');
    await until('a tab', () => gridTabs().length === 1);
    await closeAll();
    await vscode.commands.executeCommand('promptTables.openSample');
    await until('a tab', () => gridTabs().length === 1);
  });

  it('have all their commands, which do nothing while no sheet is open', async () => {
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      gridCommandIds.filter((id) => !known.has(id)),
      [],
    );
    const api = await product();
    const shown = api.shownErrors.length;
    for (const id of gridCommandIds) await vscode.commands.executeCommand(id);
    assert.equal(api.shownErrors.length, shown);
  });

  it('say so in place when their connection is gone, without a notification', async () => {
    const api = await product();
    const shown = api.shownErrors.length;
    const sheet = { connectionId: 'gone', tableId: 'table', sheetId: 'sheet' };
    await vscode.commands.executeCommand('promptTables.openSheet', sheet);
    await until('a tab', () => gridTabs().length === 1);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.equal(gridTabs().length, 1);
    assert.equal(api.shownErrors.length, shown);
  });
});
