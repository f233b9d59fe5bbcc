import { chmodSync, closeSync, existsSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** For their owner alone. */
const PRIVATE = 0o600;

/** What a data folder holds of ours: with the logs that SQLite keeps beside a database. */
const ours =
  /^(?:tables\.db|lock\.db)(?:-wal|-shm|-journal|\.restored)?$|^(?:lock\.json|service\.json|service\.log|key)$/;

/** Makes the file, if there is none, so that nobody else can read it, whatever the umask says. */
export function createPrivately(file: string): void {
  closeSync(openSync(file, 'a', PRIVATE));
  tighten(file);
}

/** The same for all files of ours in a folder, which older versions have left open to others. */
export function tightenFolder(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (ours.test(name)) tighten(join(folder, name));
}

function tighten(file: string): void {
  // There, a file has the rights of its folder.
  if (process.platform === 'win32') return;
  try {
    chmodSync(file, PRIVATE);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // Gone meanwhile, or of another user, who alone may change it.
    if (code !== 'ENOENT' && code !== 'EPERM') throw error;
  }
}
