import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Journal, type JournalEntry } from '../../../../../src/extension/grid/edit/journal.ts';

const entry = (
  rowIndex: number,
  text: string,
  since = '2026-11-27T00:00:00.000Z',
): JournalEntry => ({
  columnId: 'c',
  rowIndex,
  text,
  base: 'before',
  since,
});

describe('the journal of unsaved edits', () => {
  let folder: string;
  const faults: unknown[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pt-journal-'));
    faults.length = 0;
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  const journal = (pid = process.pid, isRunning: (pid: number) => boolean = () => true): Journal =>
    new Journal({ folder, pid, isRunning, onFault: (fault) => faults.push(fault) });

  it('hands the edits of a dead window to the next one, once', async () => {
    await journal(111).put([entry(1, 'one'), entry(2, 'two')]);
    const isRunning = (pid: number): boolean => pid !== 111;
    const found = await Promise.all([journal(1, isRunning).adopt(), journal(2, isRunning).adopt()]);
    assert.deepEqual(
      found.flatMap(({ entries }) => entries).map(({ text }) => text),
      ['one', 'two'],
    );
  });

  it('keeps what it adopted on disk until it is written anew', async () => {
    await journal(111).put([entry(1, 'one')]);
    await journal(222, (pid) => pid !== 111).adopt();
    const third = journal(333, () => false);
    assert.deepEqual(
      (await third.adopt()).entries.map(({ text }) => text),
      ['one'],
    );
    await third.drop([entry(1, ''), entry(5, '')]);
    assert.deepEqual(await readdir(folder), []);
  });

  it('leaves the edits of a running window alone, unless it has been silent too long', async () => {
    await journal(111).put([entry(1, 'one')]);
    assert.deepEqual((await journal(2).adopt()).entries, []);
    const [name] = await readdir(folder);
    const longAgo = new Date(Date.now() - 3_600_000);
    await utimes(path.join(folder, name!), longAgo, longAgo);
    assert.equal((await journal(2).adopt()).entries.length, 1);
  });

  it('can be adopted by the same process after it was closed', async () => {
    const first = journal();
    await first.put([entry(1, 'one')]);
    await first.close();
    assert.equal((await journal().adopt()).entries.length, 1);
  });

  it('takes the later of two edits of the same cell', async () => {
    await journal(111).put([entry(1, 'later', '2026-11-27T02:00:00.000Z')]);
    await journal(222).put([entry(1, 'earlier', '2026-11-27T01:00:00.000Z')]);
    const found = await journal(3, () => false).adopt();
    assert.deepEqual(
      found.entries.map(({ text }) => text),
      ['later'],
    );
  });

  it('puts an unreadable file aside and says so', async () => {
    await writeFile(path.join(folder, '111-x.json'), '{"format":1,"entries":[{"text":');
    assert.deepEqual((await journal(2, () => false).adopt()).entries, []);
    assert.equal(faults.length, 1);
    const [name = ''] = await readdir(folder);
    assert.ok(name.endsWith('.unreadable'));
    assert.ok((await readFile(path.join(folder, name), 'utf8')).includes('"text"'));
  });

  it('survives the death of its process without warning', async () => {
    const module = path.resolve(
      import.meta.dirname,
      '../../../../../src/extension/grid/edit/journal.ts',
    );
    const script = `
      const { Journal } = await import(${JSON.stringify(module)});
      const journal = new Journal({ folder: ${JSON.stringify(folder)}, onFault: console.error });
      await journal.put([${JSON.stringify(entry(5, 'typed and not sent'))}]);
      process.kill(process.pid, 'SIGKILL');
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: 'inherit',
    });
    const signalCode = await new Promise((resolve) => {
      child.once('exit', (_code, killedBy) => resolve(killedBy));
    });
    assert.equal(signalCode, 'SIGKILL');
    const next = new Journal({ folder, onFault: (fault) => faults.push(fault) });
    assert.deepEqual(
      (await next.adopt()).entries.map(({ text, base }) => ({ text, base })),
      [{ text: 'typed and not sent', base: 'before' }],
    );
    assert.deepEqual(faults, []);
    await next.drop([entry(1, ''), entry(5, '')]);
  });
});
