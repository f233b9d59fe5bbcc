import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';

describe('until', () => {
  const soon = { limitMs: 20, everyMs: 1 };

  it('gives what there is in the end, also nothing much', async () => {
    const looks = [false, undefined, null, 0];
    assert.equal(await until('there is something', () => looks.shift(), { everyMs: 1 }), 0);
    assert.deepEqual(looks, []);
  });

  it('takes a look that fails for not yet', async () => {
    let looks = 0;
    const found = await until(
      'the third look',
      async () => {
        looks += 1;
        if (looks < 3) throw new Error('The page is being loaded.');
        return `look ${looks}`;
      },
      { everyMs: 1 },
    );
    assert.equal(found, 'look 3');
  });

  it('says in the end what was waited for, as it is then, and why the last look failed', async () => {
    let looks = 0;
    const cause = new Error('The log is not there.');
    const waiting = until(
      () => `${looks > 1 ? 'several' : 'too few'} looks have found it`,
      () => {
        looks += 1;
        throw cause;
      },
      soon,
    );
    await assert.rejects(waiting, {
      message: 'Waited 20 ms in vain until several looks have found it: The log is not there.',
      cause,
    });
  });

  it('fails as an assertion does where the looks have found nothing', async () => {
    await assert.rejects(
      until('it is there', () => false, soon),
      { name: 'AssertionError', message: 'Waited 20 ms in vain until it is there' },
    );
  });

  it('looks once more when the time is up, so that a machine that stood still is not at fault', async () => {
    let looks = 0;
    const found = await until(
      'the second look',
      () => {
        looks += 1;
        return looks > 1;
      },
      { limitMs: 1, everyMs: 50 },
    );
    assert.equal(found, true);
  });
});
