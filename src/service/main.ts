import { BackupError, backupUsage } from './backup/usage.ts';
import { createLog, errorText } from './log.ts';
import { FolderInUseError } from './process/data-lock.ts';
import type { Settings } from './process/settings.ts';
import { UsageError, readSettings, usage } from './process/settings.ts';
import { NewerSchemaError } from './store/migrate.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_FOLDER_IN_USE = 3;

async function run(settings: Settings): Promise<void> {
  const log = createLog(settings.logLevel, (line) => process.stderr.write(line));
  const ended = Promise.withResolvers<string>();
  // Most of the program: not needed to explain a wrong argument.
  const { startService } = await import('./process/service.ts');
  const service = await startService(settings, log, () => ended.resolve('nobody uses it'));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => ended.resolve(signal));
  }
  // Whoever started the service may close its end of the pipe: no reason to die.
  process.stdout.on('error', () => undefined);
  process.stdout.write(`${JSON.stringify(service.ready)}\n`);
  log.info('Service started', { pid: process.pid });
  const reason = await ended.promise;
  log.info('Service stops', { reason });
  await service.stop();
}

async function runOnce(name: string, args: readonly string[]): Promise<void> {
  const { runBackupCommand } = await import('./backup/command.ts');
  process.stdout.write(`${await runBackupCommand(name, args, process.env)}\n`);
}

/** What a person should read when the service can't start: one sentence where one will do. */
function explain(error: unknown): { text: string; code: number } {
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

const args = process.argv.slice(2);
const command = args[0]?.startsWith('-') === false ? args[0] : undefined;
try {
  if (command === undefined) await run(readSettings(args, process.env));
  else await runOnce(command, args.slice(1));
  process.exit(0);
} catch (error) {
  const { text, code } = explain(error);
  process.stderr.write(`${text}\n`);
  process.exit(code);
}
