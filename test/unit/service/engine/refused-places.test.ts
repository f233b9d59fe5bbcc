import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ErrorDetail } from '../../../../src/core/errors.ts';
import { failureFromAnswer } from '../../../../src/core/http/failure.ts';
import { fieldBlamed } from '../../../../src/extension/column-form/config.ts';
import { columnTypes, formIn } from '../../../../src/extension/column-form/types.ts';
import { placeBlamed } from '../../../../src/extension/scorecard/draft.ts';
import type { Json } from '../../../../src/service/engine/columns/json.ts';
import { isObject, jsonFromText } from '../../../../src/service/engine/columns/json.ts';
import { validateColumn } from '../../../../src/service/engine/validate-column.ts';
import type { ColumnFacts } from '../../../../src/service/engine/validate-column.ts';
import { problemBody } from '../../../../src/service/http/validate.ts';
import { settleScorecard } from '../../../../src/service/scorecards/scorecard.ts';
import { t } from '../../extension/words.ts';

const columns: readonly ColumnFacts[] = ['Question', 'Answer', 'Twice', 'Twice'].map(
  (title, at) => ({ id: `c${String(at)}`, title, type: 'TEXT', dependencies: [] }),
);

/** What a client reads of an error of the service, over the wire. */
function detailOf(refuse: () => unknown): readonly ErrorDetail[] {
  try {
    refuse();
  } catch (error) {
    const answer = problemBody(error);
    assert.ok(answer !== undefined, String(error));
    const { detail } = failureFromAnswer(
      'POST /columns',
      {
        ...{ status: answer.status, text: JSON.stringify(answer.body), location: '' },
        ...{ retryAfter: undefined, sentCursor: false },
      },
      { facts: {}, now: 0 },
    );
    return detail;
  }
  return [];
}

const placesOf = (detail: readonly ErrorDetail[]): readonly string[] =>
  detail.map(({ loc }) => loc.join('.'));

const refusedColumn = (type: string, config: unknown): readonly ErrorDetail[] =>
  detailOf(() => validateColumn({ title: 'New', type, config }, columns));

