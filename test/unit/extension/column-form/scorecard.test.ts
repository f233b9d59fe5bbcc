import assert from 'node:assert/strict';
import {
  draftOfScorecard,
  enteredOf,
  placeBlamed,
  faultOfScorecard,
} from '../../../../src/extension/scorecard/draft.ts';
import { stepForms } from '../../../../src/extension/scorecard/steps.ts';
import type { Scorecard } from '../../../../src/api/score.ts';
import type { FieldValues } from '../../../../src/protocol/column-form.ts';
import type { EnteredScorecard } from '../../../../src/protocol/scorecard.ts';
import { stepTypes } from '../../../../src/service/scorecards/step-kinds.ts';
import { t } from '../words.ts';

const columns = [
  { id: 'id-1', title: 'Question' },
  { id: 'id-2', title: 'Answer' },
];
const step = (type: string, values: FieldValues, id: string | null = null) => ({
  ...{ id, type },
  values: { title: 'one', source_column_ids: ['Answer'], ...values },
});
const card = (...steps: EnteredScorecard['steps']): EnteredScorecard => ({
  values: { name: 'Quality' },
  steps,
});

describe('form of a scorecard', () => {
  it('has every step that the service knows', () => {
    assert.deepEqual(
      stepForms(t)
        .map(({ type }) => type)
        .sort(),
      [...stepTypes].sort(),
    );
  });

  it('sends columns by id, and configuration, weights and bounds where the service reads them', () => {
    const entered = card(
      step('CONTAINS', {
        'primitive_config.value_source': 'Question',
        weight: '2',
        required: true,
      }),
      step('COLUMN_AGGREGATE', { 'score_adapter.min': '0', 'score_adapter.max': '10' }),
    );
    const values = { ...entered.values, 'aggregation.pass_threshold': '0.9' };
    const draft = draftOfScorecard({ ...entered, values }, null, columns, t);
    assert.deepEqual(draft, {
      ...{ name: 'Quality', evaluated_column_ids: [] },
      aggregation: { method: 'weighted_mean', pass_threshold: 0.9 },
      steps: [
        {
          ...{ title: 'one', primitive_type: 'CONTAINS', source_column_ids: ['id-2'] },
          ...{ primitive_config: { value_source: 'id-1' }, weight: 2, required: true },
        },
        {
          ...{ title: 'one', primitive_type: 'COLUMN_AGGREGATE', source_column_ids: ['id-2'] },
          score_adapter: { min: 0, max: 10 },
        },
      ],
    });
  });

  it('gives back what it does not show, and nothing that the service keeps by itself', () => {
    const before: Scorecard = {
      ...{ id: 's', name: 'Old', evaluated_column_ids: ['id-1'], baseline_config: { a: 1 } },
      aggregation: { method: 'weighted_mean', pass_threshold: 0.8, warn_threshold: 0.5 },
      steps: [
        {
          ...{ id: 'step', title: 'fits', primitive_type: 'REGEX', weight: 1, required: false },
          ...{ source_column_ids: ['id-2'], primitive_config: { regex_pattern: 'a', flags: 'i' } },
          ...{ thresholds: {}, score_adapter: null, description: 'why', evidence_mode: 'raw' },
          ...{ config_hash: 'x', created_at: 'then', updated_at: 'now', order_index: 3 },
        },
      ],
    };
    const entered = enteredOf(before, columns, t);
    assert.deepEqual(entered.steps[0]?.values['source_column_ids'], ['Answer']);
    const draft = draftOfScorecard(entered, before, columns, t);
    assert.deepEqual(draft, {
      ...{ name: 'Old', evaluated_column_ids: ['id-1'], baseline_config: { a: 1 } },
      aggregation: { method: 'weighted_mean', pass_threshold: 0.8, warn_threshold: 0.5 },
      steps: [
        {
          ...{ id: 'step', title: 'fits', primitive_type: 'REGEX', weight: 1 },
          ...{ source_column_ids: ['id-2'], primitive_config: { regex_pattern: 'a', flags: 'i' } },
          ...{ description: 'why', evidence_mode: 'raw' },
        },
      ],
    });
    // A step of another type begins with its own configuration.
    const [one] = entered.steps;
    assert.ok(one);
    const other = { ...entered, steps: [{ ...one, type: 'ASSERT_VALID' }] };
    const [changed] = draftOfScorecard(other, before, columns, t).steps;
    assert.equal(changed?.primitive_config, undefined);
  });

  it('says what is missing or wrong before the service is asked', () => {
    const wrong = (entered: EnteredScorecard) => {
      const fault = faultOfScorecard(entered, t);
      return fault && [fault.step, fault.field];
    };
    assert.deepEqual(wrong(card()), [null, null]);
    assert.deepEqual(wrong({ values: {}, steps: [] }), [null, 'name']);
    const pattern = { 'primitive_config.regex_pattern': 'a' };
    const good = step('REGEX', pattern);
    assert.equal(wrong(card(good)), undefined);
    assert.deepEqual(wrong(card(good, step('REGEX', {}))), [1, 'primitive_config.regex_pattern']);
    const how = 'primitive_config.comparison_type.type';
    assert.deepEqual(wrong(card(step('COMPARE', {}))), [0, how]);
    assert.deepEqual(wrong(card(step('REGEX', { ...pattern, weight: '-1' }))), [0, 'weight']);
    assert.deepEqual(wrong(card(step('REGEX', { ...pattern, weight: '0' }))), [0, 'weight']);
    const high = step('REGEX', { ...pattern, 'thresholds.pass': '80' });
    assert.deepEqual(wrong(card(high)), [0, 'thresholds.pass']);
    const bounds = step('COLUMN_AGGREGATE', { 'score_adapter.min': '9', 'score_adapter.max': '1' });
    assert.deepEqual(wrong(card(bounds)), [0, 'score_adapter.max']);
    const values = { 'aggregation.pass_threshold': '0.5', 'aggregation.warn_threshold': '0.6' };
    assert.deepEqual(wrong({ values: { name: 'x', ...values }, steps: [good] }), [
      ...[null, 'aggregation.warn_threshold'],
    ]);
  });

  it('puts the words of the service beside the step and the field that it blames', () => {
    const entered = card(step('REGEX', {}), step('COUNT', {}));
    const blamed = (...loc: readonly (string | number)[]): readonly unknown[] => {
      const place = placeBlamed(entered, [{ loc: [...loc], msg: 'wrong', type: 'x' }], t);
      return [place.step, place.field];
    };
    assert.deepEqual(blamed('body', 'steps', 1, 'primitive_config', 'type'), [
      ...[1, 'primitive_config.type'],
    ]);
    assert.deepEqual(blamed('body', 'steps', 0, 'source_column_ids', 0), [0, 'source_column_ids']);
    assert.deepEqual(blamed('body', 'steps', 0, 'primitive_type'), [0, null]);
    assert.deepEqual(blamed('body', 'steps', 7, 'title'), [null, null]);
    assert.deepEqual(blamed('body', 'aggregation', 'pass_threshold'), [
      ...[null, 'aggregation.pass_threshold'],
    ]);
    assert.deepEqual(blamed(), [null, null]);
  });
});
