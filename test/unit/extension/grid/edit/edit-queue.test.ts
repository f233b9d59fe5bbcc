/** Many edits through a service that refuses, reorders, answers late or goes away. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { NetworkError, ValidationError } from '../../../../../src/core/index.ts';
import type { CellChange, ManyWrite } from '../../../../../src/extension/grid/edit/edits.ts';
import { Edits } from '../../../../../src/extension/grid/edit/edits.ts';
import { Journal } from '../../../../../src/extension/grid/edit/journal.ts';
import type { UnsavedChange } from '../../../../../src/protocol/grid-edits.ts';
import { t } from '../editor-host.ts';
import { until } from '../../../../support/until.ts';

const columnId = 'c';
const never = new AbortController().signal;

/** A service that holds texts. `trouble` decides about each request. */
class Service {
  readonly cells = new Map<number, string | null>();
  readonly refused = new Set<number>();
  requests = 0;
  trouble: () => Error | undefined = () => undefined;
  pauseMs: () => number = () => 0;

  async #arrive(): Promise<void> {
    this.requests += 1;
    await new Promise((resolve) => setTimeout(resolve, this.pauseMs()));
    const error = this.trouble();
    if (error !== undefined) throw error;
  }

  async read(rowIndex: number): Promise<{ cellId: string; text: string | null }> {
    await this.#arrive();
    return { cellId: String(rowIndex), text: this.cells.get(rowIndex) ?? null };
  }

  async write(
    rowIndex: number,
    text: string | null,
  ): Promise<{ version: number; staleCount: number }> {
    await this.#arrive();
    if (this.refused.has(rowIndex)) throw new ValidationError('not this one');
    this.cells.set(rowIndex, text);
    return { version: 1, staleCount: 0 };
  }

  async writeMany(writes: readonly ManyWrite[]) {
    await this.#arrive();
    return writes.map(({ rowIndex, text, base }) => {
      if (this.refused.has(rowIndex))
        return { outcome: 'refused', message: 'not this one' } as const;
      const held = this.cells.get(rowIndex) ?? '';
      if (base !== undefined && held !== (base ?? '') && held !== text) {
        return { outcome: 'alone' } as const;
      }
      this.cells.set(rowIndex, text);
      return { outcome: 'saved' } as const;
    });
  }
}

