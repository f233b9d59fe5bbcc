import { randomUUID } from 'node:crypto';
import { newCellPrefix } from '../store/cell-id.ts';
import type { Session } from '../store/database.ts';
import type { ColumnRecord } from '../store/records.ts';

const metrics = [
  { key: 'price', title: 'price' },
  { key: 'latency_ms', title: 'latency' },
] as const;
/** Places the metrics between their column and the next one. */
const RANK_STEP = 1 / 1024;

export type MetricKey = (typeof metrics)[number]['key'];

/**
 * Adds the system columns that hold price and latency of a column. They are not computed: whoever
 * writes the column's cells writes them beside it.
 */
export async function insertMetricColumns(
  session: Session,
  source: ColumnRecord,
  between = ' ',
): Promise<void> {
  const now = Date.now();
  const sheet = await session.one<{ next_column_key: number }>(
    'update sheets set next_column_key = next_column_key + ? where key = ? returning next_column_key',
    [metrics.length, source.sheet_key],
  );
  if (sheet === undefined) throw new Error('The sheet of a new column no longer exists.');
  for (const [offset, { key, title }] of metrics.entries()) {
    await session.run(
      `insert into columns (sheet_key, key, id, cell_prefix, title, type, config_json, position_rank,
         is_system, source_column_key, metric_key, created_at, updated_at)
       values (?, ?, ?, ?, ?, 'TEXT', ?, ?, 1, ?, ?, ?, ?)`,
      [
        source.sheet_key,
        sheet.next_column_key - metrics.length + offset,
        randomUUID(),
        newCellPrefix(),
        `${source.title}${between}${title}`.slice(0, 255),
        JSON.stringify({ metric_key: key, source_column_id: source.id }),
        source.position_rank + RANK_STEP * (offset + 1),
        source.key,
        key,
        now,
        now,
      ],
    );
  }
}
