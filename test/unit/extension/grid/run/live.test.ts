import assert from 'node:assert/strict';
import { Live } from '../../../../../src/extension/grid/run/live.ts';
import { until } from '../../../../support/until.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('following a sheet', () => {
  let looks: number;
  let isActive: boolean;
  let trouble: Error | undefined;
  let problems: unknown[];
  let recovered: number;
  let slowMs: number;
  let live: Live;

  beforeEach(() => {
    looks = 0;
    isActive = false;
    trouble = undefined;
    problems = [];
    recovered = 0;
    slowMs = 0;
    live = new Live({
      look: async (signal) => {
        looks += 1;
        if (slowMs > 0) await pause(slowMs);
        signal.throwIfAborted();
        if (trouble) throw trouble;
        return { isActive };
      },
      onProblem: (error) => problems.push(error),
      onRecovered: () => (recovered += 1),
      activeMs: 10,
      idleMs: 10_000,
      firstPauseMs: 10,
      longestPauseMs: 40,
      patienceMs: 60,
    });
  });
  afterEach(() => live.hide());

  it('looks at once when shown, rarely while nothing runs, not at all while hidden', async () => {
    live.show();
    await until('it has looked', () => looks === 1);
    await pause(50);
    assert.equal(looks, 1);
    live.hide();
    live.poke();
    await pause(30);
    assert.equal(looks, 1);
    live.show();
    await until('it has looked', () => looks === 2);
  });

  it('looks often while an operation is active, and stops when it ends', async () => {
    isActive = true;
    live.show();
    await until('it has looked', () => looks >= 4);
    isActive = false;
    const seen = looks;
    await pause(100);
    assert.ok(looks <= seen + 1, 'at most the look that was under way');
  });

  it('looks at once when poked', async () => {
    live.show();
    await until('it has looked', () => looks === 1);
    live.poke();
    await until('it has looked', () => looks === 2);
  });

  it('backs off after failures and goes on by itself', async () => {
    trouble = new Error('away');
    live.show();
    await until('a problem is told', () => problems.length >= 3);
    trouble = undefined;
    await until('the end of it is told', () => recovered === 1);
    const seen = looks;
    await pause(60);
    assert.equal(looks, seen);
  });

  it('says that an answer takes strangely long', async () => {
    slowMs = 300;
    live.show();
    await until('a problem is told', () => problems.length > 0);
    assert.deepEqual(problems, [undefined]);
    await until('the end of it is told', () => recovered === 1);
  });
});
