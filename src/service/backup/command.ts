import { parseArgs } from 'node:util';
import { UsageError } from '../process/settings.ts';
import { readDatabaseUrl } from '../store/database-url.ts';
import { backUp } from './back-up.ts';
import { move } from './move.ts';
import { restore } from './restore.ts';
import { BackupError } from './usage.ts';

const PG_DUMP =
  'DATABASE_URL is set, so the data is in PostgreSQL: use pg_dump and pg_restore (docs/backup.md), or unset DATABASE_URL to work on a folder.';

type Environment = Readonly<Record<string, string | undefined>>;

/** Does what the first argument says and answers a sentence about it. */
export async function runBackupCommand(
  name: string,
  args: readonly string[],
  environment: Environment,
): Promise<string> {
  const given = parse(args);
  const folder = required('data', given.data);
  const databaseUrl = readDatabaseUrl(environment['DATABASE_URL']);
  switch (name) {
    case 'backup': {
      if (databaseUrl !== undefined) throw new BackupError(PG_DUMP);
      const file = required('to', given.to);
      const { byte_count: bytes, sha256 } = await backUp(folder, file);
      return `${file} holds the data of ${folder}: ${String(bytes)} bytes, SHA-256 ${sha256}.`;
    }
    case 'restore': {
      if (databaseUrl !== undefined) throw new BackupError(PG_DUMP);
      const file = required('from', given.from);
      const manifest = await restore(file, folder, { replace: given.replace === true });
      return `${folder} holds the data of ${manifest.created_at}, as it was in ${file}.`;
    }
    case 'move': {
      if (given.to !== undefined || databaseUrl === undefined) {
        throw new UsageError(
          "Set DATABASE_URL=postgres://... to the database that will hold the data. It has a password, so it isn't an argument.",
        );
      }
      const { tableCount, rowCount } = await move(folder, databaseUrl);
      return `${String(rowCount)} rows of ${String(tableCount)} tables are in PostgreSQL and were read back the same. Start the service with DATABASE_URL and the same keys; ${folder} is as it was.`;
    }
    default:
      throw new UsageError(`There is no command "${name}".`);
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        data: { type: 'string' },
        to: { type: 'string' },
        from: { type: 'string' },
        replace: { type: 'boolean' },
      },
    }).values;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function required(name: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value;
  throw new UsageError(`--${name} is missing.`);
}
