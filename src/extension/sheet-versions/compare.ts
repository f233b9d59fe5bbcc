/** What a comparison knows of a column. */
export interface SideColumn {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  /** The configuration as text, for comparing it. */
  readonly config: string;
}

export interface SideCell {
  /** JSON text; undefined: no value. */
  readonly value: string | undefined;
  readonly error: string | undefined;
}

/** A row by its index, in rising order; cells by column id. */
export interface SideRow {
  readonly rowIndex: number;
  readonly cells: ReadonlyMap<string, SideCell>;
}

export interface Side {
  readonly name: string;
  readonly columns: readonly SideColumn[];
  readonly rows: AsyncIterable<SideRow>;
}

export interface ChangedCell {
  readonly rowIndex: number;
  readonly columnId: string;
  readonly before: SideCell | undefined;
  readonly after: SideCell | undefined;
}

export interface ChangedColumn {
  readonly before: SideColumn;
  readonly after: SideColumn;
}

export interface Comparison {
  readonly columns: {
    readonly added: readonly SideColumn[];
    readonly removed: readonly SideColumn[];
    readonly changed: readonly ChangedColumn[];
  };
  readonly rows: {
    readonly before: number;
    readonly after: number;
    readonly added: number;
    readonly removed: number;
    readonly changed: number;
  };
  readonly cells: number;
  /** The first ones, for there may be millions. */
  readonly shown: {
    readonly cells: readonly ChangedCell[];
    readonly added: readonly number[];
    readonly removed: readonly number[];
  };
}

export const mostShown = 1000;

function compareColumns(before: readonly SideColumn[], after: readonly SideColumn[]) {
  const earlier = new Map(before.map((column) => [column.id, column]));
  const later = new Set(after.map(({ id }) => id));
  return {
    added: after.filter(({ id }) => !earlier.has(id)),
    removed: before.filter(({ id }) => !later.has(id)),
    changed: after.flatMap((column): ChangedColumn[] => {
      const old = earlier.get(column.id);
      if (old === undefined) return [];
      const isSame =
        old.title === column.title && old.type === column.type && old.config === column.config;
      return isSame ? [] : [{ before: old, after: column }];
    }),
  };
}

const isSame = (one: SideCell | undefined, other: SideCell | undefined): boolean =>
  one?.value === other?.value && one?.error === other?.error;

/** Reads both sides once, row by row: memory stays the same however long they are. */
export async function compare(
  before: Side,
  after: Side,
  onRows: (rows: number) => void = () => undefined,
): Promise<Comparison> {
  const columns = compareColumns(before.columns, after.columns);
  const common = after.columns
    .map(({ id }) => id)
    .filter((id) => !columns.added.some((column) => column.id === id));
  const counts = { before: 0, after: 0, added: 0, removed: 0, changed: 0 };
  const shown = { cells: [] as ChangedCell[], added: [] as number[], removed: [] as number[] };
  let cells = 0;
  const take = (list: number[], rowIndex: number): void => {
    if (list.length < mostShown) list.push(rowIndex);
  };
  const compareRow = (old: SideRow, row: SideRow): void => {
    let isChanged = false;
    for (const columnId of common) {
      const earlier = old.cells.get(columnId);
      const later = row.cells.get(columnId);
      if (isSame(earlier, later)) continue;
      isChanged = true;
      cells += 1;
      const { rowIndex } = row;
      if (shown.cells.length < mostShown) {
        shown.cells.push({ rowIndex, columnId, before: earlier, after: later });
      }
    }
    if (isChanged) counts.changed += 1;
  };
  const earlier = before.rows[Symbol.asyncIterator]();
  const later = after.rows[Symbol.asyncIterator]();
  const nextOf = async (rows: AsyncIterator<SideRow>): Promise<SideRow | undefined> => {
    const next = await rows.next();
    return next.done === true ? undefined : next.value;
  };
  try {
    let old = await nextOf(earlier);
    let row = await nextOf(later);
    while (old !== undefined || row !== undefined) {
      const oldIndex = old?.rowIndex ?? Infinity;
      const index = row?.rowIndex ?? Infinity;
      if (oldIndex < index) {
        counts.removed += 1;
        take(shown.removed, oldIndex);
      } else if (index < oldIndex) {
        counts.added += 1;
        take(shown.added, index);
      } else if (old !== undefined && row !== undefined) compareRow(old, row);
      if (oldIndex <= index) {
        counts.before += 1;
        old = await nextOf(earlier);
      }
      if (index <= oldIndex) {
        counts.after += 1;
        row = await nextOf(later);
        if (counts.after % 500 === 0) onRows(counts.after);
      }
    }
  } finally {
    await Promise.all([earlier.return?.(), later.return?.()]);
  }
  return { columns, rows: counts, cells, shown };
}
