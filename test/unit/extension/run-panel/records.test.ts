import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Records } from '../../../../src/extension/shell/records.ts';
import { openRunRecords } from '../../../../src/extension/run-panel/records.ts';
import type { RunRecord } from '../../../../src/extension/run-panel/records.ts';

const record: RunRecord = {
  status: { runId: 1, state: 'done', elapsedMs: 12.5, requestId: 3 },
  parts: [{ id: 'c0', kind: 'text', text: 'said' }],
  raw: { usage: { prompt_tokens: 1 } },
};

describe('run panel: records', () => {
  let folder: string;
  let records: Records<RunRecord>;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-runs-'));
    records = openRunRecords(path.join(folder, 'runs'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('come back as they were kept, readable by their user only', async () => {
    await Promise.all([records.write('one', record), records.write('one', record)]);
    assert.deepEqual(await records.read('one'), record);
    const { mode } = fs.statSync(path.join(folder, 'runs', 'one.json'));
    assert.equal(mode & 0o077, 0);
    assert.deepEqual(fs.readdirSync(path.join(folder, 'runs')), ['one.json']);
  });

  it('are absent before they were written and after they were removed', async () => {
    assert.equal(await records.read('one'), undefined);
    await records.write('one', record);
    await records.remove('one');
    assert.equal(await records.read('one'), undefined);
  });

  it('are never looked for outside their folder', async () => {
    await assert.rejects(records.read('../one'));
  });

  it('go when nobody came back for them in a month', async () => {
    await records.prune();
    await records.write('one', record);
    await records.prune(Date.now() + 29 * 24 * 3_600_000);
    assert.ok(await records.read('one'));
    await records.prune(Date.now() + 31 * 24 * 3_600_000);
    assert.equal(await records.read('one'), undefined);
  });
});
