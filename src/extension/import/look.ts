import { suggestTitles } from '../../core/imports/titles.ts';
import type { ValueText } from '../../core/imports/table.ts';
import {
  newColumn,
  noColumn,
  type ImportCell,
  type ImportChoices,
  type ImportColumn,
  type ImportFault,
  type ImportLook,
  type ImportOption,
  type ImportRequest,
} from '../../protocol/import.ts';
import type { Translate } from '../shell/translate.ts';
import { fieldsOf, questionOf } from './fields.ts';
import type { FirstRows } from './task.ts';
import { faultText, type Words } from './words.ts';
import { shortened } from '../../core/shortened.ts';

/** A column of the sheet that rows are added to. */
export interface SheetColumn {
  readonly id: string;
  readonly title: string;
  readonly type: string;
}

/** More of a value, or of a line, is not shown. */
const LONGEST_SHOWN = 300;

const shown = (text: string): string => shortened(text, LONGEST_SHOWN);

/** A value as it will be stored, and of which kind it is. */
export function cellOf(value: ValueText): ImportCell {
  if (value === null || value === 'null') return { text: '', kind: 'null' };
  if (value.startsWith('"')) {
    const text = JSON.parse(value) as string;
    return { text: shown(text), kind: text === '' ? 'empty' : 'text' };
  }
  if (value === 'true' || value === 'false') return { text: value, kind: 'boolean' };
  const isNested = value.startsWith('{') || value.startsWith('[');
  return { text: shown(value), kind: isNested ? 'json' : 'number' };
}

const fillable = (columns: readonly SheetColumn[]): readonly SheetColumn[] =>
  columns.filter(({ type }) => type === 'TEXT');

/** Null: the sheet is a new one. */
function columnsOf(
  { fields, form }: FirstRows,
  sheet: readonly SheetColumn[] | null,
  t: Translate,
): readonly ImportColumn[] {
  const free = new Map(fillable(sheet ?? []).map((column) => [column.title, column]));
  const taken = new Set((sheet ?? []).map(({ title }) => title));
  return suggestTitles(fields).map(({ title, because }, from) => {
    const name = fields[from] ?? '';
    const same = free.get(title);
    free.delete(title);
    const about = {
      empty: t('The column has no title in the file.'),
      repeated: t('The file uses this title more than once.'),
      long: t('The title of the file is longer than 255 characters.'),
    };
    const isComputed = same === undefined && taken.has(title);
    return {
      ...{ from, name, title },
      about: isComputed
        ? t('The sheet has a computed column with this title.')
        : because === null || form.hasHeader === false
          ? ''
          : about[because],
      goal: same?.id ?? (isComputed ? noColumn : newColumn),
    };
  });
}

interface Asked {
  readonly id: number;
  readonly choices: ImportChoices;
  readonly sheet: readonly SheetColumn[] | null;
}

/** What a page shows of a file that was opened. */
export function lookOf(first: FirstRows, { id, choices, sheet }: Asked, words: Words): ImportLook {
  const { t } = words;
  const { form, rows, lines, fault } = first;
  const goals: ImportOption[] = fillable(sheet ?? []).map((column) => ({
    value: column.id,
    label: column.title,
  }));
  return {
    id,
    fields: fieldsOf(form, choices, t),
    columns: columnsOf(first, sheet, t),
    rows: rows.map(({ record, values }) => ({ record, cells: values.map(cellOf) })),
    lines: lines.map(shown),
    goals,
    question: questionOf(form, choices, t),
    fault: fault === null ? null : faultText(fault, words),
  };
}

/** What of the columns can't be imported as it was chosen. */
export function faultOfRequest(
  { columns, sheetId, title }: ImportRequest,
  sheet: readonly SheetColumn[] | null,
  t: Translate,
): ImportFault | null {
  if (sheetId === '' && title.trim() === '')
    return { field: 'title', message: t('Enter a title for the sheet.') };
  const taken = columns.filter(({ goal }) => goal !== noColumn);
  if (taken.length === 0) return { field: null, message: t('Select at least one column.') };
  const titles = new Set((sheet ?? []).map((column) => column.title));
  const goals = new Set<string>();
  for (const { from, goal, title: own } of taken) {
    const named = own.trim();
    if (goal !== newColumn) {
      if (goals.has(goal))
        return { field: from, message: t('Another column of the file already goes to this one.') };
      goals.add(goal);
      continue;
    }
    if (named === '') return { field: from, message: t('Enter a title for the column.') };
    if (named.length > 255) return { field: from, message: t('At most 255 characters.') };
    if (titles.has(named))
      return { field: from, message: t('A column with this title already exists.') };
    titles.add(named);
  }
  return null;
}
