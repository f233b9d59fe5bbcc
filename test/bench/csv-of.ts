/** A CSV file of so many rows and columns, with texts of some 30 characters. */
export function csvOf(rows: number, columns: number): string {
  const numbers = Array.from({ length: columns }, (_, column) => column);
  const lines = [numbers.map((column) => `Column ${String(column)}`).join(',')];
  for (let row = 0; row < rows; row += 1) {
    lines.push(
      numbers.map((column) => `value ${String(row)} of ${String(column)} with some text`).join(','),
    );
  }
  return lines.join('\n');
}
