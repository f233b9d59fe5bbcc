import assert from 'node:assert/strict';
import { NotFoundError } from '../../../../src/core/index.ts';
import { computedCounts } from '../../../../src/extension/grid/run/operation-progress.ts';
import { SheetPresence } from '../../../../src/extension/grid/sheet-presence.ts';
import { tabTitle } from '../../../../src/extension/grid/tab-title.ts';
import { testEditorHost } from './editor-host.ts';

const signal = new AbortController().signal;

describe('an open sheet follows the service', () => {
  function presence() {
    let now = 0;
    let reads = 0;
    const reported: string[] = [];
    const names = { sheet: 'Answers', table: 'Support', rowCount: 1 };
    const one = new SheetPresence({
      source: {
        titles: async () => {
          reads += 1;
          return { ...names };
        },
      },
      editorHost: testEditorHost(),
      changed: () => reported.push(`${one.titles?.sheet} ${one.isGone}`),
      now: () => now,
    });
    return {
      ...{ one, names, reported },
      reads: () => reads,
      later: (ms: number) => (now += ms),
    };
  }

  it('in its names, without asking at every look', async () => {
    const { one, names, reported, reads, later } = presence();
    await one.read(signal);
    names.sheet = 'Renamed';
    await one.follow(signal);
    assert.equal(reads(), 1);
    later(20_000);
    await one.follow(signal);
    assert.deepEqual(reported, ['Renamed false']);
    names.table = 'Other';
    one.expire();
    await one.follow(signal);
    assert.equal(reported.length, 2);
    assert.equal(reads(), 3);
  });

  it('when it is deleted, and when it is back', async () => {
    const { one, reported } = presence();
    await one.read(signal);
    const missing = new NotFoundError('GET /api/public/v2/tables/t/sheets/s: 404');
    assert.equal(one.problemOf(new Error("The service can't be reached.")), undefined);
    assert.doesNotThrow(() => one.check());
    const problem = one.problemOf(missing);
    assert.equal(problem?.isGone, true);
    assert.match(problem.message, /deleted/);
    assert.throws(() => one.check(), /This sheet was deleted. Its cells can't be changed/);
    assert.match(String(one.named(missing)), /This sheet was deleted\./);
    const column = { id: 'a', editable: true } as never;
    assert.equal(one.columns([column])[0]?.editable, false);
    await one.follow(signal);
    assert.doesNotThrow(() => one.check());
    assert.equal(one.named(missing), missing);
    assert.deepEqual(reported, ['Answers true', 'Answers false']);
  });

  it('counts the cells that are computed, however the service counts', () => {
    const columns = [{ computed: true }, { computed: false }];
    const sheet = { columns, rowCount: 201 };
    const counts = { completed: 249, queued: 68, stale: 85 };
    const right = { completed: 48, queued: 68, stale: 85 };
    assert.deepEqual(computedCounts(counts, 402, sheet), right);
    assert.deepEqual(computedCounts(counts, undefined, sheet), right);
    // A service that leaves typed cells out.
    assert.deepEqual(computedCounts(right, 201, sheet), right);
    // Nothing is computed: nothing is said.
    const typed = { columns: [{ computed: false }], rowCount: 5000 };
    assert.deepEqual(computedCounts({ completed: 5000 }, 5000, typed), {});
    assert.deepEqual(computedCounts(counts, 402, { columns, rowCount: undefined }), counts);
  });

  it('names its tab, and no name fills the bar of tabs', () => {
    assert.equal(tabTitle('Answers', 'Support'), 'Answers — Support');
    assert.equal(tabTitle('Answers'), 'Answers');
    const long = 'x'.repeat(250);
    assert.ok(tabTitle(long, long).length <= 75);
    assert.doesNotThrow(() => encodeURIComponent(tabTitle('🎉'.repeat(60))));
  });
});
