import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { NetworkError, ValidationError } from '../../../../../src/core/index.ts';
import {
  Edits,
  type FoundText,
  type SavedEdit,
} from '../../../../../src/extension/grid/edit/edits.ts';
import { Journal } from '../../../../../src/extension/grid/edit/journal.ts';
import { t } from '../editor-host.ts';
import { until } from '../../../../support/until.ts';

const cell = { columnId: 'c', rowIndex: 4 };

describe('edits on their way to the service', () => {
  let folder: string;
  let held: string | null;
  let trouble: Error | undefined;
  let writes: (string | null)[];
  let saved: SavedEdit[];
  /** Called before each write; may wait. */
  let beforeWrite: () => Promise<void>;
  /** Longer than any disk takes, but where a test is about it. */
  let patienceMs: number;
  const open: Edits[] = [];
  const journals: Journal[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pt-edits-'));
    held = 'old';
    trouble = undefined;
    writes = [];
    saved = [];
    patienceMs = 20_000;
    beforeWrite = async () => undefined;
  });
  afterEach(async () => {
    for (const edits of open.splice(0)) edits.dispose();
    for (const journal of journals.splice(0)) await journal.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** `isDead`: the window was killed, so it does nothing any more. */
  function newEdits(pid = process.pid, isDead = (): boolean => false): Edits {
    const onFault = (fault: unknown): void => assert.fail(String(fault));
    const journal = new Journal({ folder, pid, isRunning: (other) => other === pid, onFault });
    journals.push(journal);
    const edits = new Edits({
      journal,
      t,
      read: async (): Promise<FoundText> => {
        if (isDead()) throw new NetworkError('killed');
        if (trouble) throw trouble;
        return { cellId: 'id', text: held };
      },
      write: async (_id, text) => {
        await beforeWrite();
        if (trouble) throw trouble;
        writes.push(text);
        held = text;
        return { version: 9, staleCount: 2 };
      },
      knownCellId: () => 'id',
      onUnsaved: () => undefined,
      onSaved: (edits) => void saved.push(...edits),
      onFault,
      patienceMs,
      firstPauseMs: 20,
      longestPauseMs: 40,
    });
    open.push(edits);
    return edits;
  }

  it('is on disk before it is sent, and gone when it is acknowledged', async () => {
    const edits = newEdits();
    let onDisk: string[] = [];
    beforeWrite = async () => {
      onDisk = await readdir(folder);
    };
    const outcome = await edits.edit(cell, 'new', 'old');
    assert.deepEqual(outcome, { outcome: 'saved', version: 9, staleCount: 2, text: 'new' });
    assert.equal(onDisk.length, 1);
    assert.deepEqual(await readdir(folder), []);
    assert.deepEqual(edits.unsaved, []);
    assert.equal(saved[0]?.text, 'new');
  });

  it('waits while the service is away, and sends by itself when it is back', async () => {
    const edits = newEdits();
    trouble = new NetworkError('no route');
    const outcome = await edits.edit(cell, 'new', 'old');
    assert.equal(outcome.outcome, 'waiting');
    assert.equal(edits.unsaved[0]?.state, 'waiting');
    trouble = undefined;
    await until('all is saved', () => edits.unsaved.length === 0);
    assert.deepEqual(writes, ['new']);
  });

  it('tells the user after a while that the text is kept, and still gets it through', async () => {
    patienceMs = 50;
    const edits = newEdits();
    let release: (() => void) | undefined;
    beforeWrite = () => new Promise((resolve) => (release = resolve));
    assert.equal((await edits.edit(cell, 'new', 'old')).outcome, 'waiting');
    await until('it is being written', () => release !== undefined);
    release?.();
    await until('all is saved', () => edits.unsaved.length === 0);
    assert.deepEqual(writes, ['new']);
  });

  it('keeps a refused text and the reason', async () => {
    const edits = newEdits();
    trouble = new ValidationError('not a text cell');
    const outcome = await edits.edit(cell, 'new', 'old');
    assert.equal(outcome.outcome, 'refused');
    const [unsaved] = edits.unsaved;
    assert.equal(unsaved?.text, 'new');
    assert.match(unsaved.message ?? '', /not a text cell/);
    trouble = undefined;
    assert.equal((await edits.resolve(cell, 'mine')).outcome, 'saved');
  });

  it('shows a newer value and lets the user decide', async () => {
    const edits = newEdits();
    held = 'theirs';
    assert.deepEqual(await edits.edit(cell, 'mine', 'old'), {
      outcome: 'conflict',
      current: 'theirs',
      text: 'mine',
    });
    assert.deepEqual(writes, []);
    await edits.resolve(cell, 'theirs');
    assert.deepEqual(edits.unsaved, []);
    assert.equal(edits.canUndo, false);
    assert.equal((await edits.edit(cell, 'mine', 'old')).outcome, 'conflict');
    assert.equal((await edits.resolve(cell, 'mine')).outcome, 'saved');
    assert.deepEqual(writes, ['mine']);
  });

  it('counts an edit whose answer was lost as saved', async () => {
    const edits = newEdits();
    held = 'new';
    assert.equal((await edits.edit(cell, 'new', 'old')).outcome, 'saved');
    assert.deepEqual(writes, []);
  });

  it('sends the last text when a cell is edited again while the first is on its way', async () => {
    const edits = newEdits();
    let release: (() => void) | undefined;
    beforeWrite = () =>
      writes.length === 0 ? new Promise((resolve) => (release = resolve)) : Promise.resolve();
    const first = edits.edit(cell, 'one', 'old');
    await until('it is being written', () => release !== undefined);
    const second = edits.edit(cell, 'two', 'one');
    await new Promise((resolve) => setTimeout(resolve, 30));
    release?.();
    assert.equal((await first).outcome, 'saved');
    assert.equal((await second).outcome, 'saved');
    assert.equal(held, 'two');
  });

  it('sends what a killed window left behind, checking for newer values first', async () => {
    let isDead = false;
    const killed = newEdits(111, () => isDead);
    trouble = new NetworkError('away');
    await killed.edit(cell, 'typed', 'old');
    await killed.edit({ columnId: 'c', rowIndex: 5 }, 'other', 'seen by nobody');
    isDead = true;
    trouble = undefined;
    const next = newEdits(222);
    held = 'old';
    const { entries } = await journals.at(-1)!.adopt();
    await next.restore(entries, { stop: new AbortController().signal });
    await until('only the conflict is left', () => next.unsaved.length === 1);
    assert.ok(writes.includes('typed'));
    assert.equal(next.unsaved[0]?.state, 'conflict');
    assert.equal(next.unsaved[0].text, 'other');
  });

  it('undoes and redoes, each with the same care', async () => {
    const edits = newEdits();
    await edits.edit(cell, 'one', 'old');
    await edits.edit(cell, 'two', 'one');
    assert.deepEqual(await edits.retrace('undo'), { at: cell });
    assert.equal(held, 'one');
    await edits.retrace('undo');
    assert.equal(held, 'old');
    assert.equal(await edits.retrace('undo'), null);
    await edits.retrace('redo');
    assert.equal(held, 'one');
    held = 'theirs';
    await edits.retrace('undo');
    assert.equal(held, 'theirs');
    assert.equal(edits.unsaved[0]?.state, 'conflict');
  });

  it('says of an edit that was undone on its way what the cell holds in the end', async () => {
    const edits = newEdits();
    let release: (() => void) | undefined;
    beforeWrite = () => new Promise((resolve) => (release = resolve));
    const edited = edits.edit(cell, 'new', 'old');
    await until('it is being written', () => release !== undefined);
    beforeWrite = async () => undefined;
    const undone = edits.retrace('undo');
    release?.();
    await undone;
    const outcome = await edited;
    assert.equal(held, 'old');
    assert.deepEqual(writes, ['new', 'old']);
    assert.equal(outcome.text, 'old');
    assert.equal(saved.at(-1)?.text, 'old');
  });
});
