import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'undici';
import { timeLimit } from '../support/time-limit.ts';
import {
  RunningService,
  ended,
  firstKey,
  newFolder,
  spawnService,
} from './support/running-service.ts';

async function outcome(
  folder: string,
  args: string[],
): Promise<{ code: number | null; text: string }> {
  const child = spawnService(folder, { args });
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  // All that it has said has come.
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}

describe('The service process', function () {
  this.timeout(60_000);
  const folders: string[] = [];
  const folder = (): string => {
    const made = newFolder();
    folders.push(made);
    return made;
  };
  after(() => {
    for (const made of folders) rmSync(made, { recursive: true, force: true });
  });

  it('listens on a socket in its folder that only its owner can open', async () => {
    const place = path.join(folder(), 'data');
    const service = await RunningService.start({ folder: place, args: [] });
    try {
      assert.equal(service.ready.socketPath, path.join(place, 'service.sock'));
      assert.equal(statSync(place).mode & 0o777, 0o700);
      assert.equal(statSync(service.ready.socketPath).mode & 0o777, 0o600);
      assert.equal(statSync(path.join(place, 'service.json')).mode & 0o777, 0o600);
      const written: unknown = JSON.parse(readFileSync(path.join(place, 'service.json'), 'utf8'));
      assert.deepEqual(written, service.ready);
      const health = await service.api.get('/_local/health');
      assert.equal(health.ok, true);
      assert.equal(health.pid, service.child.pid);
    } finally {
      const { code } = await service.stop();
      assert.equal(code, 0);
    }
    assert.equal(existsSync(path.join(place, 'service.json')), false);
    assert.equal(existsSync(path.join(place, 'service.sock')), false);
  });

  it('finds a short place for the socket when the folder lies deep', async () => {
    const place = path.join(folder(), 'deep'.repeat(30));
    mkdirSync(place);
    const service = await RunningService.start({ folder: place, args: [] });
    try {
      assert.ok(Buffer.byteLength(service.ready.socketPath!) <= 100);
      await service.api.get('/_local/health');
    } finally {
      await service.stop();
    }
  });

  it('refuses a folder that another process has, and names it', async () => {
    const place = folder();
    const service = await RunningService.start({ folder: place });
    try {
      const { code, text } = await outcome(place, []);
      assert.equal(code, 3);
      assert.match(text, new RegExp(`in use by process ${String(service.child.pid)}\\.`));
      assert.equal(text.trim().split('\n').length, 1);
      await service.api.get('/_local/health');
    } finally {
      await service.stop();
    }
  });

  it('lets a folder go when it is killed, with all that it has acknowledged', async () => {
    const place = folder();
    const first = await RunningService.start({ folder: place, args: [] });
    const sheet = await first.api.newSheet();
    await first.api.expect(201, 'POST', `${sheet.path}/rows`, { count: 7 });
    await first.kill('SIGKILL');
    assert.equal(existsSync(path.join(place, 'service.sock')), true);
    const second = await RunningService.start({ folder: place, args: [] });
    assert.equal((await second.api.get(`${sheet.path}/rows`)).row_count, 8);
    await second.stop();
  });

  it('finishes a request that is under way when it is told to stop', async () => {
    const service = await RunningService.start({ folder: folder() });
    const sheet = await service.api.sheetOf(`a\n${'x\n'.repeat(3000)}`);
    const saving = http.request(`${service.ready.url}${sheet.path}/versions`, {
      method: 'POST',
      headers: {
        'x-api-key': firstKey,
        'content-type': 'application/json',
        expect: '100-continue',
      },
    });
    saving.flushHeaders();
    // The service has it.
    await once(saving, 'continue');
    service.child.kill('SIGTERM');
    saving.end(JSON.stringify({ name: 'last' }));
    const [answer] = (await once(saving, 'response')) as [http.IncomingMessage];
    answer.resume();
    assert.equal(answer.statusCode, 201);
    assert.equal((await ended(service.child)).code, 0);
  });

  it('stays while a window holds it and ends by itself after the last one', async () => {
    // On a slow machine the window comes later.
    const idleSeconds = Math.ceil(timeLimit(500) / 1000);
    const service = await RunningService.start({
      folder: folder(),
      args: ['--port', '0', '--idle-exit', String(idleSeconds)],
    });
    const window = new Client(service.ready.url!);
    const { body, statusCode } = await window.request({
      method: 'GET',
      path: '/_local/hold',
      headers: { 'x-api-key': firstKey },
    });
    assert.equal(statusCode, 200);
    body.on('error', () => undefined);
    // It would have ended by itself.
    await pause(idleSeconds * 1000 + 500);
    assert.equal(service.child.exitCode, null, 'It must stay while it is held.');
    await window.destroy();
    assert.equal((await ended(service.child)).code, 0);
  });

  it('ends by itself when nobody ever holds it', async () => {
    const service = await RunningService.start({
      folder: folder(),
      args: ['--port', '0', '--idle-exit', '1'],
    });
    assert.equal((await ended(service.child)).code, 0);
  });

  it('refuses data of a newer schema with one sentence', async () => {
    const place = folder();
    await (await RunningService.start({ folder: place })).stop();
    const data = new DatabaseSync(path.join(place, 'tables.db'));
    data.exec(`insert into migrations (number, name, applied_at) values (999, 'later', 0)`);
    data.close();
    const { code, text } = await outcome(place, []);
    assert.equal(code, 1);
    assert.match(text, /^The data was written by a newer Prompt Tables \(schema 999,/);
    assert.equal(text.trim().split('\n').length, 1);
  });

  it('explains wrong arguments', async () => {
    const wrong = [
      ['--port', 'x'],
      ['--nonsense'],
      ['--port', '1', '--socket', '/tmp/x'],
      ['--worker'],
      ['--idle-exit', '-1'],
    ];
    for (const args of wrong) {
      const { code, text } = await outcome(folder(), args);
      assert.equal(code, 2, args.join(' '));
      assert.match(text, /Usage:/);
    }
  });

  it('opens the only workspace of its folder with a new key', async () => {
    const place = folder();
    const first = await RunningService.start({
      folder: place,
      environment: { PROMPT_TABLES_API_KEY: firstKey },
    });
    const { table } = await first.api.expect(201, 'POST', '/api/public/v2/tables', {
      title: 'kept',
    });
    await first.stop();
    const second = await RunningService.start({
      folder: place,
      args: ['--port', '0', '--api-key', 'a-new-key'],
    });
    try {
      assert.equal((await second.api.call('GET', '/api/public/v2/tables')).status, 401);
      const found = await second.withKey('a-new-key').get(`/api/public/v2/tables/${table.id}`);
      assert.equal(found.table.title, 'kept');
    } finally {
      await second.stop();
    }
  });
});
