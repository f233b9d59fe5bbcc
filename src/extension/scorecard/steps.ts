import type { ColumnField, ColumnTypeForm } from '../../protocol/column-form.ts';
import type { Translate } from '../shell/translate.ts';
import { columnTypes, formIn } from '../column-form/types.ts';

/** Marks a text for translators. `stepForms` looks up its translation. */
const t = (english: string): string => english;

type More = Partial<Omit<ColumnField, 'name' | 'label' | 'kind'>>;
const field = (
  name: string,
  label: string,
  kind: ColumnField['kind'],
  more: More = {},
): ColumnField => ({ ...{ name, label, kind }, ...more });

const inConfig = (name: string): string => `primitive_config.${name}`;

/** The fields of a type of columns, without its sources, where a step has them. */
function ofColumn(type: string): readonly ColumnField[] {
  const form = columnTypes.find((one) => one.type === type);
  const own = form?.fields.filter(({ name }) => name !== 'source' && name !== 'sources') ?? [];
  return own.map((one) => ({
    ...one,
    name: inConfig(one.name),
    ...(one.when && { when: { ...one.when, field: inConfig(one.when.field) } }),
  }));
}

/** What few steps need. */
const seldom: readonly ColumnField[] = [
  field('thresholds.pass', t('Pass threshold'), 'number', {
    about: t('Overrides the threshold of the scorecard, from 0 to 1.'),
  }),
  field('thresholds.warn', t('Warning threshold'), 'number', {
    about: t('Overrides the threshold of the scorecard, from 0 to 1.'),
  }),
  field('score_adapter.min', t('Smallest number'), 'number', {
    about: t('Value that counts as 0, if numbers are not between 0 and 1.'),
  }),
  field('score_adapter.max', t('Largest number'), 'number', {
    about: t('Value that counts as 1.'),
  }),
  field('score_adapter.invert', t('Lower is better'), 'flag'),
];
export const seldomNames: readonly string[] = seldom.map(({ name }) => name);

function step(
  type: string,
  label: string,
  about: string,
  count: readonly [number, number],
  ...own: readonly ColumnField[]
): ColumnTypeForm {
  return {
    ...{ type, label, about },
    fields: [
      field('title', t('Title'), 'line', { isNeeded: true }),
      field('source_column_ids', t('Columns'), 'columns', { count, isNeeded: count[0] > 0 }),
      ...own,
      field('weight', t('Weight'), 'number', { about: t('Default: 1.') }),
      field('required', t('Required for the row to pass'), 'flag'),
      ...seldom,
    ],
  };
}

const one: readonly [number, number] = [1, 1];
const toolNames = (more: More = {}): ColumnField =>
  field(inConfig('tool_names'), t('Tools'), 'json', {
    about: t('For example ["search", "answer"].'),
    ...more,
  });

/** The steps that a scorecard can have, in the order in which they are offered. */
const steps: readonly ColumnTypeForm[] = [
  step(
    'COLUMN_AGGREGATE',
    t('Value of a column'),
    t('True counts as 1, false as 0, and numbers as is.'),
    one,
  ),
  step(
    'CONTAINS',
    t('Contains'),
    t('Checks whether a cell contains text.'),
    one,
    ...ofColumn('CONTAINS'),
  ),
  step(
    'REGEX',
    t('Regular expression'),
    t('Checks whether a cell matches a pattern.'),
    one,
    ...ofColumn('REGEX'),
  ),
  step(
    'COMPARE',
    t('Compare'),
    t('Checks whether two cells are the same.'),
    [1, 2],
    ...ofColumn('COMPARE'),
  ),
  step(
    'LLM_ASSERTION',
    t('LLM assertion'),
    t('A model decides whether a statement about a cell is true.'),
    one,
    ...ofColumn('LLM_ASSERTION'),
  ),
  step(
    'CODE_EXECUTION',
    t('Code'),
    t('Runs code for each row; `data` holds its cells by title.'),
    [0, 100],
    ...ofColumn('CODE_EXECUTION'),
  ),
  step(
    'ASSERT_VALID',
    t('Valid'),
    t('Checks whether a cell is valid.'),
    one,
    ...ofColumn('ASSERT_VALID'),
  ),
  step(
    'COUNT',
    t('Count'),
    t('Checks the length of a cell.'),
    one,
    ...ofColumn('COUNT'),
    field(inConfig('min_count'), t('At least'), 'number'),
    field(inConfig('max_count'), t('At most'), 'number'),
  ),
  step(
    'STRUCTURE',
    t('JSON structure'),
    t('Checks whether JSON has the expected structure.'),
    one,
    field(inConfig('schema'), t('JSON schema'), 'json'),
    field(inConfig('required_keys'), t('Required keys'), 'json', {
      about: t('Used instead of a schema, for example ["name", "total"].'),
    }),
  ),
  step(
    'MAX_TOOL_CALLS',
    t('Number of tool calls'),
    t('Passes if the row makes no more tool calls than this.'),
    one,
    field(inConfig('max_tool_calls'), t('At most'), 'number', { isNeeded: true }),
  ),
  step(
    'NO_INVALID_TOOL_CALLS',
    t('Valid tool calls'),
    t('Passes if all tool calls have valid JSON arguments and name existing tools.'),
    one,
    toolNames(),
  ),
  step(
    'TOOL_EVALUATOR',
    t('Tools that are called'),
    t('Share of the tools that were called.'),
    one,
    toolNames({ isNeeded: true }),
  ),
  step(
    'TRAJECTORY',
    t('Order of tools'),
    t('Checks whether tools were called in the expected order.'),
    one,
    field(inConfig('expected'), t('Trajectory'), 'json', {
      about: t('For example ["search", "answer"].'),
    }),
    field(inConfig('expected_source'), t('Tool column'), 'column', {
      about: t('Used instead of the list.'),
    }),
    field(inConfig('mode'), t('Mode'), 'suggest', {
      options: ['strict'],
      about: t('strict: exactly these.'),
    }),
  ),
];

/** Fields of the scorecard itself. */
const card: ColumnTypeForm = {
  ...{ type: 'SCORECARD', label: '', about: '' },
  fields: [
    field('name', t('Name'), 'line', { isNeeded: true }),
    field('aggregation.pass_threshold', t('Pass threshold'), 'number', {
      about: t('From 0 to 1. Default: 0.8.'),
    }),
    field('aggregation.warn_threshold', t('Warning threshold'), 'number', {
      about: t('From 0 to 1. Default: 0.6.'),
    }),
    field('aggregation.required_step_failure_behavior', t('When a required step fails'), 'choice', {
      options: ['fail', 'warn', 'error'],
      about: t('The verdict for the row. Default: fail.'),
    }),
  ],
};

export const cardForm = (translate: Translate): ColumnTypeForm => formIn(card, translate);

export const stepForms = (translate: Translate): readonly ColumnTypeForm[] =>
  steps.map((form) => formIn(form, translate));

/** Of a type that nobody here knows: what is known of every step, and its configuration. */
export const anyStepForm = (type: string, translate: Translate): ColumnTypeForm =>
  formIn(
    step(
      ...([type, type, t('This type has no form.'), [0, 100]] as const),
      field('primitive_config', t('Configuration'), 'json'),
    ),
    translate,
  );
