import { explain } from './process/explain.ts';
import { readSettings } from './process/settings.ts';

async function run(args: readonly string[]): Promise<number> {
  const settings = readSettings(args, process.env);
  const { supervise } = await import('./process/supervise.ts');
  return supervise(settings, process.env);
}

async function runOnce(name: string, args: readonly string[]): Promise<number> {
  const { runBackupCommand } = await import('./backup/command.ts');
  process.stdout.write(`${await runBackupCommand(name, args, process.env)}\n`);
  return 0;
}

/** The folder as it was named, whether or not the other arguments make sense. */
function folderOf(args: readonly string[]): string | undefined {
  const at = args.indexOf('--data');
  return at < 0 ? undefined : args[at + 1];
}

const args = process.argv.slice(2);
const command = args[0]?.startsWith('-') === false ? args[0] : undefined;
try {
  process.exit(command === undefined ? await run(args) : await runOnce(command, args.slice(1)));
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
