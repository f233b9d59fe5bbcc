/** Checks what the extension sends: enough of its shape that nothing here can trip over it. */
import {
  type ImportCount,
  type ImportFault,
  type ImportLook,
  type ImportState,
  type ImportView,
  type ImportWish,
} from '../../protocol/import.ts';
import {
  flag,
  isPlain,
  listOf,
  nullable,
  number,
  oneOf,
  recordOf,
  shape,
  text,
  whole,
} from '../common/checks.ts';
import { t } from '../common/language.ts';

const option = shape({ value: text, label: text });
const field = shape({ name: text, label: text, value: text, options: listOf(option), about: text });
const column = shape({ from: whole, name: text, title: text, about: text, goal: text });
const cell = shape({
  text,
  kind: oneOf(['text', 'number', 'boolean', 'json', 'empty', 'null']),
});
const look = shape({
  id: whole,
  fields: listOf(field),
  columns: listOf(column),
  rows: listOf(shape({ record: whole, cells: listOf(cell) })),
  lines: listOf(text),
  goals: listOf(option),
  question: nullable(text),
  fault: nullable(text),
});
const view = shape({
  ...{ formId: text, fileName: text, table: text, sheets: listOf(option) },
  connection: shape({ name: text, local: flag }),
  ...{ sheetId: text, title: text },
});
const wish = shape({
  ...{ choices: recordOf(text), sheetId: text, title: text },
  columns: listOf(shape({ from: whole, title: text, goal: text })),
});
const count = shape({ look: whole, rows: text, remarks: listOf(text), fault: nullable(text) });

const misfit = (what: string): Error =>
  new Error(
    t('The extension sent {0} that the form does not understand. Reload the window.', what),
  );

export function asView(given: unknown): ImportView {
  if (!view(given)) throw misfit(t('a file'));
  return given as ImportView;
}

export function asLook(given: unknown): ImportLook {
  if (!look(given)) throw misfit(t('rows of a file'));
  return given as ImportLook;
}

export function asCount(given: unknown): ImportCount {
  if (!count(given)) throw misfit(t('a count'));
  return given as ImportCount;
}

/** What was chosen before the page went away, when it is of this form. */
export function wishIn(state: unknown, { formId }: ImportView): ImportWish | null {
  if (!isPlain(state) || state['formId'] !== formId || !wish(state['wish'])) return null;
  return (state as unknown as ImportState).wish;
}

export function asFault(given: unknown): ImportFault | null {
  if (given === null) return null;
  const fits =
    isPlain(given) &&
    text(given['message']) &&
    (given['field'] === null || given['field'] === 'title' || number(given['field']));
  if (!fits) throw misfit(t('an answer'));
  return given as unknown as ImportFault;
}