describe('many edits on their way', function () {
  this.timeout(60_000);
  let folder: string;
  const open: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pt-queue-'));
  });
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
    await rm(folder, { recursive: true, force: true });
  });

  function newEdits(service: Service, takesMany: boolean, reported: UnsavedChange[] = []): Edits {
    const journal = new Journal({ folder, onFault: (fault) => assert.fail(String(fault)) });
    const edits = new Edits({
      ...{ journal, t },
      read: ({ rowIndex }) => service.read(rowIndex),
      write: (_id, text, _signal, { rowIndex }) => service.write(rowIndex, text),
      ...(takesMany && { writeMany: (writes: readonly ManyWrite[]) => service.writeMany(writes) }),
      knownCellId: ({ rowIndex }) => String(rowIndex),
      onUnsaved: (change) => void reported.push(change),
      onSaved: () => undefined,
      onFault: (fault) => assert.fail(String(fault)),
      firstPauseMs: 1,
      longestPauseMs: 4,
    });
    open.push(async () => {
      edits.dispose();
      await journal.close();
    });
    return edits;
  }

  const changes = (count: number, text = (row: number) => `new ${String(row)}`): CellChange[] =>
    Array.from({ length: count }, (_, rowIndex) => ({
      ...{ columnId, rowIndex, text: text(rowIndex), base: null },
    }));

  it('saves each once whatever the service does, and counts what it has not taken', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          takesMany: fc.boolean(),
          count: fc.integer({ min: 1, max: 60 }),
          refused: fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { maxLength: 5 }),
          theirs: fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { maxLength: 5 }),
          away: fc.array(fc.boolean(), { maxLength: 12 }),
          late: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 7 }),
        }),
        async ({ takesMany, count, refused, theirs, away, late }) => {
          const service = new Service();
          for (const row of refused) service.refused.add(row);
          for (const row of theirs) service.cells.set(row, 'theirs');
          const turns = [...away];
          service.trouble = () => (turns.shift() === true ? new NetworkError('away') : undefined);
          let turn = 0;
          service.pauseMs = () => late[turn++ % late.length] ?? 0;
          const edits = newEdits(service, takesMany);
          const outcome = await edits.editMany(changes(count), { stop: never });
          const conflicts = theirs.filter((row) => row < count);
          const refusals = refused.filter((row) => row < count && !theirs.includes(row));
          const both = refused.filter((row) => theirs.includes(row) && row < count).length;
          const open = conflicts.length + refusals.length;
          assert.deepEqual(outcome, { saved: count - open, open, dropped: 0 });
          for (let row = 0; row < count; row += 1) {
            const isMine = !conflicts.includes(row) && !refusals.includes(row);
            const held = service.cells.get(row);
            assert.equal(
              held,
              isMine ? `new ${String(row)}` : theirs.includes(row) ? 'theirs' : undefined,
            );
          }
          const { conflict, refused: notTaken, sending, waiting } = edits.counts;
          assert.deepEqual([sending, waiting, conflict + notTaken], [0, 0, open]);
          assert.ok(both >= 0);
          await edits.discard();
        },
      ),
      { numRuns: 60 },
    );
    assert.deepEqual(await readdir(folder), []);
  });

  it('costs one request for hundreds, and tells little of 100,000', async () => {
    const service = new Service();
    const reported: UnsavedChange[] = [];
    const edits = newEdits(service, true, reported);
    const before = process.memoryUsage().heapUsed;
    const began = performance.now();
    const outcome = await edits.editMany(changes(100_000), { stop: never });
    const tookMs = performance.now() - began;
    assert.deepEqual(outcome, { saved: 100_000, open: 0, dropped: 0 });
    const bytes = reported.reduce((sum, change) => sum + JSON.stringify(change).length, 0);
    const heap = process.memoryUsage().heapUsed - before;
    console.log(
      `      100,000 edits: ${String(service.requests)} requests, ${String(reported.length)} messages, ` +
        `${String(Math.round(bytes / 1024))} KB told, ${String(Math.round(tookMs))} ms, ` +
        `${String(Math.round(heap / 1_048_576))} MB of heap`,
    );
    assert.equal(service.requests, 200);
    // As often as the time allows that it took, and each time little.
    assert.ok(reported.length < 3 + tookMs / 100, `${String(reported.length)} messages`);
    assert.ok(bytes < 60_000 * reported.length, `${String(bytes)} bytes told`);
  });

  it('tells of 100,000 that wait how many they are, and names the first', async () => {
    const service = new Service();
    service.trouble = () => new NetworkError('away');
    const reported: UnsavedChange[] = [];
    const edits = newEdits(service, true, reported);
    const stopping = new AbortController();
    const editing = edits.editMany(changes(100_000), { stop: stopping.signal });
    await until('all of them wait', () => edits.counts.waiting === 100_000);
    assert.ok(edits.unsaved.length <= 2000, String(edits.unsaved.length));
    const bytes = reported.reduce((sum, change) => sum + JSON.stringify(change).length, 0);
    assert.ok(bytes < 3_000_000, `${String(bytes)} bytes told`);
    stopping.abort();
    // What is under way at that moment is not called off: it waits for its answer.
    service.trouble = () => undefined;
    const outcome = await editing;
    assert.equal(outcome.saved + outcome.dropped, 100_000);
    assert.equal(edits.underWay, 0);
  });

  it('counts none as left that may have been changed when it was stopped', async () => {
    for (const [fault, isUnsure] of [
      [() => new NetworkError('The connection was reset.'), true],
      [
        () =>
          new NetworkError('away', {
            cause: Object.assign(new Error('refused'), {
              code: 'ECONNREFUSED',
              syscall: 'connect',
            }),
          }),
        false,
      ],
    ] as const) {
      const service = new Service();
      const stopping = new AbortController();
      service.trouble = () => {
        stopping.abort();
        return fault();
      };
      const edits = newEdits(service, true);
      const { saved, open, dropped } = await edits.editMany(changes(700), {
        stop: stopping.signal,
      });
      assert.equal(saved + open + dropped, 700);
      assert.equal(open > 0, isUnsure);
      assert.equal(edits.counts.refused, open);
      for (const { message } of edits.unsaved)
        assert.match(String(message), /may have been changed/);
      // What is decided about them is sent, or given up, as with any other.
      service.trouble = () => undefined;
      await edits.resolveAll('refused', 'mine', { stop: never });
      assert.equal(service.cells.size, open);
      assert.equal(edits.underWay, 0);
    }
  });

  it('stops an undo half-way: what was undone is told, and the rest can still be undone', async () => {
    const service = new Service();
    const edits = newEdits(service, false);
    await edits.editMany(changes(60), { stop: never });
    service.pauseMs = () => 2;
    const stopping = new AbortController();
    const undone = await edits.retrace('undo', {
      stop: stopping.signal,
      onProgress: (done) => {
        if (done >= 10) stopping.abort();
      },
    });
    const { saved = 0, dropped = 0 } = undone?.many ?? {};
    assert.ok(saved >= 10 && dropped > 0 && saved + dropped === 60, JSON.stringify(undone));
    assert.equal([...service.cells.values()].filter((text) => text === null).length, saved);
    await edits.retrace('undo');
    assert.ok([...service.cells.values()].every((text) => text === null));
    await edits.retrace('redo');
    await edits.retrace('redo');
    assert.ok([...service.cells].every(([row, text]) => text === `new ${String(row)}`));
  });

  it('puts all that were refused once more, and gives them up when told', async () => {
    const service = new Service();
    for (const row of [3, 4, 5]) service.refused.add(row);
    const edits = newEdits(service, true);
    assert.equal((await edits.editMany(changes(10), { stop: never })).open, 3);
    service.refused.delete(3);
    const again = await edits.resolveAll('refused', 'mine', { stop: never });
    assert.deepEqual(again, { saved: 1, open: 2, dropped: 0 });
    await edits.resolveAll('refused', 'theirs', { stop: never });
    assert.deepEqual(edits.counts, { sending: 0, waiting: 0, conflict: 0, refused: 0 });
    assert.deepEqual(await readdir(folder), []);
  });
});
