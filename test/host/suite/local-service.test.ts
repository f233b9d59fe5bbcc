import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { localClient } from '../support/local-client.ts';
import { product, run } from '../support/product.ts';
import { until } from '../../support/until.ts';

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function pid(): Promise<number> {
  return until('the local service to run', async () => (await product()).servicePid());
}

describe('local service', () => {
  before(async () => {
    await run('promptTables.useLocal');
    await (await product()).tree();
  });

  it('is started when the local workspace is used', async () => {
    const api = await product();
    assert.equal(api.currentConnection?.id, 'local');
    assert.ok(isRunning(await pid()));
  });

  it('keeps its folder, key and socket to this user', async () => {
    if (process.platform === 'win32') return;
    const { dataFolder } = await product();
    const mode = (file: string): number => fs.statSync(path.join(dataFolder, file)).mode & 0o077;
    assert.equal(mode('.'), 0);
    assert.equal(mode('key'), 0);
    assert.equal(mode('service.json'), 0);
  });

  it('is given its key in the environment, where other users cannot see it', async () => {
    if (process.platform !== 'linux') return;
    const { dataFolder } = await product();
    const key = fs.readFileSync(path.join(dataFolder, 'key'), 'utf8').trim();
    const commandLine = fs.readFileSync(`/proc/${await pid()}/cmdline`, 'utf8');
    assert.ok(commandLine.includes('service.mjs'));
    assert.ok(!commandLine.includes(key));
  });

  it('is shared: a second client sees what the first one made', async () => {
    const client = await localClient();
    try {
      const { table } = await client.tables.create({ title: 'Made by another window' });
      await run('promptTables.refresh');
      const entries = await (await product()).tree();
      assert.ok(entries.some(({ label }) => label === 'Made by another window'));
      await client.tables.delete(table.id);
    } finally {
      await client.close();
    }
  });

  it('is started again when it crashes, and the tree goes on', async () => {
    const api = await product();
    const before = await pid();
    process.kill(before, 'SIGKILL');
    await until('another process to take over', async () => {
      const now = await api.servicePid().catch(() => undefined);
      return now !== undefined && now !== before && isRunning(now) ? now : undefined;
    });
    await run('promptTables.refresh');
    assert.equal(api.treeMessage, undefined);
    assert.ok((await api.tree()).every(({ kind }) => kind !== 'problem'));
  });

  it('is another process after the restart command', async () => {
    const before = await pid();
    await run('promptTables.restartService');
    const after = await pid();
    assert.notEqual(after, before);
    await until('the one before has ended', () => !isRunning(before));
    assert.ok(isRunning(after));
  });

  it('writes no key into the log of the extension', async () => {
    const { dataFolder } = await product();
    const key = fs.readFileSync(path.join(dataFolder, 'key'), 'utf8').trim();
    const service = fs.readFileSync(path.join(dataFolder, 'service.log'), 'utf8');
    assert.ok(!service.includes(key));
    await run('promptTables.showLog');
    const documents = vscode.workspace.textDocuments.map((document) => document.getText());
    assert.ok(documents.every((text) => !text.includes(key)));
  });
});
