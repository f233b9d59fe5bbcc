import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { WORK_CHANNEL } from '../../../../src/service/engine/index.ts';
import { createLog } from '../../../../src/service/log.ts';
import { awaitFirstWork } from '../../../../src/service/process/first-work.ts';
import { SCORE_CHANNEL } from '../../../../src/service/scorecards/calculations.ts';
import { openDatabase, type Database } from '../../../../src/service/store/database.ts';
import { migrate } from '../../../../src/service/store/migrate.ts';
import { createWriteLock } from '../../../../src/service/store/write-lock.ts';
import { channels } from '../../../../src/service/workflows/executions.ts';
import { until } from '../../../support/until.ts';

/** What there may be to compute, and the same when there is nothing left of it. */
const kinds: Readonly<Record<string, { readonly waiting: string; readonly over: string }>> = {
  operations: {
    waiting: `insert into operations (sheet_key, key, id, execution_id, status, created_at, updated_at)
      values (1, 1, 'o', 'e', 'queued', 0, 0)`,
    over: `update operations set status = 'completed'`,
  },
  'operations that another process has left half done': {
    waiting: `insert into operations (sheet_key, key, id, execution_id, status, created_at, updated_at)
      values (1, 2, 'p', 'f', 'running', 0, 0)`,
    over: `update operations set status = 'cancelled'`,
  },
  scores: {
    waiting: `insert into score_calculations (sheet_key, number, id, workspace_id, kind, owner_id, status, sheet_version,
        config_json, config_hash, created_at)
      values (1, 1, 'c', 1, 'sheet', 'w', 'queued', 1, '{}', '', 0)`,
    over: `update score_calculations set status = 'failed'`,
  },
  workflows: {
    waiting: `insert into workflow_executions (workspace_id, workflow_id, version_id, status, input_json, created_at)
      values (1, 1, 1, 'running', '{}', 0)`,
    over: `update workflow_executions set status = 'completed'`,
  },
  'columns that show another sheet': {
    waiting: `update mirrors set seen_version = 1`,
    over: `update mirrors set seen_version = 2`,
  },
};

const setUp = `
  insert into sheets (key, id, table_key, workspace_id, title, position, version_count, created_at, updated_at)
    values (1, 's', 1, 1, 'Sheet', 0, 2, 0, 0);
  insert into mirrors (sheet_key, column_key, source_sheet_key, seen_version) values (1, 1, 1, 2);`;

describe('Waiting for the first work', () => {
  const log = createLog('error', (line) => assert.fail(line));
  let folder: string;
  let database: Database;
  /** As another process would, without what rows refer to. */
  let other: DatabaseSync;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'pt-first-work-'));
    const file = path.join(folder, 'test.db');
    database = await openDatabase({ kind: 'sqlite', path: file, writeLock: createWriteLock() });
    await migrate(database);
    other = new DatabaseSync(file, { enableForeignKeyConstraints: false, timeout: 5000 });
    other.exec(setUp);
  });
  after(async () => {
    other.close();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [kind, { waiting, over }] of Object.entries(kinds)) {
    it(`finds ${kind} that wait already`, async () => {
      let begun = 0;
      const begin = (): void => void (begun += 1);
      other.exec(waiting);
      await (await awaitFirstWork(database, log, begin)).stop();
      assert.equal(begun, 1);
      other.exec(over);
      await (await awaitFirstWork(database, log, begin)).stop();
      assert.equal(begun, 1);
    });
  }

  it('finds by itself what comes without a notice', async () => {
    let begun = 0;
    const first = await awaitFirstWork(database, log, () => void (begun += 1));
    other.exec(`update mirrors set seen_version = 1`);
    await until('it has begun', () => begun === 1);
    other.exec(`update mirrors set seen_version = 2`);
    await first.stop();
  });

  for (const channel of [WORK_CHANNEL, SCORE_CHANNEL, channels.waiting]) {
    it(`begins once with a notice on ${channel}, and not after its end`, async () => {
      let begun = 0;
      const first = await awaitFirstWork(database, log, () => void (begun += 1));
      await database.notify(channel);
      await database.notify(channel);
      assert.equal(begun, 1);
      await first.stop();
      const stopped = await awaitFirstWork(database, log, () => void (begun += 1));
      await stopped.stop();
      await database.notify(channel);
      assert.equal(begun, 1);
    });
  }
});
