import assert from 'node:assert/strict';
import { CancelAnswer } from '../../../../src/api/operation.ts';
import { cancelledWords } from '../../../../src/extension/operations/cancelled-words.ts';
import { t } from '../words.ts';

describe('What was cancelled, in words', () => {
  const number = new Intl.NumberFormat('en');
  const reported = (counts: object): string =>
    cancelledWords(CancelAnswer.parse({ success: true, ...counts }), number, t);

  it('counts waiting and running cells apart where the service does', () => {
    const counts = { not_started_reset_count: 28_798, running_invalidated_count: 2 };
    assert.equal(
      reported({ cancelled_cell_count: 28_800, ...counts }),
      'Canceled: 28,798 queued and 2 running cells kept their previous values.',
    );
  });

  it('counts them together where the service says no more', () =>
    assert.equal(
      reported({ cancelled_cell_count: 12 }),
      'Canceled: 12 cells kept their previous values.',
    ));

  it('says that nothing runs where nothing was cancelled', () => {
    assert.equal(reported({}), 'Nothing is running');
    assert.equal(reported({ cancelled_cell_count: 0 }), 'Nothing is running');
  });
});
