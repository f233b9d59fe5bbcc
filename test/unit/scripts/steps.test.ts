/** What npm test makes of its steps: who runs what, and when second tries are too many. */
import assert from 'node:assert/strict';
import type { Step } from '../../../scripts/steps.mjs';
import { runSteps, withTries } from '../../../scripts/steps.mjs';

const passed = { passed: 1, failed: 0, skipped: 0 };

describe('Lanes of npm test', () => {
  const ran: [step: string, lane: string][] = [];
  /** Ends once `awaited` does. */
  const step = (name: string, awaited?: Promise<unknown>): Step => ({
    name,
    work: async ({ LANE: lane = '' }) => {
      ran.push([name, lane]);
      await awaited;
      return { counts: passed, output: '' };
    },
  });
  const lanes = [{ env: { LANE: 'any' } }, { env: { LANE: 'special' }, only: /^service: / }];
  const laneOf = (name: string): string | undefined => ran.find(([one]) => one === name)?.[1];

  beforeEach(() => void ran.splice(0));

  it('keep one for its own steps, which the others take last', async () => {
    const later = Promise.resolve([step('window')]);
    let last: () => void = () => undefined;
    const lastHasRun = new Promise<void>((resolve) => (last = resolve));
    const second = step('service: b');
    const steps = [
      step('service: a', lastHasRun),
      { ...second, work: (env: Record<string, string>) => second.work(env).finally(last) },
      step('unit'),
    ];
    const counts = await runSteps(steps, lanes, { later });
    assert.equal(counts.passed, 4);
    assert.deepEqual(
      [laneOf('service: a'), laneOf('unit'), laneOf('window')],
      ['special', 'any', 'any'],
    );
    assert.equal(laneOf('service: b'), 'any');
    assert.equal(ran.at(-1)?.[0], 'service: b');
  });

  it('run every step once, and fail where the later ones could not be made', async () => {
    const failing = Promise.reject(new Error('no browser'));
    await assert.rejects(
      runSteps([step('service: a'), step('unit')], lanes, { later: failing }),
      /no browser/,
    );
    assert.deepEqual(ran.map(([name]) => name).sort(), ['service: a', 'unit']);
  });
});

describe('Second tries of npm test', () => {
  const again = (count: number): string[] => Array.from({ length: count }, (_, at) => `test ${at}`);

  it('fail a run that has more than two', () => {
    assert.equal(withTries({ ...passed, again: again(2) }).failed, 0);
    const judged = withTries({ ...passed, again: again(3) });
    assert.equal(judged.failed, 1);
    assert.match(judged.titles?.at(-1) ?? '', /^3 were tried again/);
  });
});
