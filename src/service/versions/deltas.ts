import type { ColumnRecord, VersionRecord } from '../store/records.ts';

interface Delta {
  readonly type: 'column_added' | 'column_removed' | 'column_changed' | 'rows_changed';
  readonly column_id?: string;
  readonly title?: string;
  readonly count?: number;
}

/** What is different from the version before, in the large; the first version has no deltas. */
export function deltasBetween(
  previous: VersionRecord | undefined,
  rowCount: number,
  columns: readonly ColumnRecord[],
): Delta[] {
  if (previous === undefined) return [];
  const before = new Map(
    (JSON.parse(previous.columns_json) as ColumnRecord[]).map((column) => [column.id, column]),
  );
  const now = new Map(columns.map((column) => [column.id, column]));
  const named = (type: Delta['type'], { id, title }: ColumnRecord): Delta => ({
    type,
    column_id: id,
    title,
  });
  const added = columns.filter(({ id }) => !before.has(id));
  const removed = [...before.values()].filter(({ id }) => !now.has(id));
  const changed = columns.filter((column) => {
    const old = before.get(column.id);
    return (
      old !== undefined &&
      (old.title !== column.title || old.config_revision !== column.config_revision)
    );
  });
  const deltas = [
    ...added.map((column) => named('column_added', column)),
    ...removed.map((column) => named('column_removed', column)),
    ...changed.map((column) => named('column_changed', column)),
  ];
  const rows = rowCount - previous.row_count;
  return rows === 0 ? deltas : [...deltas, { type: 'rows_changed', count: rows }];
}