const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/columns.md'), 'utf8');
/** A config that the service takes, of each type. */
const examples = page
  .split(/^### /m)
  .slice(1)
  .map((section): readonly [string, Json] => [
    /^(\w+)\n/.exec(section)?.[1] ?? '',
    jsonFromText(/```json\n(.*?)```/s.exec(section)?.[1] ?? '{}'),
  ]);

/** No field takes all of them. */
const wrong: readonly unknown[] = [[[]], { '': [] }, 'no such word', -1, true];

describe('a config that is refused', () => {
  for (const [type, example] of examples) {
    it(`of ${type} names the field that is wrong, also to the form`, () => {
      assert.ok(isObject(example));
      const form = columnTypes.find((one) => one.type === type);
      let refused = 0;
      for (const key of Object.keys(example)) {
        for (const value of wrong) {
          const detail = refusedColumn(type, { ...example, [key]: value });
          // The titles of the example are not in the sheet: those it names are blamed as well.
          const own = detail.filter(({ loc }) => loc[2] === key);
          if (own.length === 0) continue;
          refused += 1;
          for (const { loc, msg } of own) {
            assert.deepEqual(loc.slice(0, 3), ['body', 'config', key]);
            assert.notEqual(msg, '');
          }
          const isShown = form?.fields.some(({ name }) => name.split('.')[0] === key) === true;
          if (form === undefined || !isShown) continue;
          const blamed = fieldBlamed(formIn(form, t), own, {});
          const hasAsked = form.fields.some(
            ({ name, when }) => name.split('.')[0] === key && when === undefined,
          );
          if (hasAsked) assert.equal(blamed?.split('.')[0], key, `${type}.${key}`);
        }
      }
      assert.ok(refused > 0 || type === 'TEXT', 'Nothing was refused.');
    });
  }

  const cases: readonly (readonly [type: string, config: object, place: string])[] = [
    ['NOPE', {}, 'body.type'],
    ['REGEX', { source: 'Question' }, 'body.config.regex_pattern'],
    ['REGEX', { source: 'Question', regex_pattern: '(' }, 'body.config.regex_pattern'],
    [
      'REGEX',
      { source: 'Question', regex_pattern: 'a'.repeat(6_000) },
      'body.config.regex_pattern',
    ],
    ['REGEX', { source: 'Gone', regex_pattern: 'a' }, 'body.config.source'],
    ['REGEX', { source: 'Twice', regex_pattern: 'a' }, 'body.config.source'],
    ['REGEX', { source: 'New', regex_pattern: 'a' }, 'body.config.source'],
    ['COALESCE', { sources: ['Question', 'Gone'] }, 'body.config.sources.1'],
    ['JSON_PATH', { source: 'Question', json_path: '$[' }, 'body.config.json_path'],
    ['MIN_MAX', { source: 'Question', type: 'max', json_path: '$[' }, 'body.config.json_path'],
    ['XML_PATH', { source: 'Question', type: 'find', xml_path: '//[' }, 'body.config.xml_path'],
    [
      'COMPARE',
      { sources: ['Question', 'Answer'], comparison_type: { type: 'JSON', json_path: '$[' } },
      'body.config.comparison_type.json_path',
    ],
    ['VARIABLE', { value: { type: 'json', value: '{' } }, 'body.config.value.value'],
    ['MATH_OPERATOR', { sources: ['Question'], operator: 'gt', value: 'x' }, 'body.config.value'],
    ['CONDITION', { conditionals: [{ operator: '?' }] }, 'body.config.conditionals'],
  ];
  for (const [type, config, place] of cases) {
    it(`of ${type} is wrong at ${place}: ${JSON.stringify(config).slice(0, 60)}`, () => {
      assert.deepEqual(placesOf(refusedColumn(type, config)), [place]);
    });
  }

  it('names the field that closes a circle, and the dependency that is not there', () => {
    const facts: readonly ColumnFacts[] = [
      { id: 'c0', title: 'One', type: 'COUNT', dependencies: [] },
      {
        ...{ id: 'c1', title: 'Two', type: 'COUNT' },
        dependencies: [{ column_id: 'c0', reference_type: 'value' }],
      },
    ];
    const draft = { id: 'c0', title: 'One', type: 'COUNT' };
    const config = { source: 'Two', type: 'chars' };
    const circle = detailOf(() => validateColumn({ ...draft, config }, facts));
    assert.deepEqual(placesOf(circle), ['body.config.source']);
    const dependencies = [{ column_id: 'c9', reference_type: 'value' as const }];
    const unknown = detailOf(() => validateColumn({ ...draft, config, dependencies }, facts));
    assert.deepEqual(placesOf(unknown), ['body.dependencies.0.column_id']);
  });

  it('of a scorecard names the step and its field, also to the form', () => {
    const good = {
      ...{ title: 'Has an a', primitive_type: 'REGEX', source_column_ids: ['Question'] },
      primitive_config: { regex_pattern: 'a' },
    };
    const draft = (step: object, aggregation: object = { method: 'weighted_mean' }): unknown => ({
      ...{ name: 'Quality', aggregation, evaluated_column_ids: [], steps: [good, step] },
    });
    const blamed = (given: unknown): readonly unknown[] => {
      const detail = detailOf(() =>
        settleScorecard(given as Parameters<typeof settleScorecard>[0], columns, undefined),
      );
      const entered = {
        values: {},
        steps: [good, good].map(() => ({ id: null, type: 'REGEX', values: {} })),
      };
      const { step, field } = placeBlamed(entered, detail, t);
      return [placesOf(detail)[0], step, field];
    };
    assert.deepEqual(blamed(draft({ ...good, primitive_config: { regex_pattern: '(' } })), [
      ...['body.steps.1.primitive_config.regex_pattern', 1, 'primitive_config.regex_pattern'],
    ]);
    assert.deepEqual(blamed(draft({ ...good, source_column_ids: ['Gone'] })), [
      ...['body.steps.1.source_column_ids.0', 1, 'source_column_ids'],
    ]);
    assert.deepEqual(blamed(draft({ ...good, source_column_ids: [] })), [
      ...['body.steps.1.source_column_ids', 1, 'source_column_ids'],
    ]);
    assert.deepEqual(blamed(draft({ ...good, primitive_type: 'NOPE' })), [
      ...['body.steps.1.primitive_type', 1, null],
    ]);
    assert.deepEqual(blamed(draft({ ...good, weight: 'heavy' })), [
      ...['body.steps.1.weight', 1, 'weight'],
    ]);
    assert.deepEqual(blamed(draft(good, { method: 'weighted_mean', pass_threshold: 'high' })), [
      ...['body.aggregation.pass_threshold', null, 'aggregation.pass_threshold'],
    ]);
  });
});
