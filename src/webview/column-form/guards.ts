/** Checks what the extension sends: enough of its shape that nothing here can trip over it. */
import type {
  ColumnFault,
  ColumnFormState,
  ColumnFormView,
  EnteredColumn,
  Inputs,
  Suggestions,
} from '../../protocol/column-form.ts';
import { fieldKinds, suggestionKinds } from '../../protocol/column-form.ts';
import {
  flag,
  isPlain,
  listOf,
  nullable,
  number,
  oneOf,
  optional,
  recordOf,
  shape,
  text,
  type Check,
} from '../common/checks.ts';
import { t } from '../common/language.ts';

const mapped = shape({ name: text, column: text });
const value: Check = (given) =>
  text(given) || flag(given) || listOf(text)(given) || listOf(mapped)(given);
export const columnField = shape({
  name: text,
  label: text,
  kind: oneOf(fieldKinds),
  isNeeded: optional(flag),
  about: optional(text),
  options: optional(listOf(text)),
  isJson: optional(flag),
  count: optional(listOf(number)),
  suggests: optional(oneOf(suggestionKinds)),
  labelName: optional(text),
  of: optional(
    listOf(
      shape({
        ...{ kind: oneOf(['prompt', 'workflow']), name: text, release: text },
        inline: optional(text),
      }),
    ),
  ),
  takesColumns: optional(flag),
  when: optional(shape({ field: text, is: text })),
});
const suggestions = shape({
  items: listOf(shape({ value: text, detail: text, goesOn: optional(flag) })),
  problem: nullable(text),
});
const inputs = shape({ names: nullable(listOf(text)), about: text });
export const typeForm = shape({
  ...{ type: text, label: text, about: text },
  fields: listOf(columnField),
});
export const enteredValues = recordOf(value);
const target = shape({
  formId: text,
  connectionId: text,
  tableId: text,
  sheetId: text,
  columnId: nullable(text),
  place: nullable(shape({ columnId: text, side: oneOf(['left', 'right']) })),
});
const entered = shape({ title: text, type: text, values: enteredValues });
const view = shape({
  sheet: text,
  connection: shape({ name: text, local: flag }),
  column: nullable(shape({ title: text, type: text, values: enteredValues })),
  draft: nullable(entered),
  columns: listOf(text),
  types: listOf(typeForm),
  target,
});

const misfit = (what: string): Error =>
  new Error(
    t('The extension sent {0} that the form does not understand. Reload the window.', what),
  );

export function asView(given: unknown): ColumnFormView {
  if (!view(given)) throw misfit(t('a column'));
  return given as ColumnFormView;
}

/** What was typed before the window was loaded anew, when it is of this form. */
export function enteredIn(state: unknown, { target: of }: ColumnFormView): EnteredColumn | null {
  if (!isPlain(state) || !target(state['target']) || !entered(state['entered'])) return null;
  const kept = state as unknown as ColumnFormState;
  return JSON.stringify(kept.target) === JSON.stringify(of) ? kept.entered : null;
}

export function asFault(given: unknown): ColumnFault | null {
  if (given === null) return null;
  const fits = isPlain(given) && text(given['message']) && nullable(text)(given['field']);
  if (!fits) throw misfit(t('an answer'));
  return given as unknown as ColumnFault;
}

export function asSuggestions(given: unknown): Suggestions {
  if (!suggestions(given)) throw misfit(t('an answer'));
  return given as Suggestions;
}

export function asInputs(given: unknown): Inputs {
  if (!inputs(given)) throw misfit(t('an answer'));
  return given as Inputs;
}
