import { writeXlsxStream } from 'hucre/xlsx';
import type { Encode, FileCell } from './shape.ts';
import { errorOf, hasValue, headerOf, statusOf } from './shape.ts';

/** More than that in one cell is a file that Excel calls damaged. */
const MOST_CHARACTERS = 32_767;
const ENDING = '… (cut)';
/** Excel keeps no more digits of a number. */
const MOST_DIGITS = 15;
const INTEGER_OR_DECIMAL = /^-?(\d+)(?:\.(\d+))?(?:[eE][+-]?\d+)?$/;

export interface XlsxOptions {
  readonly sheetTitle: string;
  /** A text was too long for a cell. */
  readonly onCut?: () => void;
}

type Value = string | number | boolean | null;

/** Excel reads `_x0041_` as the letter A; a text that happens to hold this must say so. */
const escaped = (text: string): string => text.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');

/** Half of a pair of code units is no character, and no XML. */
const ended = (text: string): string => (/[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text);

/** Whether Excel keeps all digits. */
function isKept(text: string): boolean {
  const [, whole = '', decimals = ''] = INTEGER_OR_DECIMAL.exec(text) ?? [];
  const digits = `${whole}${decimals}`.replace(/^0+/, '').replace(/0+$/, '');
  return digits.length <= MOST_DIGITS && Number.isFinite(Number(text));
}

/** Characters that no sheet's name may have, and the length that it may have. */
const sheetName = (title: string): string =>
  ended(
    title
      .replaceAll(/[[\]:*?/\\\p{Cc}]/gu, ' ')
      .trim()
      .replaceAll(/^'+|'+$/g, '')
      .slice(0, 28),
  ) || 'Sheet';

/**
 * An Excel file, written while the rows come. Texts are texts there, also those that look like
 * formulas; numbers of which Excel would drop digits are texts. Rows beyond Excel's limit go into
 * further sheets.
 */
export function xlsx({ sheetTitle, onCut }: XlsxOptions): Encode {
  const text = (given: string): string => {
    const whole = escaped(given);
    if (whole.length <= MOST_CHARACTERS) return whole;
    onCut?.();
    return ended(whole.slice(0, MOST_CHARACTERS - ENDING.length)) + ENDING;
  };
  const valueOf = (cell: FileCell | undefined): Value => {
    if (!hasValue(cell)) return null;
    const { value } = cell;
    if (value === null || value === 'null') return null;
    if (value === 'true' || value === 'false') return value === 'true';
    if (value.startsWith('"')) return text(JSON.parse(value) as string);
    if (value.startsWith('{') || value.startsWith('[')) return text(value);
    return isKept(value) ? Number(value) : value;
  };
  return async function* encode(plan) {
    async function* rows(): AsyncGenerator<Value[], void> {
      for await (const page of plan.pages()) {
        for (const { rowIndex, cells } of page) {
          yield plan.content === 'values'
            ? plan.columns.map((_, position) => valueOf(cells[position]))
            : [
                rowIndex,
                ...plan.columns.flatMap((column, position): Value[] => {
                  const cell = cells[position];
                  return [valueOf(cell), statusOf(column, cell), text(errorOf(cell) ?? '')];
                }),
              ];
        }
      }
    }
    const columns = headerOf(plan).map((header) => ({ header: text(header) }));
    yield* writeXlsxStream(rows(), {
      name: sheetName(sheetTitle),
      columns,
      freezePane: { rows: 1 },
    });
  };
}
