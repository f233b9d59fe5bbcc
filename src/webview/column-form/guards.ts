/** Checks what the extension sends: enough of its shape that nothing here can trip over it. */
import type {
  ColumnFault,
  ColumnField,
  ColumnFormState,
  ColumnFormTarget,
  ColumnFormView,
  ColumnTypeForm,
  EnteredColumn,
  FieldValue,
  Inputs,
  Suggestions,
} from '../../protocol/column-form.ts';
import { fieldKinds, suggestionKinds } from '../../protocol/column-form.ts';
import {
  anyOf,
  flag,
  listOf,
  nullable,
  number,
  oneOf,
  optional,
  pairOf,
  recordOf,
  shape,
  text,
  type Check,
} from '../common/checks.ts';
import { t } from '../common/language.ts';
import { readerOf } from '../common/read.ts';

const mapped = shape({ name: text, column: text });
const value: Check<FieldValue> = anyOf(text, flag, listOf(text), listOf(mapped));
export const columnField: Check<ColumnField> = shape({
  name: text,
  label: text,
  kind: oneOf(fieldKinds),
  isNeeded: optional(flag),
  about: optional(text),
  options: optional(listOf(text)),
  isJson: optional(flag),
  count: optional(pairOf(number)),
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
  takesNull: optional(flag),
  when: optional(shape({ field: text, is: text })),
});
const suggestions: Check<Suggestions> = shape({
  items: listOf(shape({ value: text, detail: text, goesOn: optional(flag) })),
  problem: nullable(text),
});
const inputs: Check<Inputs> = shape({ names: nullable(listOf(text)), about: text });
export const typeForm: Check<ColumnTypeForm> = shape({
  ...{ type: text, label: text, about: text },
  fields: listOf(columnField),
});
export const enteredValues = recordOf(value);
const target: Check<ColumnFormTarget> = shape({
  formId: text,
  connectionId: text,
  tableId: text,
  sheetId: text,
  columnId: nullable(text),
  place: nullable(shape({ columnId: text, side: oneOf(['left', 'right']) })),
});
const entered: Check<EnteredColumn> = shape({ title: text, type: text, values: enteredValues });
const view: Check<ColumnFormView> = shape({
  sheet: text,
  connection: shape({ name: text, local: flag }),
  column: nullable(shape({ title: text, type: text, values: enteredValues })),
  draft: nullable(entered),
  columns: listOf(text),
  types: listOf(typeForm),
  target,
});

const kept: Check<ColumnFormState> = shape({ target, entered: nullable(entered) });
const fault: Check<ColumnFault> = shape({ message: text, field: nullable(text) });

const read = readerOf('form');
export const asView = read(view, () => t('a column'));
export const asFault = read(nullable(fault), () => t('an answer'));
export const asSuggestions = read(suggestions, () => t('an answer'));
export const asInputs = read(inputs, () => t('an answer'));

/** What was typed before the window was loaded anew, when it is of this form. */
export const enteredIn = (state: unknown, { target: of }: ColumnFormView): EnteredColumn | null =>
  kept(state) && JSON.stringify(state.target) === JSON.stringify(of) ? state.entered : null;
