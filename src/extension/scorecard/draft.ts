import type { Scorecard, ScorecardDraft, StepDraft } from '../../api/score.ts';
import type { ErrorDetail } from '../../core/errors.ts';
import type { ColumnTypeForm, FieldValue, FieldValues } from '../../protocol/column-form.ts';
import type { EnteredScorecard, EnteredStep, ScorecardFault } from '../../protocol/scorecard.ts';
import type { Translate } from '../shell/translate.ts';
import { configOf, faultIn, fieldAt, valuesOf } from '../column-form/config.ts';
import { anyStepForm, cardForm, stepForms } from './steps.ts';

type Plain = Readonly<Record<string, unknown>>;
type Columns = readonly { readonly id: string; readonly title: string }[];

/** What the service keeps of a step by itself. */
const itsOwn = ['config_hash', 'created_at', 'updated_at', 'dependencies', 'order_index'];

export const formOfStep = (type: string, t: Translate): ColumnTypeForm =>
  stepForms(t).find((form) => form.type === type) ?? anyStepForm(type, t);

const idOf = ({ id }: Plain): string | null => (typeof id === 'string' ? id : null);
const typeOf = ({ primitive_type: type }: Plain): string => (typeof type === 'string' ? type : '');

/** What the fields hold for a scorecard; null: for one that is to be made. */
export function enteredOf(
  scorecard: Scorecard | null,
  columns: Columns,
  t: Translate,
): EnteredScorecard {
  if (scorecard === null) return { values: { name: t('Quality') }, steps: [] };
  const steps = (scorecard.steps ?? []).map((step): EnteredStep => {
    const type = typeOf(step);
    return { id: idOf(step), type, values: valuesOf(formOfStep(type, t), step, columns) };
  });
  return { values: valuesOf(cardForm(t), scorecard, columns), steps };
}

const textOf = (values: FieldValues, name: string): string => {
  const value = values[name];
  return typeof value === 'string' ? value.trim() : '';
};
/** Undefined: nothing is typed. The check of the field reports what is not a number. */
const numberOf = (values: FieldValues, name: string): number | undefined => {
  const text = textOf(values, name);
  return text === '' ? undefined : Number(text);
};

function shareFault(
  values: FieldValues,
  [pass, warn]: readonly [string, string],
  t: Translate,
): { readonly field: string; readonly message: string } | undefined {
  for (const field of [pass, warn]) {
    const share = numberOf(values, field);
    if (share !== undefined && !(share >= 0 && share <= 1)) {
      return { field, message: t('Enter a number from 0 to 1.') };
    }
  }
  const [least, below] = [numberOf(values, pass), numberOf(values, warn)];
  if (least !== undefined && below !== undefined && below > least) {
    return { field: warn, message: t("The pass threshold can't be below the warning threshold.") };
  }
  return undefined;
}

/** What can be said before the service is asked; undefined: nothing is wrong. */
export function faultOfScorecard(
  { values, steps }: EnteredScorecard,
  t: Translate,
): ScorecardFault | undefined {
  const card =
    faultIn(cardForm(t), values, t) ??
    shareFault(values, ['aggregation.pass_threshold', 'aggregation.warn_threshold'], t);
  if (card !== undefined) return { ...card, step: null };
  if (steps.length === 0) {
    return {
      step: null,
      field: null,
      message: t('Add a step: a scorecard without steps has no score.'),
    };
  }
  for (const [place, { type, values: own }] of steps.entries()) {
    const fault =
      faultIn(formOfStep(type, t), own, t) ??
      shareFault(own, ['thresholds.pass', 'thresholds.warn'], t) ??
      boundsFault(own, t);
    if (fault !== undefined) return { ...fault, step: place };
  }
  if (steps.every(({ values: own }) => numberOf(own, 'weight') === 0)) {
    return { step: 0, field: 'weight', message: t('At least one step needs a weight above 0.') };
  }
  return undefined;
}

function boundsFault(
  values: FieldValues,
  t: Translate,
): { readonly field: string; readonly message: string } | undefined {
  const weight = numberOf(values, 'weight');
  if (weight !== undefined && weight < 0) {
    return { field: 'weight', message: t('A weight is not below 0.') };
  }
  for (const [least, most] of [
    ['score_adapter.min', 'score_adapter.max'],
    ['primitive_config.min_count', 'primitive_config.max_count'],
  ] as const) {
    const [from, to] = [numberOf(values, least), numberOf(values, most)];
    if (from !== undefined && to !== undefined && from > to) {
      return { field: most, message: t('The largest is smaller than the smallest.') };
    }
  }
  return undefined;
}

/** Services want columns by id. */
function byId(form: ColumnTypeForm, values: FieldValues, columns: Columns): FieldValues {
  const idFor = (title: string): string => columns.find((one) => one.title === title)?.id ?? title;
  const sent: Record<string, FieldValue> = { ...values };
  for (const { name, kind } of form.fields) {
    const value = values[name];
    if (kind === 'column' && typeof value === 'string') sent[name] = idFor(value);
    if (kind === 'columns' && Array.isArray(value)) {
      sent[name] = value.flatMap((one: unknown) => (typeof one === 'string' ? [idFor(one)] : []));
    }
  }
  return sent;
}

/** What is sent for what was entered. What the form does not show stays as it was. */
export function draftOfScorecard(
  { values, steps }: EnteredScorecard,
  before: Scorecard | null,
  columns: Columns,
  t: Translate,
): ScorecardDraft {
  const known = new Map((before?.steps ?? []).map((step) => [idOf(step), step]));
  const { name, aggregation } = configOf(cardForm(t), values, {
    aggregation: before?.aggregation ?? {},
  });
  return {
    name: typeof name === 'string' ? name : '',
    aggregation: { method: 'weighted_mean', ...(aggregation as Plain | undefined) },
    evaluated_column_ids: [...(before?.evaluated_column_ids ?? [])],
    ...(before !== null && kept(before)),
    steps: steps.map(({ id, type, values: own }): StepDraft => {
      const form = formOfStep(type, t);
      const old = id === null ? undefined : known.get(id);
      // Another type has another configuration.
      const base = Object.fromEntries(
        Object.entries(old ?? {}).filter(
          ([key]) =>
            !itsOwn.includes(key) && (key !== 'primitive_config' || typeOf(old ?? {}) === type),
        ),
      );
      const config = configOf(form, byId(form, own, columns), base);
      return {
        ...config,
        ...(id !== null && { id }),
        title: textOf(own, 'title'),
        primitive_type: type,
      };
    }),
  };
}

const kept = ({ display_config: display, baseline_config: baseline }: Scorecard): Plain => ({
  ...(display !== undefined && display !== null && { display_config: display }),
  ...(baseline !== undefined && baseline !== null && { baseline_config: baseline }),
});

/** The step and field that the service blames, as far as it says. */
export function placeBlamed(
  { values, steps }: EnteredScorecard,
  detail: readonly ErrorDetail[],
  t: Translate,
): Pick<ScorecardFault, 'step' | 'field'> {
  for (const { loc } of detail) {
    const [part, ...path] = loc;
    if (part !== 'body') continue;
    const [list, place, ...rest] = path;
    const step = list === 'steps' && typeof place === 'number' ? steps[place] : undefined;
    if (step !== undefined && typeof place === 'number') {
      return { step: place, field: fieldAt(formOfStep(step.type, t), rest, step.values) };
    }
    const field = fieldAt(cardForm(t), path, values);
    if (field !== null) return { step: null, field };
  }
  return { step: null, field: null };
}
