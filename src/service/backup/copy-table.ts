import type { DatabaseSync } from 'node:sqlite';
import type { Session, SqlValue } from '../store/database.ts';
import { RowsDigest, sizeOf } from './rows-digest.ts';
import type { SourceTable } from './source-tables.ts';

const BATCH_ROWS = 1000;
const BATCH_SIZE = 4 * 2 ** 20;

export interface Copied {
  readonly rowCount: number;
  readonly digest: string;
  /** Characters and bytes of the largest row. */
  readonly largestRow: number;
}

/** Sends the rows of a table in batches that memory holds easily, and what its counter stands at. */
export async function copyTable(
  source: DatabaseSync,
  target: Session,
  { name, columns, serial }: SourceTable,
): Promise<Copied> {
  const digest = new RowsDigest();
  let batch: SqlValue[][] = [];
  let batchSize = 0;
  let largestRow = 0;
  const send = async (): Promise<void> => {
    await target.insertMany({ table: name, columns }, batch);
    batch = [];
    batchSize = 0;
  };
  const rows = source.prepare(`select ${Object.keys(columns).join(', ')} from ${name}`).iterate();
  for (const row of rows) {
    const values = Object.keys(columns).map((column) => storable(row[column] as SqlValue));
    const size = sizeOf(values);
    digest.add(values);
    largestRow = Math.max(largestRow, size);
    batch.push(values);
    batchSize += size;
    if (batch.length >= BATCH_ROWS || batchSize >= BATCH_SIZE) await send();
  }
  await send();
  if (serial !== undefined && serial.last > 0) {
    await target.query(`select setval(pg_get_serial_sequence('${name}', '${serial.column}'), ?)`, [
      serial.last,
    ]);
  }
  return { ...digest.end(), largestRow };
}

/** What PostgreSQL can not hold in a text is stored as its symbol there, here as in the service. */
const storable = (value: SqlValue): SqlValue =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u2400') : value;

/** The same sum over what is in PostgreSQL now, read through a cursor. */
export async function digestOfTarget(
  target: Session,
  { name, columns }: SourceTable,
  largestRow: number,
): Promise<{ rowCount: number; digest: string }> {
  const digest = new RowsDigest();
  const names = Object.keys(columns);
  const fetched = Math.max(1, Math.min(BATCH_ROWS, Math.floor(BATCH_SIZE / (largestRow + 1))));
  await target.run(`declare moved no scroll cursor for select ${names.join(', ')} from ${name}`);
  for (;;) {
    const rows = await target.query<Record<string, SqlValue>>(
      `fetch forward ${String(fetched)} from moved`,
    );
    if (rows.length === 0) break;
    for (const row of rows) digest.add(names.map((column) => row[column] ?? null));
  }
  await target.run('close moved');
  return digest.end();
}
