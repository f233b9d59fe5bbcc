import type { Remarks, Table, TableRow, ValueText } from './table.ts';

/** A column of a file that is taken. */
export interface TakenColumn {
  /** Place among the fields of the table, from 0. */
  readonly from: number;
  readonly title: string;
}

/** How rows are written down for a service. */
export type UploadFormat = 'csv' | 'json';

const NEEDS_QUOTES = /[",;\t|\r\n]/;

/** Quoted wherever another delimiter could be meant: whoever reads it has to find the comma. */
const quoted = (text: string): string =>
  text === '' || NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const csvField = (value: ValueText): string =>
  value === null ? '' : quoted(value.startsWith('"') ? (JSON.parse(value) as string) : value);

/** What a service reads as the same rows. A part of the text for each batch. */
export async function* uploadText(
  table: Table,
  columns: readonly TakenColumn[],
  format: UploadFormat,
  remarks: Remarks,
): AsyncGenerator<{ readonly text: string; readonly rows: number }, void, undefined> {
  const write = format === 'csv' ? csvRow(columns) : jsonRow(columns);
  if (format === 'csv')
    yield { text: `${columns.map(({ title }) => quoted(title)).join(',')}\n`, rows: 0 };
  else yield { text: '[', rows: 0 };
  let isFirst = true;
  for await (const rows of table.rows(remarks)) {
    let text = '';
    for (const row of rows) {
      if (format === 'json') text += isFirst ? '\n' : ',\n';
      text += write(row, isFirst);
      isFirst = false;
    }
    yield { text, rows: rows.length };
  }
  if (format === 'json') yield { text: '\n]\n', rows: 0 };
}

type WriteRow = (row: TableRow, isFirst: boolean) => string;

const csvRow =
  (columns: readonly TakenColumn[]): WriteRow =>
  ({ values }) =>
    `${columns.map(({ from }) => csvField(values[from] ?? null)).join(',')}\n`;

/** The first object names all columns in their order; in the others what is null is left out. */
function jsonRow(columns: readonly TakenColumn[]): WriteRow {
  const names = columns.map(({ title }) => `${JSON.stringify(title)}:`);
  return ({ values }, isFirst) => {
    const fields: string[] = [];
    for (const [place, { from }] of columns.entries()) {
      const value = values[from] ?? null;
      if (value !== null || isFirst) fields.push(`${names[place] ?? ''}${value ?? 'null'}`);
    }
    return `{${fields.join(',')}}`;
  };
}

/** A JSON object has names such as `2024` first, whatever their order is. */
const isArrayIndex = (title: string): boolean => /^(?:0|[1-9]\d*)$/.test(title);

/**
 * What a sheet can be made of: texts as CSV, where a line says all (a line of one field can't be
 * null); values of other kinds as JSON. Undefined: of neither, so that rows are added one by one.
 */
export function uploadFormat(
  isText: boolean,
  columns: readonly TakenColumn[],
): UploadFormat | undefined {
  if (isText && columns.length > 1) return 'csv';
  return columns.some(({ title }) => isArrayIndex(title)) ? undefined : 'json';
}
