import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { filesBelow, textOf } from '../../../scripts/files.mjs';
import type { HostedService } from '../support/hosted-service.ts';
import { startHostedService } from '../support/hosted-service.ts';
import { product, run } from '../support/product.ts';
import { until } from '../../support/until.ts';

/** Must never be found anywhere but in the secret storage and on the wire. */
const canary = 'pl_canary_4b1d9e7f3c5a48d2_do_not_leak';
const second = 'pl_canary_0f2e6a8c1b3d5977_do_not_leak';

describe('connections', () => {
  let service: HostedService;
  let id: string;

  before(async () => {
    service = await startHostedService();
    service.accept(canary);
    const api = await product();
    id = await api.addConnection({ name: 'Canary', baseURL: service.baseURL }, canary);
    await api.useConnection(id);
  });

  after(async () => {
    const api = await product();
    if (api.connections.some((connection) => connection.id === id)) await api.removeConnection(id);
    await service.stop();
    await run('promptTables.useLocal');
  });

  it('send the key from the secret storage to their own address', async () => {
    const api = await product();
    const entries = await api.tree();
    assert.deepEqual(
      entries.map(({ label }) => label),
      ['Hosted table'],
    );
    assert.ok(service.keysSeen.length > 0);
    assert.ok(service.keysSeen.every((key) => key === canary));
    assert.equal(await api.hasKey(id), true);
  });

  it('keep names and addresses, and no key, in the list that other code can see', async () => {
    const { connections } = await product();
    assert.deepEqual(
      connections.map(({ name }) => name),
      ['Local workspace', 'Canary'],
    );
    assert.ok(!JSON.stringify(connections).includes(canary));
  });

  it('refuse a wrong key with a state that offers to set it', async () => {
    const api = await product();
    const before = service.keysSeen.length;
    await api.setKey(id, second);
    await until('the new key to be tried', async () => {
      await api.tree();
      return service.keysSeen.slice(before).includes(second);
    });
    await run('promptTables.clearFilter');
    assert.deepEqual(await api.tree(), []);
  });

  it('go on when the key is rotated', async () => {
    const api = await product();
    service.accept(second);
    await api.setKey(id, second);
    await until('the table to come back', async () => {
      await run('promptTables.refresh');
      return (await api.tree()).find(({ label }) => label === 'Hosted table');
    });
  });

  it('show what was loaded, and say that it is old, when the service fails', async function () {
    this.timeout(60_000);
    const api = await product();
    service.answerWith(400, { success: false, message: 'workspace is being moved' });
    await run('promptTables.refresh');
    assert.deepEqual(
      (await api.tree()).map(({ label }) => label),
      ['Hosted table'],
    );
    assert.match(api.treeMessage ?? '', /Not up to date since .*workspace is being moved/);
  });

  it('say what is wrong and what to do when nothing could be loaded', async () => {
    const api = await product();
    await run('promptTables.clearFilter');
    const entries = await api.tree();
    assert.deepEqual(
      entries.map(({ kind, label }) => [kind, label.replace(/.*: /, '')]),
      [
        ['problem', 'workspace is being moved.'],
        ['action', 'Try again'],
        ['action', 'Set the API key'],
        ['action', 'Show the log'],
      ],
    );
  });

  it('forget the key on signing out', async () => {
    const api = await product();
    await api.signOut(id);
    assert.equal(await api.hasKey(id), false);
    await run('promptTables.clearFilter');
    assert.deepEqual(await api.tree(), []);
    const before = service.keysSeen.length;
    await run('promptTables.refresh');
    assert.deepEqual(await api.tree(), []);
    assert.equal(service.keysSeen.length, before, 'nothing is asked without a key');
  });

  it('leave no key in settings, logs, open documents or files of the extension', async () => {
    const { dataFolder } = await product();
    const settings = JSON.stringify(vscode.workspace.getConfiguration().inspect('promptTables'));
    const all = JSON.stringify(vscode.workspace.getConfiguration('promptTables'));
    for (const secret of [canary, second]) {
      assert.ok(!settings.includes(secret));
      assert.ok(!all.includes(secret));
      await run('promptTables.showLog');
      for (const document of vscode.workspace.textDocuments) {
        assert.ok(!document.getText().includes(secret), document.uri.toString());
      }
      // globalStorage -> User -> user data: state, settings and logs of this VS Code.
      const userData = path.resolve(dataFolder, '..', '..', '..', '..');
      assert.deepEqual(filesWith(userData, secret), []);
    }
  });

  it('are gone with everything after removal', async () => {
    const api = await product();
    await api.removeConnection(id);
    assert.equal(api.currentConnection, undefined);
    assert.deepEqual(
      api.connections.map(({ id: known }) => known),
      ['local'],
    );
  });
});

function filesWith(folder: string, text: string): readonly string[] {
  return filesBelow(folder).filter((file) => textOf(file)?.includes(text) === true);
}
