import assert from 'node:assert/strict';
import fs from 'node:fs';
import { extension, product } from '../support/product.ts';
import { timeLimit } from '../../support/time-limit.ts';

interface Manifest {
  readonly activationEvents: readonly string[];
}

describe('activation', () => {
  it('waits for a view, a command, a link, a restored panel or code', () => {
    const { activationEvents } = extension().packageJSON as Manifest;
    const restored = [
      ...['grid', 'log', 'charts', 'compare', 'run', 'workflow'],
      ...['columnForm', 'scorecardForm'],
    ].map((name) => `onWebviewPanel:promptTables.${name}`);
    const documents = ['prompt', 'draft', 'merge'].map(
      (name) => `onFileSystem:prompt-tables-${name}`,
    );
    const code = ['typescript', 'typescriptreact', 'javascript', 'javascriptreact', 'python'].map(
      (language) => `onLanguage:${language}`,
    );
    const all = ['onUri', ...restored, ...documents, ...code];
    assert.deepEqual([...activationEvents].sort(), all.sort());
  });

  it('takes less than 100 ms', async () => {
    // Processor time, which a busy machine stretches as well: twice that of a quiet one is 100 ms.
    const { activationMs } = await product();
    assert.ok(activationMs < timeLimit(50), `took ${activationMs} ms`);
  });

  it('starts no service and writes no folder', async () => {
    const api = await product();
    assert.equal(await api.servicePid(), undefined);
    assert.equal(fs.existsSync(api.dataFolder), false);
  });

  it('has no workspace in use before somebody chose one, and shows no error', async () => {
    const api = await product();
    assert.equal(api.currentConnection, undefined);
    assert.deepEqual(
      api.connections.map(({ kind }) => kind),
      ['local'],
    );
    assert.deepEqual(api.shownErrors, []);
    assert.deepEqual(await api.tree(), []);
  });
});
