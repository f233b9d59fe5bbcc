import { shownDatabase } from '../../core/database-address.ts';
import { BackupError, backupUsage } from '../backup/usage.ts';
import { errorText } from '../log.ts';
import { StartError } from '../store/database-url.ts';
import { NewerSchemaError } from '../store/migrate.ts';
import { FolderInUseError } from './data-lock.ts';
import { UsageError, usage } from './settings.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_FOLDER_IN_USE = 3;

export interface Explained {
  readonly text: string;
  readonly code: number;
}

interface Circumstances {
  /** `backup` and the like; undefined for the service itself. */
  readonly command: string | undefined;
  readonly folder: string | undefined;
  readonly databaseUrl: string | undefined;
  /** Whether whoever reads it wants the stack too. */
  readonly isDebug: boolean;
}

/** What a person should read when the service can't start: one sentence where one will do. */
export function explain(error: unknown, circumstances: Circumstances): Explained {
  const { command, isDebug } = circumstances;
  if (error instanceof UsageError) {
    const help = command === undefined ? usage : backupUsage;
    return { text: `${error.message}\n\n${help}`, code: EXIT_USAGE };
  }
  if (error instanceof FolderInUseError) {
    return { text: error.message, code: EXIT_FOLDER_IN_USE };
  }
  const isOwn = [NewerSchemaError, BackupError, StartError].some((one) => error instanceof one);
  if (isOwn && error instanceof Error) return { text: error.message, code: EXIT_FAILED };
  const failure = command === undefined ? "The service can't start" : `The ${command} failed`;
  const reason = reasonOf(error, circumstances);
  const stack = isDebug ? `\n${errorText(error)}` : '';
  return { text: `${failure}: ${reason}${stack}`, code: EXIT_FAILED };
}

/** The cause that says most, from the outermost inwards. */
function reasonOf(error: unknown, circumstances: Circumstances): string {
  for (let at = error; at instanceof Error; at = innerOf(at)) {
    const known = knownReason(at, circumstances);
    if (known !== undefined) return known;
  }
  const message = error instanceof Error ? error.message : String(error);
  return `${message} PROMPT_TABLES_LOG=debug shows more.`;
}

/** Of several addresses of one name, the first that was tried. */
const innerOf = (error: Error): unknown =>
  error instanceof AggregateError ? error.errors[0] : error.cause;

const factNames = ['code', 'errcode', 'syscall', 'port', 'path'] as const;
type Facts = Readonly<Partial<Record<(typeof factNames)[number], unknown>>>;

/** What errors of Node and of the databases tell besides. */
const factsOf = (error: Error): Facts =>
  Object.fromEntries(factNames.map((name): [string, unknown] => [name, Reflect.get(error, name)]));

function knownReason(error: Error, circumstances: Circumstances): string | undefined {
  const facts = factsOf(error);
  return (
    portReason(facts) ??
    databaseReason(error, facts, circumstances) ??
    fileReason(error, facts, circumstances)
  );
}

function portReason({ code, syscall, port }: Facts): string | undefined {
  if (syscall !== 'listen' && syscall !== 'bind') return undefined;
  const place = typeof port === 'number' ? `Port ${String(port)}` : 'The socket';
  if (code === 'EADDRINUSE') {
    return `${place} is in use by another program. End it, or select another with --port N (0: any free port).`;
  }
  if (code === 'EACCES') {
    return `${place} can't be used by this user. Select another with --port N (0: any free port).`;
  }
  return undefined;
}

const unreachable = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ECONNRESET', 'EPIPE'],
]);

/** By the code of PostgreSQL: what is wrong, and what to do about it. */
const refusals: Readonly<Record<string, string>> = {
  '28P01': 'refuses the user name or the password. Correct them',
  '28000': 'refuses the user. Correct the name, or let it in (pg_hba.conf)',
  '3D000': "doesn't have this database. Create it (createdb), or correct the name",
  '42501': 'lets the user do less than is needed. Give it all rights to the database',
  '25006': 'is read-only. Name the primary server',
  '53300': 'has no connection left. Raise max_connections, or end other programs',
  '57P03': 'is still starting, or is being recovered. Start again in a moment',
};

function databaseReason(
  error: Error,
  { code }: Facts,
  { databaseUrl }: Circumstances,
): string | undefined {
  if (databaseUrl === undefined) return undefined;
  const server = `The PostgreSQL of DATABASE_URL (${shownDatabase(databaseUrl)})`;
  const refusal = typeof code === 'string' ? refusals[code] : undefined;
  if (refusal !== undefined) return `${server} ${refusal}.`;
  const isSilent = /timeout expired|Connection terminated/.test(error.message);
  if (isSilent || (typeof code === 'string' && unreachable.has(code))) {
    const how = typeof code === 'string' ? ` (${code})` : '';
    return `${server} does not answer${how}. Start it, or correct host and port, or unset DATABASE_URL to use the folder.`;
  }
  if (/does not support SSL|Invalid URL|password must be a string/.test(error.message)) {
    return `${server} can't be used: ${error.message}. Correct the address.`;
  }
  return undefined;
}

/** By the number of SQLite. */
const damages: Readonly<Record<number, string>> = {
  8: 'is read-only. Let this user write to it',
  10: 'could not be read or written. Check the disk',
  11: 'is damaged. Restore a backup: service restore --replace',
  13: 'could not be written, because the disk is full. Make room on it',
  14: 'could not be opened. Let this user read and write it',
  26: 'is damaged, or not a database. Restore a backup: service restore --replace',
};

const fileTroubles: Readonly<Record<string, string>> = {
  EACCES: "can't be used by this user. Change its permissions, or select another folder",
  EPERM: "can't be used by this user. Change its permissions, or select another folder",
  EROFS: 'is on a disk that is read-only. Select another folder',
  ENOSPC: 'could not be written, because the disk is full. Make room on it',
  EDQUOT: 'could not be written, because the quota of the disk is used up. Make room on it',
  EEXIST: 'is a file and no folder. Select another name',
  ENOTDIR: 'lies below a file and not in a folder. Select another name',
  ENAMETOOLONG: 'has a name that is too long. Select another one',
  EMFILE: 'could not be opened, because too many files are open. Raise the limit of open files',
};

function fileReason(
  _error: Error,
  { code, errcode, path }: Facts,
  { folder = 'The folder' }: Circumstances,
): string | undefined {
  if (typeof errcode === 'number') {
    const damage = damages[errcode & 0xff];
    return damage && `The data in ${folder} ${damage}.`;
  }
  const trouble = typeof code === 'string' ? fileTroubles[code] : undefined;
  const place = typeof path === 'string' ? path : folder;
  return trouble && `${place} ${trouble}.`;
}
