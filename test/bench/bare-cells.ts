/** What an engine can't do without: `node:sqlite` alone writes the results into the same tables. */
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { TestSheet } from '../support/engine/sheet.ts';

const CELLS_A_TRANSACTION = 1000;

/** Writes the values of a queued column; answers microseconds of processor time for each cell. */
export function writeBare(path: string, sheet: TestSheet, title: string, rows: number): number {
  const database = new DatabaseSync(path);
  database.exec('pragma synchronous = full; pragma cache_size = -65536');
  const write = database.prepare(
    `insert into cells (sheet_key, row_index, column_key, status, previous_status, operation_key, value, num,
       input_hash, execution_id, last_computed_version, updated_at)
     values (?, ?, ?, 'completed', null, null, ?, ?, ?, ?, ?, ?)
     on conflict (sheet_key, row_index, column_key) do update set status = excluded.status,
       previous_status = excluded.previous_status, operation_key = excluded.operation_key,
       value = excluded.value, num = excluded.num, input_hash = excluded.input_hash,
       execution_id = excluded.execution_id, last_computed_version = excluded.last_computed_version,
       updated_at = excluded.updated_at`,
  );
  const key = sheet.column(title);
  const hashes = Array.from({ length: rows }, (_, row) =>
    createHash('sha256').update(String(row)).digest('hex').slice(0, 32),
  );
  const before = process.cpuUsage();
  for (let first = 0; first < rows; first += CELLS_A_TRANSACTION) {
    database.exec('begin immediate');
    for (let row = first; row < Math.min(rows, first + CELLS_A_TRANSACTION); row += 1) {
      const [hash, now] = [hashes[row] ?? '', Date.now()];
      write.run(sheet.key, row, key, '15', 15, hash, sheet.record.id, first, now);
    }
    database.exec('commit');
  }
  const { user, system } = process.cpuUsage(before);
  database.close();
  return (user + system) / rows;
}
