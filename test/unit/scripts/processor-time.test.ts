/** Which step of npm test used the processors. */
import assert from 'node:assert/strict';
import { run } from '../../../scripts/child.mjs';
import { kindOf, ProcessTree, readStat, sumOf } from '../../../scripts/process-tree.mjs';
import { processorTable, withProcessorTime } from '../../../scripts/processor-time.mjs';

const busyFor = (ms: number) =>
  `const end = process.cpuUsage().user + ${String(ms * 1000)}; while (process.cpuUsage().user < end);`;

/** Processes that are there at one look, each with its parent, its own seconds and those of ended ones. */
type Look = Readonly<Record<string, readonly [number, number, number?]>>;

function seenBy(looks: readonly Look[], told: number): Readonly<Record<string, number>> {
  const waiting = [...looks];
  const tree = new ProcessTree(() =>
    Object.entries(waiting.shift() ?? {}).map(([pid, [parent, own, waitedFor = 0]]) => ({
      stat: { pid: Number(pid), parent, session: 0, own, waitedFor, start: pid },
      kind: () => (pid === '10' ? 'tests' : 'Chromium'),
    })),
  );
  const ended = tree.follow(10);
  while (waiting.length > 0) tree.look();
  return ended(told);
}

describe('Processor time of steps', () => {
  it('is read from what Linux says of a process, whatever the program is called', () => {
    const fields = '1 812 3 4 5 6 7 8 9 10 100 50 250 150 20 0 7 8 4711';
    for (const name of ['node', 'a) b (c'])
      assert.deepEqual(readStat(`812 (${name}) S ${fields}`), {
        ...{ pid: 812, parent: 1, session: 3 },
        ...{ own: 1.5, waitedFor: 4, start: '4711' },
      });
    assert.equal(kindOf('/x/chrome-linux/headless_shell --type=renderer'), 'Chromium');
    assert.equal(kindOf('node /work/dist/service.mjs --data /tmp/a'), 'service');
    assert.equal(kindOf(''), undefined);
  });

  it('holds what nobody has waited for, and nothing twice', () => {
    // 11 is a browser that its test waits for, 12 and 13 pages that outlive it; 14 belongs to others.
    const looks = [
      { 10: [1, 1], 14: [1, 50] },
      { 10: [1, 1], 11: [10, 2], 12: [11, 3], 13: [11, 4], 14: [1, 50] },
      { 10: [1, 2, 2], 12: [1, 5], 13: [1, 4], 14: [1, 60] },
      { 10: [1, 2, 2], 14: [1, 60] },
    ] as const;
    assert.deepEqual(seenBy(looks, 4), { tests: 2, Chromium: 2 + 5 + 4 });
    // What it is told of may be more than was seen of short lives.
    assert.deepEqual(seenBy(looks.slice(0, 1), 4), { tests: 4 });
  });

  it('goes to the step whose child used it, also what that leaves behind', async function () {
    if (process.platform !== 'linux') this.skip();
    const child = (work: string) => () =>
      run(process.execPath, ['-e', work], { quiet: true }).then(({ code }) => code);
    // Its child has worked and is still there when it ends.
    const leaving = `
      const worker = require('node:child_process').spawn(process.execPath,
        ['-e', ${JSON.stringify(`${busyFor(1000)} setTimeout(() => {}, 4000);`)}], { stdio: 'ignore' });
      const look = setInterval(() => {
        const used = require('node:fs').readFileSync('/proc/' + worker.pid + '/stat', 'utf8').split(' ')[13];
        if (Number(used) < 100) return;
        clearInterval(look);
        setTimeout(() => process.exit(0), 1500);
      }, 50);`;
    // What other tests have started in this process is told with the first one that ends.
    await withProcessorTime(child(''));
    const [idle, used, left] = [
      await withProcessorTime(child('')),
      await withProcessorTime(child(busyFor(600))),
      await withProcessorTime(child(leaving)),
    ];
    const seconds = [idle, used, left].map((one) => sumOf(one.used ?? {}));
    assert.ok((seconds[1] ?? 0) >= 0.6 && (seconds[2] ?? 0) >= 1, String(seconds));
    assert.ok((seconds[0] ?? 9) < 0.6, 'each to its own');
  });

  it('is listed with the largest first, its kinds and the sum, or not at all', () => {
    const table = processorTable([
      { name: 'small', seconds: 9, used: { tests: 1.5 } },
      { name: 'large', seconds: 2, used: { tests: 0.25, Chromium: 16, service: 4 } },
    ]);
    assert.deepEqual(table.split('\n').slice(1, -1), [
      '     20.3  large (2.0 s): Chromium 16.0, service 4.0',
      '      1.5  small (9.0 s)',
      '     21.8  in all: Chromium 16.0, service 4.0, tests 1.8',
    ]);
    assert.equal(processorTable([{ name: 'a', seconds: 1, used: undefined }]), '');
  });
});
