import type { Block, PastedTable } from '../../../protocol/grid-work.ts';
import { formsOf, isList, isTabbed, linesOf, withoutLastEnd, type Form } from './forms.ts';
import { readBeside } from './beside.ts';
import { readFields, readSeparated, type Field } from './separated.ts';

export interface Pasted {
  readonly text: string;
  /** A table of a page or a spreadsheet beside the text. */
  readonly table: PastedTable | null;
}

/** Cells, or what they may be: then somebody is asked. */
export type PasteReading =
  { readonly block: Block } | { readonly forms: readonly [Form, ...(readonly Form[])] };

/** Blanks of a page are no measure: it wraps lines and drops spaces. */
const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/**
 * Text and page of a spreadsheet tell each other's cells: the page where cells end, the text what
 * is in them, blank for blank. Spreadsheets quote a text where it needs it only. A text that has no
 * line break where the page has one has lost it.
 */
function together(cell: string, field: Field): string {
  const wanted = squeezed(cell);
  const isWhole = (text: string): boolean =>
    squeezed(text) === wanted && (!cell.includes('\n') || /[\r\n]/.test(text));
  if (isWhole(field.raw)) return field.raw;
  return field.isQuoted && isWhole(field.text) ? field.text : cell;
}

function readTable({ text, table }: Pasted & { readonly table: PastedTable }): Block {
  const cells = table.block;
  if (table.isExact) return readBeside(text, cells) ?? cells;
  const [only, ...more] = cells;
  if (only?.length === 1 && more.length === 0) {
    // Also a page that is laid out in a table: all of it is one text.
    const raw = withoutLastEnd(text);
    const [[field] = []] = readFields(text, '\t');
    const isOne = field?.raw === raw;
    const whole = { raw, text: isOne ? field.text : raw, isQuoted: isOne && field.isQuoted };
    return [[together(only[0] ?? '', whole)]];
  }
  const fields = readFields(text, '\t');
  const isSame =
    fields.length === cells.length &&
    fields.every((row, index) => row.length === cells[index]?.length);
  if (!isSame) return cells;
  return cells.map((row, at) =>
    row.map((cell, place) => {
      const field = fields[at]?.[place];
      return field === undefined ? cell : together(cell, field);
    }),
  );
}

/** Some editors copy the byte order mark of a file, which nobody sees and no comparison forgives. */
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** Reads what somebody else has put on the clipboard. Commas alone never part cells. */
export function readPaste({ text: given, table }: Pasted): PasteReading {
  const text = withoutMark(given);
  if (table?.isAll === true) return { block: readTable({ text, table }) };
  const plain = withoutLastEnd(text);
  if (table === null && !/[\t\r\n]/.test(plain)) return { block: [[plain]] };
  if (table === null && isTabbed(text)) return { block: readSeparated(text, '\t') };
  const lines = linesOf(text);
  if (table === null && isList(lines)) return { block: lines.map((line) => [line]) };
  return askedForms({ text, table });
}

/** Every way to read it. */
export function askedForms({ text, table }: Pasted): PasteReading {
  const [first, ...others] = formsOf(text, table);
  return first === undefined ? { block: [[text]] } : { forms: [first, ...others] };
}
