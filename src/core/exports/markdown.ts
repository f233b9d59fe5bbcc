import type { Encode, FileCell } from './shape.ts';
import { errorOf, hasValue, headerOf, statusOf } from './shape.ts';

const encoder = new TextEncoder();

/** Text that Markdown shows as it is, in one line. */
export const literal = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_{}[\]|~]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, '<br>')
    .replaceAll('\t', '&#9;');

function valueText(cell: FileCell | undefined): string {
  if (!hasValue(cell)) return '';
  const { value } = cell;
  if (value === null || value === 'null') return '*null*';
  if (value === '""') return '*empty*';
  return literal(value.startsWith('"') ? (JSON.parse(value) as string) : value);
}

const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |\n`;

/** One table. Null and the empty text are named; a cell without a value is left blank. */
export const markdown: Encode = async function* encode(plan) {
  const names = headerOf(plan);
  yield encoder.encode(line(names.map(literal)) + line(names.map(() => '---')));
  for await (const rows of plan.pages()) {
    let text = '';
    for (const { rowIndex, cells } of rows) {
      text += line(
        plan.content === 'values'
          ? cells.map(valueText)
          : [
              String(rowIndex),
              ...plan.columns.flatMap((column, position) => {
                const cell = cells[position];
                return [valueText(cell), statusOf(column, cell), literal(errorOf(cell) ?? '')];
              }),
            ],
      );
    }
    yield encoder.encode(text);
  }
};
