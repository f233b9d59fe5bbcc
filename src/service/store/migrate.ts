import type { Database, Session } from './database.ts';
import type { Dialect } from './dialect.ts';
import { refuseForeign } from './foreign.ts';
import { tablesMigration } from './migrations/0001-tables.ts';
import { promptsMigration } from './migrations/0002-prompts-requests-workflows.ts';
import { mirrorsMigration } from './migrations/0003-mirrors.ts';
import { foldersMigration } from './migrations/0004-folders.ts';
import { scoresMigration } from './migrations/0005-scores.ts';
import { modelLimitsMigration } from './migrations/0007-model-limits.ts';
import { scoreCeilingsMigration } from './migrations/0008-score-ceilings.ts';
import { tracesMigration } from './migrations/0009-traces.ts';
import { skillsMigration } from './migrations/0010-skills.ts';
import { attemptsMigration } from './migrations/0011-attempts.ts';
import { workspaceKeysMigration } from './migrations/0015-workspace-keys.ts';
import { restrictedWorkMigration } from './migrations/0018-restricted-work.ts';
import { taskRangesMigration } from './migrations/0019-task-ranges.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly statements: (dialect: Dialect) => readonly string[];
}

/** In order; one that has been released is never edited, only followed by another. */
export const migrations: readonly Migration[] = [
  tablesMigration,
  promptsMigration,
  mirrorsMigration,
  foldersMigration,
  scoresMigration,
  modelLimitsMigration,
  scoreCeilingsMigration,
  tracesMigration,
  skillsMigration,
  attemptsMigration,
  workspaceKeysMigration,
  restrictedWorkMigration,
  taskRangesMigration,
];

export const newestSchema = Math.max(...migrations.map(({ number }) => number));

/** Any constant: starters of this program on one PostgreSQL database queue up behind it. */
const ADVISORY_LOCK = 7_215_839;

export class NewerSchemaError extends Error {
  constructor(found: number, known: number) {
    super(
      `The data was written by a newer Prompt Tables (schema ${String(found)}, this one knows ${String(known)}). Update Prompt Tables, or use another data folder or database.`,
    );
    this.name = 'NewerSchemaError';
  }
}

/** Waits for the transactions of others that are starting too. On SQLite there is one at a time. */
export async function inTurn(session: Session): Promise<void> {
  if (session.dialect.name !== 'postgres') return;
  await session.query('select pg_advisory_xact_lock(?)', [ADVISORY_LOCK]);
}

/** Brings the schema up to date. Several starters may race: one does the work, the rest wait. */
export async function migrate(
  database: Database,
  list: readonly Migration[] = migrations,
): Promise<void> {
  const known = Math.max(...list.map(({ number }) => number));
  await database.transaction(async (session) => {
    await inTurn(session);
    await refuseForeign(session);
    await session.run(
      `create table if not exists migrations (
        number ${database.dialect.int} primary key,
        name text not null,
        applied_at ${database.dialect.int} not null
      )`,
    );
    const current = await currentNumber(session);
    if (current > known) throw new NewerSchemaError(current, known);
    for (const migration of list) {
      if (migration.number > current) await apply(session, database.dialect, migration);
    }
  });
}

async function currentNumber(session: Session): Promise<number> {
  const row = await session.one<{ number: number | null }>(
    'select max(number) as number from migrations',
  );
  return row?.number ?? 0;
}

async function apply(session: Session, dialect: Dialect, migration: Migration): Promise<void> {
  for (const statement of migration.statements(dialect)) await session.run(statement);
  await session.run('insert into migrations (number, name, applied_at) values (?, ?, ?)', [
    migration.number,
    migration.name,
    Date.now(),
  ]);
}
