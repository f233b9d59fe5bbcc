import { createLog } from './log.ts';
import { explain } from './process/explain.ts';
import type { Settings } from './process/settings.ts';
import { readSettings } from './process/settings.ts';

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

/** The folder as it was named, whether or not the other arguments make sense. */
function folderOf(args: readonly string[]): string | undefined {
  const at = args.indexOf('--data');
  return at < 0 ? undefined : args[at + 1];
}

const args = process.argv.slice(2);
const command = args[0]?.startsWith('-') === false ? args[0] : undefined;
try {
  if (command === undefined) await run(readSettings(args, process.env));
  else await runOnce(command, args.slice(1));
  process.exit(0);
} catch (error) {
  const { text, code } = explain(error, {
    command,
    folder: folderOf(args),
    databaseUrl: process.env['DATABASE_URL'],
    isDebug: process.env['PROMPT_TABLES_LOG'] === 'debug',
  });
  process.stderr.write(`${text}\n`);
  process.exit(code);
}
