import assert from 'node:assert/strict';
import {
  historyOf,
  judgedRow,
  legacyView,
  scorecardView,
} from '../../../../src/extension/charts/score.ts';

describe('Score of a sheet', () => {
  it('shows the calculation that came to an end while another is under way', () => {
    const view = scorecardView(
      {
        scorecard: {
          ...{ id: 's', name: 'Quality', status: 'running' },
          steps: [{ id: 'a', title: 'Short', weight: 2 }],
          stale_state: { is_stale: true },
        },
        latest_calculation: { status: 'running', scored_rows: 3, total_rows: 10 },
        display_calculation: {
          ...{ status: 'completed', aggregate_score: 0.7, aggregate_verdict: 'warn' },
          ...{ scored_rows: 9, total_rows: 10, completed_at: '2026-01-01T00:00:00.000Z' },
          criterion_summaries: { a: { score: 0.7, scored_rows: 9, verdict_counts: { pass: 9 } } },
          drift_summary: { score_delta: -0.1, criteria: { a: -0.1 } },
        },
      },
      [],
    );
    assert.deepEqual(view.done, { rows: 3, of: 10 });
    assert.deepEqual(
      [view.score, view.verdict, view.drift, view.isStale],
      [0.7, 'warn', -0.1, true],
    );
    assert.deepEqual(view.parts, [
      { title: 'Short', weight: 2, score: 0.7, rows: 9, verdicts: { pass: 9 }, drift: -0.1 },
    ]);
  });

  it('gives each column the mean of the steps that look at it, by their weight', () => {
    const step = (id: string, weight: number, ...source_column_ids: string[]) => ({
      ...{ id, title: id, weight, source_column_ids },
    });
    const { columns } = scorecardView(
      {
        scorecard: {
          id: 's',
          steps: [step('a', 3, 'one', 'two'), step('b', 1, 'one'), step('c', 1, 'three')],
        },
        latest_calculation: {
          criterion_summaries: { a: { score: 1 }, b: { score: 0 }, c: { score: null } },
        },
      },
      [],
      new Map([['one', 'Answer']]),
    );
    assert.deepEqual(columns, [
      { title: 'Answer', score: 0.75, parts: 2 },
      { title: 'two', score: 1, parts: 1 },
    ]);
  });

  it('takes what does not fit for not told', () => {
    const view = scorecardView(
      {
        scorecard: { id: 's', steps: [{ id: 'a', title: 'A', weight: 'much' }] },
        latest_calculation: { aggregate_score: 'good', criterion_summaries: 7 },
      },
      [],
    );
    assert.equal(view.score, null);
    assert.deepEqual(view.parts[0]?.weight, null);
    assert.equal(scorecardView({ scorecard: null }, []).kind, 'none');
    assert.deepEqual(
      historyOf({ points: [{ version_number: 1, score: null }, { name: 'x' }] }),
      [],
    );
  });

  it('shows the score of the older kind, and that there is none', () => {
    const columns = [{ title: 'Grade', score: 80, included_count: 3 }];
    const view = legacyView({ aggregate_score: 80, columns, status: 'completed' }, []);
    assert.deepEqual([view.kind, view.score, view.parts[0]?.rows], ['score', 80, 3]);
    assert.equal(legacyView({ status: null }, []).kind, 'none');
    const details = { cut_off_rows: 2, cut_off_by_column: { a: 2 } };
    const named = { ...columns[0], column_id: 'a' };
    const half = legacyView({ aggregate_score: 80, columns: [named], details }, []);
    assert.deepEqual([half.verdicts, half.parts[0]?.verdicts], [{ cut_off: 2 }, { cut_off: 2 }]);
  });

  it('says why a row did not pass, step by step', () => {
    const step_results = {
      a: { verdict: 'pass', evidence: 'fine' },
      b: { verdict: 'fail', evidence: { missing: 'x' } },
      c: { verdict: 'error', error: 'No such column.' },
    };
    const row = { row_index: 4, aggregate_score: 0.2, aggregate_verdict: 'fail', step_results };
    assert.deepEqual(judgedRow(row, new Map([['b', 'Has it']])), {
      ...{ rowIndex: 4, score: 0.2, verdict: 'fail' },
      reasons: ['Has it: {"missing":"x"}', 'c: No such column.'],
    });
  });
});
