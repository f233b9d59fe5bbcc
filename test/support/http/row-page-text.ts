export interface PageSpec {
  /** Which values need more than a double, or look as if they did. */
  readonly exactNumbers: 'none' | 'few' | 'column' | 'all' | 'doubles';
  readonly textLength?: number;
}

const hex = (seed: number, length: number): string => {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += state.toString(16).padStart(8, '0');
  }
  return text.slice(0, length);
};

const uuid = (seed: number): string => {
  const text = hex(seed, 32);
  return [0, 8, 12, 16, 20]
    .map((from, index, starts) => text.slice(from, starts[index + 1]))
    .join('-');
};

/** The body of a row page as the service sends it: ids, hashes, times, some metrics. */
export function makeRowPageText({
  rows,
  columns,
  exactNumbers,
  textLength = 24,
}: PageSpec & { readonly rows: number; readonly columns: number }): string {
  const columnIds = Array.from({ length: columns }, (_, index) => uuid(index + 1));
  const valueOf = (row: number, column: number): string => {
    const isNumber = column % 4 === 3;
    switch (exactNumbers) {
      case 'all':
        return `9007199254${String(740_993 + 2 * (row * columns + column)).padStart(6, '0')}1`;
      case 'doubles':
        return String((row + 1) / ((column + 2) * 7.1));
      case 'few':
        if (row % 20 === 0 && column === 3) return '9223372036854775807';
        break;
      case 'column':
        if (column === 3) return `92233720368547758${String(row).padStart(2, '0')}`;
        break;
      case 'none':
        break;
    }
    if (isNumber) return String(row * 100 + column);
    const words = `Row ${row}, "column" ${column} — ${'lorem ipsum dolor '.repeat(Math.ceil(textLength / 18))}`;
    return JSON.stringify(words.slice(0, textLength + 12));
  };
  const cellOf = (row: number, column: number): string => {
    const value = valueOf(row, column);
    const isComputed = column % 2 === 1;
    const metrics =
      column % 5 === 4
        ? `{"request_count":1,"request_ids":[${row * 1_000 + column}],"latency_ms":${900 + row},"price":0.00${row + 10},"input_tokens":120,"output_tokens":40,"trace_ids":["${hex(row + column, 32)}"]}`
        : 'null';
    return `{"id":"${uuid(row * 1_000 + column)}","sheet_id":"${uuid(7)}","column_id":"${columnIds[column] ?? ''}","row_index":${row},"status":"completed","display_value":${JSON.stringify(value.replaceAll('"', ''))},"value":${value},"error":null,"input_hash":${isComputed ? `"${hex(row + column, 64)}"` : 'null'},"updated_at":"2026-08-01T10:${String(row % 60).padStart(2, '0')}:00.123456Z","request_metrics":${metrics},"execution_id":${isComputed ? `"${uuid(row + 5)}"` : 'null'},"last_computed_version":${isComputed ? 12 : 'null'},"error_message":null}`;
  };
  const data = Array.from({ length: rows }, (_, row) => {
    const cells = columnIds.map((id, column) => `"${id}":${cellOf(row, column)}`);
    return `{"row_index":${row},"cells":{${cells.join(',')}}}`;
  });
  const columnTexts = columnIds.map(
    (id, index) =>
      `{"id":"${id}","sheet_id":"${uuid(7)}","workspace_id":1,"title":"Column ${index}","type":"TEXT","config":{},"position_rank":${index + 0.5},"is_output_column":false}`,
  );
  return `{"success":true,"data":[${data.join(',')}],"next_cursor":"abc","has_more":true,"row_count":100000,"columns":[${columnTexts.join(',')}],"version":12,"pagination":{"next_cursor":"abc","has_more":true,"limit":100}}`;
}
