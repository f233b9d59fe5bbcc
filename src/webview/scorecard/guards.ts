/** Checks what the extension sends: enough of its shape that nothing here can trip over it. */
import type {
  EnteredScorecard,
  ScorecardFault,
  ScorecardFormState,
  ScorecardFormView,
  ScorecardTarget,
} from '../../protocol/scorecard.ts';
import { columnField, enteredValues, typeForm } from '../column-form/guards.ts';
import { flag, listOf, nullable, number, shape, text, type Check } from '../common/checks.ts';
import { t } from '../common/language.ts';
import { readerOf } from '../common/read.ts';

const entered: Check<EnteredScorecard> = shape({
  values: enteredValues,
  steps: listOf(shape({ id: nullable(text), type: text, values: enteredValues })),
});
const target: Check<ScorecardTarget> = shape({
  formId: text,
  connectionId: text,
  tableId: text,
  sheetId: text,
});
const view: Check<ScorecardFormView> = shape({
  sheet: text,
  connection: shape({ name: text, local: flag }),
  isNew: flag,
  columns: listOf(text),
  fields: listOf(columnField),
  steps: listOf(typeForm),
  seldom: listOf(text),
  entered,
  draft: nullable(entered),
  target,
});

const kept: Check<ScorecardFormState> = shape({ target, entered: nullable(entered) });
const fault: Check<ScorecardFault> = shape({
  ...{ message: text, field: nullable(text), step: nullable(number) },
});

const read = readerOf('form');
export const asView = read(view, () => t('a scorecard'));
export const asFault = read(nullable(fault), () => t('an answer'));

/** What was typed before the page went away, when it is of this form. */
export const enteredIn = (
  state: unknown,
  { target: of }: ScorecardFormView,
): EnteredScorecard | null =>
  kept(state) && state.target.formId === of.formId ? state.entered : null;
