import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { onEachBackend } from './support/backends.ts';
import { ended, newFolder, spawnService } from './support/running-service.ts';
import { until } from '../support/until.ts';

onEachBackend('Workers in processes of their own', (backend) => {
  if (backend.name === 'SQLite') {
    it('are refused: a folder has one process', async () => {
      const folder = newFolder();
      const child = spawnService(folder, { args: ['--worker'] });
      assert.equal((await ended(child)).code, 2);
      rmSync(folder, { recursive: true, force: true });
    });
    return;
  }

  it('share the work of a service that does none itself, and end when told to', async function () {
    this.timeout(60_000);
    const { api } = await backend.start({ args: ['--port', '0', '--no-worker'] });
    const sheet = await api.sheetOf(`a\n${'text\n'.repeat(600)}`);
    await api.expect(201, 'POST', `${sheet.path}/columns`, {
      title: 'Length',
      type: 'COUNT',
      config: { source: 'a', type: 'chars' },
    });
    const { operation_id: id } = await api.expect(202, 'POST', `${sheet.path}/operations`, {});
    const stateOf = async () => (await api.get(`${sheet.path}/operations/${id}`)).operation;
    await pause(500);
    assert.equal((await stateOf()).completed_count, 0, 'Nobody is there to compute.');

    const folder = newFolder();
    const workers: ChildProcess[] = [1, 2].map(() =>
      spawnService(folder, { args: ['--worker'], databaseUrl: backend.databaseUrl() }),
    );
    try {
      await Promise.all(workers.map((worker) => once(worker.stdout!, 'data')));
      await until('all is computed', async () => (await stateOf()).status === 'completed');
      assert.equal((await stateOf()).completed_count, 600);
    } finally {
      for (const worker of workers) worker.kill('SIGTERM');
      const ends = await Promise.all(workers.map(ended));
      rmSync(folder, { recursive: true, force: true });
      assert.deepEqual(
        ends.map(({ code }) => code),
        [0, 0],
      );
    }
  });
});
