/** The journal under crashes at any byte, full disks, and very many edits. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { readJournal } from '../../../../src/extension/grid/edit/journal-records.ts';
import {
  countInJournals,
  removeJournals,
  sheetsLeftBehind,
} from '../../../../src/extension/grid/edit/journal-files.ts';
import { Journal } from '../../../../src/extension/grid/edit/journal.ts';
import type { JournalEntry } from '../../../../src/extension/grid/edit/journal.ts';

const since = '2026-11-27T00:00:00.000Z';
const entry = (rowIndex: number, text: string | null): JournalEntry => ({
  ...{ columnId: 'c', rowIndex, text, base: 'before', since },
});
const head = { connectionId: 'local', tableId: 't', sheetId: 's' };

type Step =
  | { readonly kind: 'put'; readonly rows: readonly number[]; readonly text: string }
  | { readonly kind: 'drop'; readonly rows: readonly number[] }
  | { readonly kind: 'draft'; readonly text: string | null };

const rows = fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 6 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    rows,
    text: fc.string({ unit: 'binary', maxLength: 12 }),
  }),
  fc.record({ kind: fc.constant('drop' as const), rows }),
  fc.record({ kind: fc.constant('draft' as const), text: fc.option(fc.string()) }),
);

describe('the journal, whatever happens', function () {
  this.timeout(60_000);
  let folder: string;
  const faults: unknown[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pt-faults-'));
    faults.length = 0;
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  const journal = (pid: number, within = folder): Journal =>
    new Journal({
      ...{ folder: within, head, pid },
      isRunning: (other) => other === 222,
      onFault: (fault) => faults.push(fault),
    });

  const take = (kept: Map<number, string>, one: Step): void => {
    if (one.kind === 'put') for (const row of one.rows) kept.set(row, one.text);
    if (one.kind === 'drop') for (const row of one.rows) kept.delete(row);
  };
  const carryOut = async (on: Journal, one: Step): Promise<void> => {
    if (one.kind === 'put') await on.put(one.rows.map((row) => entry(row, one.text)));
    if (one.kind === 'drop') await on.drop(one.rows.map((row) => entry(row, null)));
    if (one.kind === 'draft') {
      const { text } = one;
      const place = { columnId: 'c', rowIndex: 1, position: 1, base: null, since };
      await on.keepDraft(text === null ? null : { ...place, text });
    }
  };

  it('gives the next window what is kept, after any steps and a crash', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const within = await mkdtemp(path.join(folder, 'run-'));
        const kept = new Map<number, string>();
        let draft: string | null = null;
        const killed = journal(111, within);
        for (const one of steps) {
          await carryOut(killed, one);
          take(kept, one);
          if (one.kind === 'draft') draft = one.text;
        }
        const left = await journal(222, within).adopt();
        assert.deepEqual(new Map(left.entries.map(({ rowIndex, text }) => [rowIndex, text])), kept);
        assert.equal(left.draft?.text ?? null, draft);
        assert.deepEqual(faults, []);
      }),
      { numRuns: 60 },
    );
  });

  it('holds the steps before a cut, wherever a crash has cut the file', async () => {
    const killed = journal(111);
    const states: { readonly bytes: number; readonly kept: Map<number, string> }[] = [];
    const kept = new Map<number, string>();
    for (let at = 0; at < 25; at += 1) {
      const one: Step =
        at % 4 === 3
          ? { kind: 'drop', rows: [at % 7] }
          : { kind: 'put', rows: [at % 7, (at * 3) % 7], text: `ü “${String(at)}”\n` };
      await carryOut(killed, one);
      take(kept, one);
      const [name = ''] = await readdir(folder);
      states.push({ bytes: (await stat(path.join(folder, name))).size, kept: new Map(kept) });
    }
    const [name = ''] = await readdir(folder);
    const whole = await readFile(path.join(folder, name));
    for (let cut = states[0]?.bytes ?? 0; cut <= whole.length; cut += 1) {
      const { contents, faults: wrong } = await readJournal([
        whole.subarray(0, Math.floor(cut / 2)),
        whole.subarray(Math.floor(cut / 2), cut),
      ]);
      const before = states.findLast(({ bytes }) => bytes <= cut);
      const found = new Map([...contents.entries.values()].map((one) => [one.rowIndex, one.text]));
      assert.deepEqual(found, before?.kept, `cut after ${String(cut)} bytes`);
      assert.deepEqual(wrong, []);
    }
  });

  it('keeps what can be read of a file with a broken line, and the file', async () => {
    const killed = journal(111);
    await killed.put([entry(1, 'one')]);
    await killed.put([entry(2, 'two')]);
    const [name = ''] = await readdir(folder);
    const file = path.join(folder, name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('["put",{"columnId":"c","rowIndex":1', '["put",{"col'));
    const left = await journal(222).adopt();
    assert.deepEqual(
      left.entries.map(({ text: kept }) => kept),
      ['two'],
    );
    assert.equal(faults.length, 1);
    assert.ok((await readdir(folder)).some((one) => one.endsWith('.unreadable')));
  });

  it('writes everything anew after the disk was full', async () => {
    const file = path.join(folder, 'occupied');
    await writeFile(file, '');
    // A folder that can't be made stands for a disk that takes nothing.
    const on = journal(111, path.join(file, 'sheet'));
    await assert.rejects(on.put([entry(1, 'one')]));
    await rm(file);
    await on.put([entry(2, 'two')]);
    const left = await journal(222, path.join(file, 'sheet')).adopt();
    assert.deepEqual(left.entries.map(({ text }) => text).sort(), ['one', 'two']);
  });

  it('takes 100,000 edits in linear bytes, and becomes small as they are acknowledged', async () => {
    const on = journal(111);
    const count = 100_000;
    const all = Array.from({ length: count }, (_, row) => entry(row, `text ${String(row)}`));
    const began = performance.now();
    await on.put(all);
    const perEntry = on.size / count;
    assert.ok(perEntry < 130, `${String(perEntry)} bytes for each`);
    let largest = on.size;
    let last = on.size;
    let written = on.size;
    for (let start = 0; start < count; start += 500) {
      await on.drop(all.slice(start, start + 500));
      // Less than before: it has been written anew.
      written += on.size > last ? on.size - last : on.size;
      last = on.size;
      largest = Math.max(largest, on.size);
    }
    const tookMs = performance.now() - began;
    console.log(
      `      100,000 edits kept and dropped in ${String(Math.round(tookMs))} ms, ` +
        `${String(Math.round(written / 1024))} KB written`,
    );
    assert.ok(written < count * perEntry * 4, `${String(written)} bytes written`);
    assert.ok(largest < count * perEntry * 2, `${String(largest)} bytes`);
    assert.deepEqual(await readdir(folder), []);
  });

  it('names the sheets of dead windows that have work, not those with a draft only', async () => {
    const root = folder;
    const draft = { columnId: 'c', rowIndex: 1, position: 1, text: 'x', base: null, since };
    await journal(111, path.join(root, 'a')).put([entry(1, 'one')]);
    await journal(111, path.join(root, 'b')).keepDraft(draft);
    await journal(222, path.join(root, 'c')).put([entry(1, 'of a running window')]);
    const work = { id: 'w', since, kind: 'addRows', rowsToAdd: 3 } as const;
    const other = new Journal({
      ...{ folder: path.join(root, 'd'), head: { ...head, sheetId: 'other' }, pid: 111 },
      onFault: (fault) => faults.push(fault),
    });
    await other.begin(work);
    const found = await sheetsLeftBehind(root, (pid) => pid === 222);
    assert.deepEqual(found.map(({ sheetId }) => sheetId).sort(), ['other', 's']);
  });

  it('are counted before a workspace is removed, whoever has left them, and then all removed', async () => {
    const root = folder;
    const draft = { columnId: 'c', rowIndex: 1, position: 1, text: 'x', base: null, since };
    const closed = journal(111, path.join(root, 'a'));
    await closed.put([entry(1, 'in conflict'), entry(2, 'refused')]);
    await closed.close();
    await journal(222, path.join(root, 'b')).keepDraft(draft);
    await journal(222, path.join(root, 'open')).put([entry(1, 'counted by its session')]);
    const stranger = new Journal({
      ...{ folder: path.join(root, 'd'), head: { ...head, connectionId: 'other' }, pid: 111 },
      onFault: (fault) => faults.push(fault),
    });
    await stranger.put([entry(1, 'of another workspace')]);
    const { connectionId } = head;
    assert.equal(await countInJournals(root, connectionId, new Set(['open'])), 3);
    await removeJournals(root, connectionId);
    assert.equal(await countInJournals(root, connectionId, new Set()), 0);
    assert.equal(await countInJournals(root, 'other', new Set()), 1);
  });
});
