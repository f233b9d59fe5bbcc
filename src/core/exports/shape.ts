/** A column of a file. */
export interface FileColumn {
  readonly title: string;
  /** A cell of it without a record has not run yet; one of the others is just empty. */
  readonly isComputed: boolean;
}

/** What a file says about a cell. */
export interface FileCell {
  /** `input`: typed in. */
  readonly status: string;
  /** As JSON text, so that every digit is kept. */
  readonly value: string | null;
  readonly error: string | null;
  readonly error_message: string | null;
}

export interface FileRow {
  readonly rowIndex: number;
  /** By the position of the column; undefined where nothing was ever written or computed. */
  readonly cells: readonly (FileCell | undefined)[];
}

/** A file's rows, a page at a time; every call reads from the start. */
export type ReadPages = () => AsyncGenerator<readonly FileRow[], void, undefined>;

/** What is written into a file. */
export interface ExportPlan {
  readonly columns: readonly FileColumn[];
  /** Titles of the columns, each once. */
  readonly titles: readonly string[];
  readonly content: 'values' | 'cells';
  readonly pages: ReadPages;
}

export type Encode = (plan: ExportPlan) => AsyncGenerator<Uint8Array, void, undefined>;

/** Titles as names of fields: what stands there twice gets a number. */
export function uniqueTitles(columns: readonly Pick<FileColumn, 'title'>[]): string[] {
  const taken = new Set(columns.map(({ title }) => title));
  const given = new Set<string>();
  return columns.map(({ title }) => {
    let name = title;
    for (let number = 2; given.has(name); number += 1) {
      const next = `${title} (${String(number)})`;
      if (!taken.has(next)) name = next;
    }
    given.add(name);
    return name;
  });
}

/** Whether a cell holds a value, which may be null: not one that failed or that never ran. */
export function hasValue<Cell extends FileCell>(cell: Cell | undefined): cell is Cell {
  if (cell === undefined) return false;
  if (cell.value !== null) return true;
  return (cell.status === 'input' || cell.status === 'completed') && cell.error === null;
}

/** The status as the rest of the API spells it. */
export function statusOf(column: FileColumn, cell: FileCell | undefined): string {
  if (cell === undefined) return column.isComputed ? 'stale' : 'completed';
  return cell.status === 'input' ? 'completed' : cell.status;
}

/** The names above the columns: with `cells`, status and error of each stand beside it. */
export const headerOf = ({ titles, content }: ExportPlan): readonly string[] =>
  content === 'values'
    ? titles
    : ['row_index', ...titles.flatMap((title) => [title, `${title} status`, `${title} error`])];

export const errorOf = (cell: FileCell | undefined): string | null =>
  cell?.error_message ?? cell?.error ?? null;
