import type { DatabaseSync } from 'node:sqlite';
import type { ColumnKind } from '../store/database.ts';

export interface SourceTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** The column whose values the database counts up, and the last one that it has given. */
  readonly serial: { readonly column: string; readonly last: number } | undefined;
}

const kinds: Readonly<Record<string, ColumnKind>> = {
  INTEGER: 'int',
  REAL: 'real',
  TEXT: 'text',
  BLOB: 'bytes',
};

/** All tables with data, each after those that it refers to: the order in which they were made. */
export function tablesOf(source: DatabaseSync): SourceTable[] {
  const names = source
    .prepare(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite%'
       and name <> 'migrations' order by rowid`,
    )
    .all();
  return names.map((row) => tableOf(source, String(row['name'])));
}

function tableOf(source: DatabaseSync, name: string): SourceTable {
  const columns: Record<string, ColumnKind> = {};
  let keyColumn = '';
  for (const column of source
    .prepare('select name, type, pk from pragma_table_info(?)')
    .all(name)) {
    const kind = kinds[String(column['type']).toUpperCase()];
    if (kind === undefined) {
      throw new Error(`Column ${String(column['name'])} of ${name} has an unknown type.`);
    }
    columns[String(column['name'])] = kind;
    if (column['pk'] === 1) keyColumn = String(column['name']);
  }
  const counter = source.prepare('select seq from sqlite_sequence where name = ?').get(name);
  const serial = counter && { column: keyColumn, last: Number(counter['seq']) };
  return { name, columns, serial };
}
