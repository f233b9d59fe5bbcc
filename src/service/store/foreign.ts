import type { Session } from './database.ts';
import { StartError } from './database-url.ts';
import { tablesMigration } from './migrations/0001-tables.ts';

/** How many of somebody else's tables a refusal names. */
const MOST_NAMED = 3;

interface Place {
  /** Where our tables would be made. */
  readonly schema: string;
  readonly canCreate: boolean;
  /** Tables that are there, ours or not. Beside the schema that everybody has: of all others too. */
  readonly tables: readonly string[];
  readonly columnsOfMigrations: readonly string[];
}

/**
 * Refuses a database with tables that are not ours, before anything is made: applications have
 * tables called `requests` and `migrations` too, and nobody expects ours among theirs. Ours is one
 * in which the first migration has been noted down.
 */
export async function refuseForeign(session: Session): Promise<void> {
  const place = await (session.dialect.name === 'sqlite' ? inFile(session) : inSchema(session));
  if (await isOurs(session, place)) return;
  const [first, ...others] = place.tables;
  if (first === undefined) {
    if (place.canCreate) return;
    throw new StartError(
      `The user of DATABASE_URL can't create tables in the schema ${place.schema}: let its owner run GRANT CREATE, USAGE ON SCHEMA ${place.schema}, or name a database of your own.`,
    );
  }
  const named = [first, ...others.slice(0, MOST_NAMED - 1)].join(', ');
  const more =
    others.length < MOST_NAMED ? '' : ` and ${String(others.length + 1 - MOST_NAMED)} more`;
  throw new StartError(
    session.dialect.name === 'sqlite'
      ? `tables.db in the data folder belongs to another program (it holds ${named}${more}), and nothing was changed: select another folder with --data.`
      : `The database of DATABASE_URL belongs to another program (it holds ${named}${more}), and nothing was changed: create a database for Prompt Tables alone and set DATABASE_URL to it, or name an empty schema with ?options=-csearch_path%3Dprompt_tables, or unset DATABASE_URL to use the folder.`,
  );
}

async function isOurs(session: Session, { columnsOfMigrations }: Place): Promise<boolean> {
  const wanted = ['number', 'name', 'applied_at'];
  if (!wanted.every((name) => columnsOfMigrations.includes(name))) return false;
  const first = await session.one<{ name: string }>('select name from migrations where number = 1');
  return first?.name === tablesMigration.name;
}

async function inFile(session: Session): Promise<Place> {
  const tables = await session.query<{ name: string }>(
    `select name from sqlite_master where name not like 'sqlite%' order by name`,
  );
  const columns = await session.query<{ name: string }>(
    `select name from pragma_table_info('migrations')`,
  );
  return {
    schema: 'main',
    canCreate: true,
    tables: tables.map(({ name }) => name),
    columnsOfMigrations: columns.map(({ name }) => name),
  };
}

async function inSchema(session: Session): Promise<Place> {
  const found = await session.one<{ schema: string | null; can_create: boolean | null }>(
    `select current_schema() as schema, has_schema_privilege(current_schema(), 'create') as can_create`,
  );
  const schema = found?.schema ?? undefined;
  if (schema === undefined) {
    throw new StartError(
      'The database of DATABASE_URL has no schema of the search path that it names: create that schema, or leave the search path out.',
    );
  }
  // What an extension of the database has made for itself (PostGIS, pg_stat_statements) is nobody's.
  const tables = await session.query<{ name: string }>(
    `select case when n.nspname = ? then c.relname else n.nspname || '.' || c.relname end as name
     from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'f')
       and (n.nspname = ? or (? = 'public' and n.nspname not in ('information_schema')
         and n.nspname not like 'pg\\_%'))
       and not exists (select 1 from pg_catalog.pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by n.nspname <> ?, c.relname`,
    [schema, schema, schema, schema],
  );
  const columns = await session.query<{ name: string }>(
    `select column_name::text as name from information_schema.columns
     where table_schema = ? and table_name = 'migrations'`,
    [schema],
  );
  return {
    schema,
    canCreate: found?.can_create === true,
    tables: tables.map(({ name }) => name),
    columnsOfMigrations: columns.map(({ name }) => name),
  };
}
