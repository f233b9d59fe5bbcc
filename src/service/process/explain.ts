import { BackupError, backupUsage } from '../backup/usage.ts';
import { errorText } from '../log.ts';
import { NewerSchemaError } from '../store/migrate.ts';
import { FolderInUseError } from './data-lock.ts';
import { UsageError, usage } from './settings.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_FOLDER_IN_USE = 3;

/** What a person should read when the service or a command can't start: one sentence where one will do. */
export function explain(error: unknown, command?: string): { text: string; code: number } {
  if (error instanceof UsageError) {
    const help = command === undefined ? usage : backupUsage;
    return { text: `${error.message}\n\n${help}`, code: EXIT_USAGE };
  }
  if (error instanceof FolderInUseError) {
    return { text: error.message, code: EXIT_FOLDER_IN_USE };
  }
  if (error instanceof NewerSchemaError || error instanceof BackupError) {
    return { text: error.message, code: EXIT_FAILED };
  }
  const failure = command === undefined ? 'The service can not start' : `The ${command} failed`;
  return { text: `${failure}. ${errorText(error)}`, code: EXIT_FAILED };
}
