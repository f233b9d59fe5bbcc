import { guardFormula } from './formula-guard.ts';
import type { Encode, FileCell, FileColumn } from './shape.ts';
import { errorOf, hasValue, headerOf, statusOf } from './shape.ts';

const encoder = new TextEncoder();
const LINE_END = '\r\n';

const NEEDS_QUOTES = /["\r\n]|^\s|\s$/;

export interface CsvOptions {
  /** Text that a spreadsheet would run gets an apostrophe in front. */
  readonly guard: boolean;
  /** Between fields; default a comma. */
  readonly separator?: string;
  /** Begins with the mark that tells spreadsheets of UTF-8. */
  readonly isMarked?: boolean;
}

/**
 * RFC 4180. Text stands as it is, everything else as its JSON, every digit kept; null, and a cell
 * without a value, are an empty field, the empty text is `""`.
 */
export function csv({ guard, separator = ',', isMarked = false }: CsvOptions): Encode {
  const safe = guard ? guardFormula : (text: string) => text;
  /** Quoted where it must be, and where it is empty: nothing at all means that there is no value. */
  const field = (text: string): string =>
    text === '' || text.includes(separator) || NEEDS_QUOTES.test(text)
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const valueField = (cell: FileCell | undefined): string => {
    const value = cell?.value ?? null;
    if (value === null || value === 'null') return '';
    return field(value.startsWith('"') ? safe(JSON.parse(value) as string) : value);
  };
  const cellFields = (column: FileColumn, cell: FileCell | undefined): string[] => {
    const message = errorOf(cell);
    return [
      valueField(hasValue(cell) ? cell : undefined),
      statusOf(column, cell),
      message === null ? '' : field(safe(message)),
    ];
  };
  return async function* encode(plan) {
    const names = headerOf(plan).map((name) => field(safe(name)));
    yield encoder.encode((isMarked ? '\uFEFF' : '') + names.join(separator) + LINE_END);
    const { columns, content } = plan;
    for await (const rows of plan.pages()) {
      let text = '';
      for (const { rowIndex, cells } of rows) {
        const fields =
          content === 'values'
            ? cells.map(valueField)
            : [
                String(rowIndex),
                ...columns.flatMap((column, position) => cellFields(column, cells[position])),
              ];
        // A lone empty field would be an empty line, which readers skip.
        text +=
          (fields.length === 1 && fields[0] === '' ? '""' : fields.join(separator)) + LINE_END;
      }
      yield encoder.encode(text);
    }
  };
}
