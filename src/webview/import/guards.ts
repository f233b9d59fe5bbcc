/** Checks what the extension sends: enough of its shape that nothing here can trip over it. */
import {
  type ImportCount,
  type ImportFault,
  type ImportLook,
  type ImportState,
  type ImportView,
  type ImportRequest,
} from '../../protocol/import.ts';
import {
  anyOf,
  flag,
  listOf,
  nullable,
  number,
  oneOf,
  recordOf,
  shape,
  text,
  whole,
  type Check,
} from '../common/checks.ts';
import { t } from '../common/language.ts';
import { readerOf } from '../common/read.ts';

const option = shape({ value: text, label: text });
const field = shape({ name: text, label: text, value: text, options: listOf(option), about: text });
const column = shape({ from: whole, name: text, title: text, about: text, goal: text });
const cell = shape({
  text,
  kind: oneOf(['text', 'number', 'boolean', 'json', 'empty', 'null']),
});
const look: Check<ImportLook> = shape({
  id: whole,
  fields: listOf(field),
  columns: listOf(column),
  rows: listOf(shape({ record: whole, cells: listOf(cell) })),
  lines: listOf(text),
  goals: listOf(option),
  question: nullable(text),
  fault: nullable(text),
});
const view: Check<ImportView> = shape({
  ...{ formId: text, fileName: text, table: text, sheets: listOf(option) },
  connection: shape({ name: text, local: flag }),
  ...{ sheetId: text, title: text },
});
const importRequest: Check<ImportRequest> = shape({
  ...{ choices: recordOf(text), sheetId: text, title: text },
  columns: listOf(shape({ from: whole, title: text, goal: text })),
});
const count: Check<ImportCount> = shape({
  look: whole,
  rows: text,
  remarks: listOf(text),
  fault: nullable(text),
});

const kept: Check<ImportState> = shape({ formId: text, importRequest });
const fault: Check<ImportFault> = shape({
  message: text,
  field: nullable(anyOf(oneOf(['title']), number)),
});

const read = readerOf('form');
export const asView = read(view, () => t('a file'));
export const asLook = read(look, () => t('rows of a file'));
export const asCount = read(count, () => t('a count'));
export const asFault = read(nullable(fault), () => t('an answer'));

/** What was chosen before the page went away, when it is of this form. */
export const requestIn = (state: unknown, { formId }: ImportView): ImportRequest | null =>
  kept(state) && state.formId === formId ? state.importRequest : null;
