import type { Encode, ExportPlan, FileRow } from './shape.ts';
import { hasValue, statusOf } from './shape.ts';

const encoder = new TextEncoder();

/**
 * A row as the JSON text of an object. Values are copied as the text that they are stored as, so
 * every digit is kept; a cell that has no value, because it failed or never ran, has no field.
 */
function rowWriter({ columns, titles, content }: ExportPlan): (row: FileRow) => string {
  const names = titles.map((title) => `${JSON.stringify(title)}:`);
  if (content === 'values') {
    return ({ cells }) => {
      const fields: string[] = [];
      for (const [position, cell] of cells.entries()) {
        if (hasValue(cell)) fields.push(`${names[position] ?? ''}${cell.value ?? 'null'}`);
      }
      return `{${fields.join(',')}}`;
    };
  }
  return ({ rowIndex, cells }) => {
    const fields = columns.map((column, position) => {
      const cell = cells[position];
      const parts = [`"status":"${statusOf(column, cell)}"`];
      if (hasValue(cell)) parts.push(`"value":${cell.value ?? 'null'}`);
      if (cell !== undefined && cell.error !== null) {
        parts.push(`"error":${JSON.stringify(cell.error)}`);
        parts.push(`"error_message":${JSON.stringify(cell.error_message)}`);
      }
      return `${names[position] ?? ''}{${parts.join(',')}}`;
    });
    return `{"row_index":${String(rowIndex)},"cells":{${fields.join(',')}}}`;
  };
}

/** One array, a row a line. */
export const json: Encode = async function* encode(plan) {
  const write = rowWriter(plan);
  let isFirst = true;
  yield encoder.encode('[');
  for await (const rows of plan.pages()) {
    if (rows.length === 0) continue;
    const text = rows.map(write).join(',\n');
    yield encoder.encode(`${isFirst ? '\n' : ',\n'}${text}`);
    isFirst = false;
  }
  yield encoder.encode('\n]\n');
};

/** An object a line. */
export const jsonLines: Encode = async function* encode(plan) {
  const write = rowWriter(plan);
  for await (const rows of plan.pages()) {
    yield encoder.encode(rows.map((row) => `${write(row)}\n`).join(''));
  }
};
