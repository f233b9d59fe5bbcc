import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { LocalServiceError } from '../shell/local-service-error.ts';
import type { Ready, ServiceFolder } from './folder.ts';
import { readReady } from './folder.ts';
import type { Translate } from '../shell/translate.ts';

/** A service that opens a folder in use ends with this. */
const exitFolderInUse = 3;
const startLimitMs = 20_000;
const largestLogBytes = 1024 * 1024;

export interface StartOptions {
  /** Path of dist/service.mjs. */
  readonly entry: string;
  readonly folder: ServiceFolder;
  /** The whole environment of the service. */
  readonly environment: NodeJS.ProcessEnv;
  readonly idleSeconds: number;
  readonly t: Translate;
}

function openLog(file: string): number {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return fs.openSync(file, size > largestLogBytes ? 'w' : 'a', 0o600);
}

const longestWords = 1000;

/** What a service has said since it was started that is no line of its log: why it ended. */
function lastWords(file: string, from: number): string {
  if (!fs.existsSync(file)) return '';
  const said = fs.readFileSync(file).subarray(from).toString('utf8').split('\n');
  const words = said.map((line) => line.trim()).filter((line) => line !== '' && line[0] !== '{');
  return words.slice(0, 3).join(' ').slice(0, longestWords);
}

/**
 * Starts a service that outlives this window, because others may share it. `locked`: another
 * process holds the folder. Its errors go to a file: a pipe would break with this window.
 */
export async function startService(options: StartOptions): Promise<Ready | 'locked'> {
  const { entry, folder, environment, idleSeconds, t } = options;
  const log = openLog(folder.logFile);
  const begun = fs.fstatSync(log).size;
  const args = [entry, '--data', folder.path, '--idle-exit', String(idleSeconds)];
  args.push('--keys-from-windows');
  const child = spawn(process.execPath, args, {
    cwd: folder.path,
    env: environment,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', log],
  });
  fs.closeSync(log);
  child.unref();
  return new Promise((resolve, reject) => {
    let text = '';
    let isSettled = false;
    const limit = setTimeout(() => {
      fail(t('The local service was not ready after {0} seconds.', startLimitMs / 1000));
      child.kill();
    }, startLimitMs);
    // It lives on after it was ready, and its end then is for others to notice.
    const end = (settle: () => void): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(limit);
      child.stdout?.destroy();
      settle();
    };
    const fail = (message: string, cause?: unknown): void => {
      const hint = t('Its log is {0}.', folder.logFile);
      end(() => reject(new LocalServiceError(message, { hint, cause })));
    };
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const ready = text.split('\n').slice(0, -1).map(readReady).find(Boolean);
      if (ready !== undefined) end(() => resolve(ready));
    });
    child.once('error', (error) =>
      fail(t('The local service could not be started: {0}', error.message), error),
    );
    child.once('exit', (code, signal) => {
      if (code === exitFolderInUse) end(() => resolve('locked'));
      else {
        const words = lastWords(folder.logFile, begun);
        fail(
          words === ''
            ? t('The local service ended with {0}.', signal ?? String(code))
            : t('The local service could not be started: {0}', words),
        );
      }
    });
  });
}
