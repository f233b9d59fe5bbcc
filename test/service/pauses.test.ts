import assert from 'node:assert/strict';
import { Pauses } from '../../src/service/models/pauses.ts';
import { openTestDatabase, type TestDatabase } from '../support/engine/sheet.ts';

/** After so long a provider is asked again, whatever it has said. */
const most = 600_000;
const year = 365 * 86_400_000;

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`How long a provider is left alone, on ${kind}`, function () {
    this.timeout(60_000);
    let test: TestDatabase;
    before(async () => {
      test = await openTestDatabase(kind);
    });
    after(() => test.close());

    it('is never for ever, whatever it asks for', async () => {
      const odd = [year, Infinity, 1e300, 2 ** 63, -5, -Infinity, Number.NaN, 0, 0.2, undefined];
      for (const [at, askedMs] of odd.entries()) {
        const pauses = new Pauses(test.database, `odd-${String(at)}`);
        const { remainingMs, failures } = await pauses.begin(askedMs);
        assert.ok(remainingMs >= 0 && remainingMs <= most, `${String(askedMs)}: ${remainingMs}`);
        // What is too much is cut down, not left out.
        if (askedMs !== undefined && askedMs > most) {
          assert.ok(remainingMs > most - 60_000, `${String(askedMs)}: ${remainingMs}`);
        }
        assert.equal(failures, 1);
        assert.deepEqual((await pauses.look()).failures, 1, String(askedMs));
      }
    });

    it('does not grow when a clock is set back, and begins anew', async () => {
      const pauses = new Pauses(test.database, 'set-back');
      await pauses.begin(1000);
      // As a clock that was a year ahead has left it.
      await test.database.run(
        `update provider_pauses set paused_until = paused_until + ? where provider = 'set-back'`,
        [year],
      );
      assert.equal((await pauses.look()).remainingMs, 0);
      const { remainingMs } = await pauses.begin(50_000);
      assert.ok(remainingMs > 1000 && remainingMs <= 50_000, String(remainingMs));
    });
  });
}
