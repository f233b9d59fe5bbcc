import { ExactNumber } from '../../../api/exact-number.ts';
import { parseJsonAsWritten, stringifyJson } from '../../../core/http/json.ts';
import type { Block, PasteForm, PastedTable } from '../../../protocol/grid-work.ts';
import { blockWidth } from '../../../protocol/grid-work.ts';
import { isRectangular, readFields, readSeparated } from './separated.ts';

/** A way to read what is on the clipboard. */
export interface Form {
  readonly form: PasteForm;
  readonly block: Block;
}

const lineEnd = /\r\n|\r|\n/;

/** A text without the end of its last line. */
export const withoutLastEnd = (text: string): string => text.replace(/(?:\r\n|\r|\n)$/, '');

export const linesOf = (text: string): readonly string[] => withoutLastEnd(text).split(lineEnd);

function parsed(text: string): unknown {
  try {
    return parseJsonAsWritten(text);
  } catch {
    return undefined; // is no JSON
  }
}

const isHolder = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof ExactNumber);

/** A list of records, or one record on each line; undefined: it is neither. */
function recordsIn(text: string): readonly object[] | undefined {
  const start = text.trimStart()[0];
  if (start !== '[' && start !== '{') return undefined;
  const whole = parsed(text);
  if (Array.isArray(whole)) {
    return whole.length > 0 && whole.every(isHolder) ? whole : undefined;
  }
  if (isHolder(whole)) return undefined;
  const lines = linesOf(text).filter((line) => line.trim() !== '');
  const values: object[] = [];
  for (const line of lines) {
    const value = parsed(line);
    if (!isHolder(value)) return undefined;
    values.push(value);
  }
  return values.length > 1 ? values : undefined;
}

const cellText = (value: unknown): string | null => {
  if (value === undefined) return '';
  if (value === null) return null;
  return typeof value === 'string' ? value : stringifyJson(value);
};

/** One row a record: by place, or by the names that occur, in the order they first do. */
function recordRows(records: readonly object[]): Block {
  if (records.every((record) => Array.isArray(record))) {
    return records.map((record) => (record as readonly unknown[]).map(cellText));
  }
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  return records.map((record) => {
    const values = new Map(Object.entries(record));
    return [...names].map((name) => cellText(values.get(name)));
  });
}

const isJsonText = (text: string): boolean => {
  const start = text.trimStart()[0];
  return (start === '{' || start === '[' || start === '"') && parsed(text) !== undefined;
};

/**
 * Whether tabs part cells: as many on each line, as a spreadsheet copies them. Not those that indent
 * code, nor those between the tokens of JSON.
 */
export function isTabbed(text: string): boolean {
  if (!text.includes('\t') || isJsonText(text) || recordsIn(text) !== undefined) return false;
  // A piece of JSON, whose keys are followed by tabs.
  if (/":\t/.test(text)) return false;
  const rows = readFields(text, '\t');
  return isRectangular(rows) && rows.some(([first]) => first?.raw !== '');
}

/** More lines than a text for one cell has, when none of them is blank. */
const longList = 100;

/** A column of words, of names or of addresses: nothing that could be prose, JSON, markup or separated values. */
export function isList(lines: readonly string[]): boolean {
  const isPlain = lines.every((line) => line.trim() !== '' && !/[,;{}[\]"<>]/.test(line));
  return isPlain && (lines.length > longList || lines.every((line) => !/\s/.test(line)));
}

/** All that a text may mean, the likeliest first. */
export function formsOf(text: string, table: PastedTable | null): readonly Form[] {
  const plain = withoutLastEnd(text);
  const lines = linesOf(text);
  const cell: Form = { form: 'cell', block: [[plain]] };
  const rows: Form = { form: 'lines', block: lines.map((line) => [line]) };
  const records = recordsIn(text);
  const json: readonly Form[] =
    records === undefined ? [] : [{ form: 'json', block: recordRows(records) }];
  const comma = readSeparated(text, ',');
  const csv: readonly Form[] = blockWidth(comma) > 1 ? [{ form: 'csv', block: comma }] : [];
  const tsv: readonly Form[] = text.includes('\t')
    ? [{ form: 'tsv', block: readSeparated(text, '\t') }]
    : [];
  const page: readonly Form[] = table === null ? [] : [{ form: 'table', block: table.block }];
  const isOneText = lines.some((line) => line.trim() === '') || isJsonText(plain);
  const whole = lines.length > 1 ? (isOneText ? [cell, rows] : [rows, cell]) : [cell];
  return [...page, ...whole, ...json, ...tsv, ...csv];
}
