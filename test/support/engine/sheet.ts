import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonToText, type Json } from '../../../src/service/engine/columns/json.ts';
import { markDependentsStale, validateColumn } from '../../../src/service/engine/index.ts';
import { loadColumns } from '../../../src/service/engine/sheet-columns.ts';
import type { Log } from '../../../src/service/log.ts';
import { insertInputs } from '../../../src/service/store/insert-rows.ts';
import { createSheet } from '../../../src/service/store/create-sheet.ts';
import { newCellPrefix } from '../../../src/service/store/cell-id.ts';
import {
  openDatabase,
  type Database,
  type DatabaseAddress,
} from '../../../src/service/store/database.ts';
import { migrate } from '../../../src/service/store/migrate.ts';
import type { CellRecord, SheetRecord, TableRecord } from '../../../src/service/store/records.ts';
import { raiseVersion } from '../../../src/service/store/scope.ts';
import { createWriteLock } from '../../../src/service/store/write-lock.ts';
import { newPostgresDatabase } from '../postgres.ts';

export const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (message, fields) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
};

export interface TestDatabase {
  readonly database: Database;
  readonly address: DatabaseAddress;
  close(): Promise<void>;
}

export async function openTestDatabase(kind: 'sqlite' | 'postgres'): Promise<TestDatabase> {
  return kind === 'sqlite' ? openSqliteFile() : openPostgresDatabase();
}

async function openSqliteFile(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  const address: DatabaseAddress = {
    kind: 'sqlite',
    path: join(folder, 'tables.db'),
    writeLock: createWriteLock(),
  };
  const database = await openDatabase(address);
  await migrate(database);
  return {
    database,
    address,
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openPostgresDatabase(): Promise<TestDatabase> {
  const { url, drop } = await newPostgresDatabase({ hasSchema: true });
  const address: DatabaseAddress = { kind: 'postgres', url };
  const database = await openDatabase(address);
  return {
    database,
    address,
    close: async () => {
      await database.close();
      await drop();
    },
  };
}

/** A sheet to compute on, filled straight into the store. */
export class TestSheet {
  readonly database: Database;
  readonly record: SheetRecord;
  readonly #keys = new Map<string, number>();

  private constructor(database: Database, record: SheetRecord) {
    this.database = database;
    this.record = record;
  }

  get key(): number {
    return this.record.key;
  }

  /** TEXT columns with a value for each row. */
  static async create(
    database: Database,
    columns: readonly string[],
    rowCount: number,
    valueOf: (column: string, row: number) => Json = (column, row) => `${column} ${String(row)}`,
  ): Promise<TestSheet> {
    const record = await database.transaction(async (session) => {
      await session.run(
        'insert into workspaces (id, created_at) values (1, 0) on conflict (id) do nothing',
      );
      const table = await session.one<TableRecord>(
        `insert into tables (id, workspace_id, title, title_folded, created_at, updated_at)
         values (?, 1, 't', 't', 0, 0) returning *`,
        [randomUUID()],
      );
      return createSheet(session, table!, {
        title: 's',
        index: undefined,
        columns,
        emptyRows: rowCount,
      });
    });
    const sheet = new TestSheet(database, record);
    await sheet.#readKeys();
    for (let start = 0; start < rowCount; start += 5000) {
      const rows = Array.from(
        { length: Math.min(5000, rowCount - start) },
        (_, offset) => start + offset,
      );
      const cells = rows.flatMap((rowIndex) =>
        columns.map((column) => ({
          rowIndex,
          columnKey: sheet.column(column),
          value: jsonToText(valueOf(column, rowIndex)),
          number: null,
        })),
      );
      await insertInputs(database, record.key, cells);
    }
    return sheet;
  }

  column(title: string): number {
    const key = this.#keys.get(title);
    if (key === undefined) throw new Error(`no column ${title}`);
    return key;
  }

  async columnId(title: string): Promise<string> {
    const columns = await loadColumns(this.database, this.key);
    return columns.find((column) => column.title === title && !column.isDeleted)!.id;
  }

  async addColumn(title: string, type: string, config: object): Promise<string> {
    const columns = (await loadColumns(this.database, this.key)).filter(
      (column) => !column.isDeleted,
    );
    const valid = validateColumn({ title, type, config }, columns);
    const id = randomUUID();
    const key = Math.max(0, ...this.#keys.values()) + 1;
    await this.database.run(
      `insert into columns (sheet_key, key, id, cell_prefix, title, type, config_json, dependencies_json,
         position_rank, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)`,
      [
        this.key,
        key,
        id,
        newCellPrefix(),
        title,
        valid.type,
        jsonToText(valid.config),
        JSON.stringify(valid.dependencies),
        key,
      ],
    );
    await this.#readKeys();
    return id;
  }

  async setConfig(title: string, config: object): Promise<void> {
    await this.database.transaction(async (session) => {
      await session.run(
        'update columns set config_json = ?, config_revision = config_revision + 1 where sheet_key = ? and key = ?',
        [JSON.stringify(config), this.key, this.column(title)],
      );
      await markDependentsStale(session, {
        sheetKey: this.key,
        columnKeys: [this.column(title)],
        self: true,
      });
      await raiseVersion(session, this.key);
    });
  }

  /** As the route does it: hold the sheet, write, mark. */
  async edit(row: number, title: string, value: Json): Promise<number> {
    return this.database.transaction(async (session) => {
      await session.one(`select key from sheets where key = ?${this.database.dialect.forUpdate}`, [
        this.key,
      ]);
      await session.run(
        `insert into cells (sheet_key, row_index, column_key, status, value, updated_at) values (?, ?, ?, 'input', ?, 0)
         on conflict (sheet_key, row_index, column_key) do update set value = excluded.value`,
        [this.key, row, this.column(title), jsonToText(value)],
      );
      const { staleCount } = await markDependentsStale(session, {
        sheetKey: this.key,
        columnKeys: [this.column(title)],
        rowIndices: [row],
      });
      await raiseVersion(session, this.key);
      return staleCount;
    });
  }

  cells(title: string): Promise<CellRecord[]> {
    return this.database.query<CellRecord>(
      'select * from cells where sheet_key = ? and column_key = ? order by row_index',
      [this.key, this.column(title)],
    );
  }

  async cell(row: number, title: string): Promise<CellRecord | undefined> {
    return this.database.one<CellRecord>(
      'select * from cells where sheet_key = ? and row_index = ? and column_key = ?',
      [this.key, row, this.column(title)],
    );
  }

  async version(): Promise<number> {
    const sheet = await this.database.one<{ version_count: number }>(
      'select version_count from sheets where key = ?',
      [this.key],
    );
    return sheet?.version_count ?? 0;
  }

  async #readKeys(): Promise<void> {
    for (const { title, key, isDeleted } of await loadColumns(this.database, this.key)) {
      if (!isDeleted) this.#keys.set(title, key);
    }
  }
}
