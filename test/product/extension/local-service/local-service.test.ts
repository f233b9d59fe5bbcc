import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '../../../../src/core/logger.ts';
import type { LocalServiceParts } from '../../../../src/extension/local-service/local-service.ts';
import { LocalService } from '../../../../src/extension/local-service/local-service.ts';
import { t } from '../../../unit/extension/words.ts';
import { KeptAddresses, noModels } from '../../../service/support/windows.ts';
import { until } from '../../../support/until.ts';

const entry = fileURLToPath(
  new URL('../../../unit/extension/local-service/fake-service.mjs', import.meta.url),
);

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('local service of the extension', function () {
  this.timeout(40_000);
  let dataPath: string;
  let services: LocalService[];
  const pids = new Set<number>();

  const open = (parts: Partial<LocalServiceParts> = {}): LocalService => {
    const service = new LocalService({
      dataPath,
      entry,
      version: '1.0.0',
      idleSeconds: () => 1,
      environment: (key) => ({ ...process.env, PROMPT_TABLES_API_KEY: key }),
      addresses: new KeptAddresses(),
      providerKeys: async () => ({ variables: {}, restricted: {} }),
      isTrusted: () => true,
      languageModels: { requests: () => 0, ask: noModels },
      ...{ log: silentLogger, t },
      onReplaced: () => undefined,
      onGivenUp: () => undefined,
      ...parts,
    });
    services.push(service);
    return service;
  };

  async function pidOf(service: LocalService): Promise<number> {
    await service.access();
    const pid = await service.pid();
    assert.ok(pid !== undefined);
    pids.add(pid);
    return pid;
  }

  beforeEach(() => {
    dataPath = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'pt-ls-')), 'local');
    services = [];
    delete process.env['FAKE_SERVICE'];
  });

  afterEach(() => {
    for (const service of services) service.dispose();
    for (const pid of pids) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    pids.clear();
    fs.rmSync(path.dirname(dataPath), { recursive: true, force: true });
  });

  it('is one process for two windows that start it at the same moment', async () => {
    const [first, second] = [open(), open()];
    const [a, b] = await Promise.all([pidOf(first), pidOf(second)]);
    assert.equal(a, b);
    assert.deepEqual(await first.access(), await second.access());
  });

  it('stays while one window holds it, and ends after the last', async () => {
    const [first, second] = [open(), open()];
    const pid = await pidOf(first);
    await pidOf(second);
    first.dispose();
    await pause(700);
    assert.ok(isRunning(pid));
    second.dispose();
    await until('the service has ended', () => !isRunning(pid));
  });

  it('is started again after a crash, and every window is told', async () => {
    let reported = 0;
    const count = { onReplaced: () => void (reported += 1) };
    const [first, second] = [open(count), open(count)];
    const before = await pidOf(first);
    await pidOf(second);
    process.kill(before, 'SIGKILL');
    await until('both windows are told', () => reported === 2);
    assert.notEqual(await pidOf(first), before);
    assert.equal(await pidOf(first), await pidOf(second));
  });

  it('is given up when it keeps crashing, with a reason', async () => {
    const reasons: unknown[] = [];
    const service = open({ onGivenUp: (reason) => void reasons.push(reason) });
    for (let crash = 0; crash < 4; crash += 1) {
      const pid = await pidOf(service);
      process.kill(pid, 'SIGKILL');
      await until('the crash is noticed', async () => {
        if (reasons.length > 0) return true;
        const now = await service.pid();
        return now !== undefined && now !== pid;
      });
    }
    assert.equal(reasons.length, 1);
    assert.match(String(reasons[0]), /ended 4 times within a minute/);
  });

  it('of another version is replaced once', async () => {
    process.env['FAKE_SERVICE'] = JSON.stringify({ version: '0.9.0' });
    const old = open({ version: '0.9.0' });
    const before = await pidOf(old);
    old.dispose();
    process.env['FAKE_SERVICE'] = JSON.stringify({ version: '1.0.0' });
    const current = open({ version: '1.0.0' });
    assert.notEqual(await pidOf(current), before);
    await until('the one before has ended', () => !isRunning(before));
  });

  it('tells why it cannot be started, in its own last words', async () => {
    process.env['FAKE_SERVICE'] = JSON.stringify({ exit: 1, complaint: 'the database is broken' });
    await assert.rejects(open().access(), /could not be started: the database is broken$/);
  });

  it('can be started after a failure', async () => {
    process.env['FAKE_SERVICE'] = JSON.stringify({ exit: 1 });
    const service = open();
    await assert.rejects(service.access());
    delete process.env['FAKE_SERVICE'];
    assert.ok(isRunning(await pidOf(service)));
  });

  it('passes its log on', async () => {
    const lines: string[] = [];
    const log = { ...silentLogger, info: (line: string) => void lines.push(line) };
    await pidOf(open({ log }));
    fs.appendFileSync(
      path.join(dataPath, 'service.log'),
      `${JSON.stringify({ level: 'info', message: 'a late word', rows: 3 })}\n`,
    );
    await until('the line to arrive', () =>
      lines.includes('local service: a late word {"rows":3}'),
    );
  });

  it('has a key that only this user can read, and keeps it', async () => {
    const service = open();
    const { apiKey } = await service.access();
    assert.ok(apiKey.length >= 32);
    assert.equal(await service.folder.key(), apiKey);
    if (process.platform !== 'win32') {
      assert.equal(fs.statSync(path.join(dataPath, 'key')).mode & 0o777, 0o600);
      assert.equal(fs.statSync(dataPath).mode & 0o777, 0o700);
    }
  });

  it('is started again by the restart, for all windows', async () => {
    let reported = 0;
    const first = open();
    const second = open({ onReplaced: () => void (reported += 1) });
    const before = await pidOf(first);
    await pidOf(second);
    await first.restart();
    assert.notEqual(await pidOf(first), before);
    await until('the other window to follow', () => reported === 1);
    assert.equal(await pidOf(first), await pidOf(second));
  });
});
