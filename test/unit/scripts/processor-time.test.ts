/** Which step of npm test used the processors. */
import assert from 'node:assert/strict';
import { run } from '../../../scripts/child.mjs';
import {
  processorTable,
  secondsOfEnded,
  withProcessorTime,
} from '../../../scripts/processor-time.mjs';

describe('Processor time of steps', () => {
  it('is read from the children that ended, whatever the program is called', () => {
    const fields = '1 2 3 4 5 6 7 8 9 10 11 12 250 150 20 0 7';
    assert.equal(secondsOfEnded(`812 (node) S ${fields}`), 4);
    assert.equal(secondsOfEnded(`812 (a) b (c) S ${fields}`), 4);
  });

  it('goes to the step whose child used it', async function () {
    if (process.platform !== 'linux') this.skip();
    const child = (work: string) => () =>
      run(process.execPath, ['-e', work], { quiet: true }).then(({ code }) => code);
    const busy =
      'const end = process.cpuUsage().user + 6e5; while (process.cpuUsage().user < end);';
    const idle = await withProcessorTime(child(''));
    const used = await withProcessorTime(child(busy));
    assert.deepEqual([idle.result, used.result], [0, 0]);
    assert.ok((used.processorSeconds ?? 0) >= 0.6, String(used.processorSeconds));
    const both = (idle.processorSeconds ?? 0) + (used.processorSeconds ?? 0);
    assert.ok(both > (used.processorSeconds ?? both), 'each to its own');
  });

  it('is listed with the largest first and the sum, or not at all', () => {
    const table = processorTable([
      { name: 'small', seconds: 9, processorSeconds: 1.5 },
      { name: 'large', seconds: 2, processorSeconds: 20.25 },
    ]);
    assert.deepEqual(table.split('\n').slice(1, -1), [
      '     20.3  large (2.0 s)',
      '      1.5  small (9.0 s)',
      '     21.8  in all',
    ]);
    assert.equal(processorTable([{ name: 'a', seconds: 1, processorSeconds: undefined }]), '');
  });
});
