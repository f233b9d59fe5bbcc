import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runBackupCommand } from '../../src/service/backup/command.ts';
import { newPostgresDatabase, type OwnDatabase } from '../support/postgres.ts';
import { compileCache, serviceEntry } from '../support/service-entry.ts';
import type { Api, SheetPlace } from './support/api.ts';
import { ended, newFolder, RunningService } from './support/running-service.ts';
import { until } from '../support/until.ts';

async function command(
  args: readonly string[],
  databaseUrl?: string,
): Promise<{ code: number | null; text: string }> {
  const { DATABASE_URL: _, ...environment } = process.env;
  const child = spawn(process.execPath, [serviceEntry, ...args], {
    env: {
      ...environment,
      ...compileCache,
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  }
  const { code } = await ended(child);
  return { code, text };
}

async function succeeds(args: readonly string[], databaseUrl?: string): Promise<string> {
  const { code, text } = await command(args, databaseUrl);
  assert.equal(code, 0, text);
  return text;
}

const odd = 'a\n"zero \0 in it"\n"😀 ẞ\nsecond line"\n0.1\n-12345678901234567890\n""\n';

/** A sheet with a computed column, all of it computed. */
async function makeSheet(api: Api): Promise<SheetPlace> {
  const sheet = await api.sheetOf(odd);
  await api.expect(201, 'POST', `${sheet.path}/columns`, {
    title: 'Length',
    type: 'COUNT',
    config: { source: 'a', type: 'chars' },
  });
  const { operation_id: id } = await api.expect(202, 'POST', `${sheet.path}/operations`, {});
  await until(
    'the cells are computed',
    async () => (await api.get(`${sheet.path}/operations/${id}`)).operation.status === 'completed',
  );
  return sheet;
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

/** A trace whose spans hold what databases differ in, one of them closed and logged as a request. */
async function makeTrace(api: Api): Promise<void> {
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const attributes = [
    text('odd', 'zero \0 in it, half \ud83d pair'),
    { key: 'exact', value: { intValue: '-9007199254740993' } },
    text('gen_ai.request.model', 'gpt-4o'),
  ];
  const span = {
    traceId,
    spanId: '00f067aa0ba902b7',
    name: 'zero \0 in it',
    startTimeUnixNano: '1772359200000000001',
    attributes,
  };
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
  await api.expect(200, 'POST', '/v1/traces?close_after=true', body);
}

const traceOf = async (api: Api): Promise<string> =>
  (await api.call('GET', `/api/public/v2/traces/${traceId}`)).text;

const rowsOf = async (api: Api, sheet: SheetPlace): Promise<unknown> =>
  (await api.get(`${sheet.path}/rows?limit=100`)).data;

describe('Back-ups of the local service', function () {
  this.timeout(60_000);
  const folders: string[] = [];
  const folder = (): string => {
    const made = newFolder();
    folders.push(made);
    return made;
  };
  const services: RunningService[] = [];
  const start = async (place: string): Promise<RunningService> => {
    const service = await RunningService.start({ folder: place });
    services.push(service);
    return service;
  };
  let source: RunningService;
  let sheet: SheetPlace;
  let file = '';

  before(async () => {
    source = await start(folder());
    sheet = await makeSheet(source.api);
    await makeTrace(source.api);
    file = path.join(folder(), 'kept');
    await runBackupCommand('backup', ['--data', source.folder, '--to', file], {});
  });
  after(async () => {
    for (const service of services) await service.stop();
    for (const made of folders) rmSync(made, { recursive: true, force: true });
  });

  it('are made while the service writes, and hold one moment of it', async () => {
    const stopping = new AbortController();
    const { path: place } = await source.api.newSheet();
    const write = () => source.api.expect(201, 'POST', `${place}/rows`, { count: 3 });
    await write();
    // From here on one write is always under way, however slow the machine.
    const writing = (async () => {
      while (!stopping.signal.aborted) await write();
    })();
    const made = path.join(folder(), 'made');
    const text = await runBackupCommand('backup', ['--data', source.folder, '--to', made], {});
    stopping.abort();
    await writing;
    assert.match(text, /SHA-256 [0-9a-f]{64}/);
    assert.deepEqual(readdirSync(path.dirname(made)), ['made'], 'nothing else is left');
    assert.equal(statSync(made).mode & 0o777, 0o600);
    const [line] = readFileSync(made).toString('latin1').split('\n');
    assert.equal((JSON.parse(line!) as { format: string }).format, 'prompt-tables-backup');
    const again = runBackupCommand('backup', ['--data', source.folder, '--to', made], {});
    await assert.rejects(again, /exists\. Select another name/);
  });

  it('come back in an empty folder: the same keys open the same rows', async () => {
    const place = path.join(folder(), 'new');
    await succeeds(['restore', '--from', file, '--data', place]);
    const copy = new DatabaseSync(path.join(place, 'tables.db'), { readOnly: true });
    const counted = copy.prepare(
      'select s.row_count as said, (select count(*) from rows r where r.sheet_key = s.key) as found from sheets s',
    );
    for (const { said, found } of counted.all()) assert.equal(said, found);
    copy.close();
    const restored = await start(place);
    assert.deepEqual(await rowsOf(restored.api, sheet), await rowsOf(source.api, sheet));
    assert.equal(await traceOf(restored.api), await traceOf(source.api));
    await makeSheet(restored.api);
  });

  it('do not touch a folder that is in use, or that holds something, unless they are told to', async () => {
    const used = runBackupCommand('restore', ['--from', file, '--data', source.folder], {});
    await assert.rejects(used, /is not empty/);
    const busy = await command(['restore', '--from', file, '--data', source.folder, '--replace']);
    assert.equal(busy.code, 3);
    const place = folder();
    const other = await start(place);
    await other.api.newSheet();
    await other.kill('SIGKILL');
    assert.ok(existsSync(path.join(place, 'tables.db-wal')), 'a log of the old data is there');
    await runBackupCommand('restore', ['--from', file, '--data', place, '--replace'], {});
    const replaced = await start(place);
    assert.deepEqual(await rowsOf(replaced.api, sheet), await rowsOf(source.api, sheet));
  });

  it('that are damaged are refused before anything changes', async () => {
    const bytes = readFileSync(file);
    const flipped = Buffer.from(bytes);
    const middle = Math.floor(bytes.length / 2);
    // A single bit may stand for the same data, where pages are empty.
    for (let at = middle; at < middle + 64; at += 1) flipped[at] = flipped[at]! ^ 0x5a;
    const wrongSum = Buffer.from(
      bytes.toString('latin1').replace(/"sha256":"./, (text) => `${text.slice(0, -1)}z`),
      'latin1',
    );
    for (const [kind, broken] of Object.entries({
      flipped,
      wrongSum,
      short: bytes.subarray(0, middle),
      other: Buffer.from('x\n'),
    })) {
      const place = folder();
      const damaged = path.join(folder(), 'damaged');
      writeFileSync(damaged, broken);
      const restoring = runBackupCommand('restore', ['--from', damaged, '--data', place], {});
      await assert.rejects(restoring, /is damaged|is not a backup/, kind);
      assert.deepEqual(readdirSync(place), [], 'The folder is as it was.');
      const fresh = path.join(folder(), 'not', 'there');
      const again = runBackupCommand('restore', ['--from', damaged, '--data', fresh], {});
      await assert.rejects(again, /is damaged|is not a backup/, kind);
      assert.ok(!existsSync(path.dirname(fresh)), 'nor is one left that was not there');
      await runBackupCommand('restore', ['--from', file, '--data', place], {});
    }
  });

  it('come back where a restore of an earlier version has failed and left its lock', async () => {
    const place = folder();
    for (const name of ['lock.db', 'lock.json']) writeFileSync(path.join(place, name), '');
    await runBackupCommand('restore', ['--from', file, '--data', place], {});
    assert.ok(existsSync(path.join(place, 'tables.db')));
  });

  it('say what is missing', async () => {
    const empty = folder();
    mkdirSync(path.join(empty, 'sub'));
    for (const [name, args, pattern] of [
      ['backup', ['--data', empty], /--to is missing/],
      ['backup', ['--data', empty, '--to', path.join(empty, 'x')], /holds no data/],
      ['move', ['--data', empty], /Set DATABASE_URL/],
      ['move', ['--data', empty, '--to', 'postgres://x'], /Set DATABASE_URL/],
      ['restore', ['--data', empty, '--from', path.join(empty, 'x')], /can't be read/],
    ] as const) {
      await assert.rejects(runBackupCommand(name, args, {}), pattern);
    }
    const inPostgres = { DATABASE_URL: 'postgres://127.0.0.1/x' };
    for (const [name, option] of [
      ['backup', '--to'],
      ['restore', '--from'],
    ] as const) {
      const refused = runBackupCommand(name, ['--data', empty, option, 'x'], inPostgres);
      await assert.rejects(refused, /pg_dump/);
    }
    const unknown = await command(['whatever', '--data', empty]);
    assert.match(unknown.text, /no command "whatever"[\s\S]*Usage: service backup/);
    assert.equal(unknown.code, 2);
  });

  describe('A move to PostgreSQL', () => {
    let database: OwnDatabase;
    let url = '';
    /** Data that no service has opened. */
    let place = '';
    beforeEach(async () => {
      database = await newPostgresDatabase();
      ({ url } = database);
      place = folder();
      await runBackupCommand('restore', ['--from', file, '--data', place], {});
    });
    afterEach(() => database.drop());

    it('takes all data along in one command; the same keys go on with it', async () => {
      const before = await start(place);
      const wanted = (await rowsOf(before.api, sheet)) as object[];
      const trace = await traceOf(before.api);
      const busy = await command(['move', '--data', place], url);
      assert.equal(busy.code, 3, busy.text);
      await before.stop();
      const text = await runBackupCommand('move', ['--data', place], { DATABASE_URL: url });
      assert.match(text, /rows of \d+ tables are in PostgreSQL/);
      const moved = await RunningService.start({ databaseUrl: url });
      try {
        const found = JSON.stringify(await rowsOf(moved.api, sheet));
        assert.equal(found, JSON.stringify(wanted));
        assert.equal(await traceOf(moved.api), trace);
        assert.match(trace, /"exact":-9007199254740993/);
        await moved.api.expect(409, 'POST', `/api/public/v2/traces/${traceId}/close`);
        // Counters go on where they were.
        await makeSheet(moved.api);
      } finally {
        await moved.stop();
      }
    });

    it('refuses a database that holds something', async () => {
      const other = await RunningService.start({ databaseUrl: url });
      await other.api.newSheet();
      await other.stop();
      const moving = runBackupCommand('move', ['--data', place], { DATABASE_URL: url });
      await assert.rejects(moving, (error: Error) => {
        assert.match(error.message, /is in use: its table \w+ has rows/);
        assert.ok(!error.message.includes(url), 'no address in the message');
        return true;
      });
    });
  });
});
