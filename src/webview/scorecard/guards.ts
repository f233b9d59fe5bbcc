/** Checks what the extension sends: enough of its shape that nothing here can trip over it. */
import type {
  EnteredScorecard,
  ScorecardFault,
  ScorecardFormState,
  ScorecardFormView,
} from '../../protocol/scorecard.ts';
import { columnField, enteredValues, typeForm } from '../column-form/guards.ts';
import { flag, isPlain, listOf, nullable, number, shape, text } from '../common/checks.ts';
import { t } from '../common/language.ts';

const entered = shape({
  values: enteredValues,
  steps: listOf(shape({ id: nullable(text), type: text, values: enteredValues })),
});
const target = shape({ formId: text, connectionId: text, tableId: text, sheetId: text });
const view = shape({
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

const misfit = (what: string): Error =>
  new Error(
    t('The extension sent {0} that the form does not understand. Reload the window.', what),
  );

export function asView(given: unknown): ScorecardFormView {
  if (!view(given)) throw misfit(t('a scorecard'));
  return given as ScorecardFormView;
}

/** What was typed before the page went away, when it is of this form. */
export function enteredIn(
  state: unknown,
  { target: of }: ScorecardFormView,
): EnteredScorecard | null {
  if (!isPlain(state) || !target(state['target']) || !entered(state['entered'])) return null;
  const kept = state as unknown as ScorecardFormState;
  return kept.target.formId === of.formId ? kept.entered : null;
}

export function asFault(given: unknown): ScorecardFault | null {
  if (given === null) return null;
  const fits =
    isPlain(given) &&
    text(given['message']) &&
    nullable(text)(given['field']) &&
    nullable(number)(given['step']);
  if (!fits) throw misfit(t('an answer'));
  return given as unknown as ScorecardFault;
}
