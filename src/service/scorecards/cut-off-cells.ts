import { RequestMetrics, isCutOff } from '../../api/cell.ts';
import type { Database } from '../store/database.ts';
import type { ColumnRecord } from '../store/records.ts';

/** Whether what a calculation reads is made of answers that were cut off at their limit of tokens. */
export const isCutOffIn = (metrics: string | null): boolean =>
  metrics !== null && isCutOff({ request_metrics: RequestMetrics.parse(JSON.parse(metrics)) });

interface FoundCell {
  readonly row_index: number;
  readonly column_key: number;
  readonly metrics: string;
}

/** For each column its own key and those of all columns that its values are made of. */
function madeOf(columns: readonly ColumnRecord[]): ReadonlyMap<number, ReadonlySet<number>> {
  const byId = new Map(columns.map((column) => [column.id, column]));
  return new Map(
    columns.map((column) => {
      const keys = new Set<number>();
      const open = [column];
      for (let one = open.pop(); one !== undefined; one = open.pop()) {
        if (keys.has(one.key)) continue;
        keys.add(one.key);
        for (const { column_id: id } of JSON.parse(one.dependencies_json) as {
          column_id: string;
        }[]) {
          const source = byId.get(id);
          if (source !== undefined) open.push(source);
        }
      }
      return [column.key, keys];
    }),
  );
}

/** Finds the cells of a sheet that are halves of answers, or are made of such. */
export class CutOffCells {
  readonly #database: Database;
  readonly #sheetKey: number;
  readonly #madeOf: ReadonlyMap<number, ReadonlySet<number>>;

  constructor(database: Database, sheetKey: number, columns: readonly ColumnRecord[]) {
    this.#database = database;
    this.#sheetKey = sheetKey;
    this.#madeOf = madeOf(columns);
  }

  /** Of rows that follow one another: the keys of the columns, by the index of the row. */
  async among(
    rows: readonly { readonly rowIndex: number }[],
    chosen: readonly ColumnRecord[],
  ): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
    const [first, last] = [rows[0]?.rowIndex, rows.at(-1)?.rowIndex];
    if (first === undefined || last === undefined) return new Map();
    const found = await this.#database.read((session) =>
      session.query<FoundCell>(
        `select row_index, column_key, metrics from cells
         where sheet_key = ? and row_index >= ? and row_index <= ? and metrics like '%cut_off_count%'`,
        [this.#sheetKey, first, last],
      ),
    );
    const halves = new Map<number, Set<number>>();
    for (const { row_index: row, column_key: key, metrics } of found) {
      if (!isCutOffIn(metrics)) continue;
      halves.set(row, (halves.get(row) ?? new Set()).add(key));
    }
    return new Map(
      [...halves].map(([row, keys]) => {
        const touched = chosen.filter(({ key }) =>
          [...(this.#madeOf.get(key) ?? [])].some((source) => keys.has(source)),
        );
        return [row, new Set(touched.map(({ key }) => key))];
      }),
    );
  }
}
