import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { ServerError } from '../../core/errors.ts';
import type { Ready, ServiceFolder } from './folder.ts';
import { readReady } from './folder.ts';

/** A service that opens a folder in use ends with this. */
const exitFolderInUse = 3;
const startLimitMs = 20_000;
const largestLogBytes = 1024 * 1024;

export interface StartOptions {
  /** Path of dist/service.mjs. */
  readonly entry: string;
  readonly folder: ServiceFolder;
  readonly key: string;
  readonly idleSeconds: number;
}

function environment(key: string): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, VSCODE_IPC_HOOK_CLI: __, ...inherited } = process.env;
  return {
    ...inherited,
    // Not in argv, which every user of the machine can read.
    PROMPT_TABLES_API_KEY: key,
    // VS Code's own program is Electron on the desktop, plain Node in a server.
    ...('electron' in process.versions && { ELECTRON_RUN_AS_NODE: '1' }),
  };
}

function openLog(file: string): number {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return fs.openSync(file, size > largestLogBytes ? 'w' : 'a', 0o600);
}

function lastLines(file: string): string {
  if (!fs.existsSync(file)) return '';
  return fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-3).join('\n');
}

/**
 * Starts a service that outlives this window, because others may share it. `locked`: another
 * process holds the folder. Its errors go to a file: a pipe would break with this window.
 */
export async function startService(options: StartOptions): Promise<Ready | 'locked'> {
  const { entry, folder, key, idleSeconds } = options;
  const log = openLog(folder.logFile);
  const args = [entry, '--data', folder.path, '--idle-exit', String(idleSeconds)];
  const child = spawn(process.execPath, args, {
    cwd: folder.path,
    env: environment(key),
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
      end(() => reject(failure(folder, `was not ready after ${startLimitMs / 1000} seconds`)));
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
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const ready = text.split('\n').slice(0, -1).map(readReady).find(Boolean);
      if (ready !== undefined) end(() => resolve(ready));
    });
    child.once('error', (error) =>
      end(() => reject(failure(folder, `could not be started: ${error.message}`, error))),
    );
    child.once('exit', (code, signal) => {
      if (code === exitFolderInUse) end(() => resolve('locked'));
      else
        end(() =>
          reject(
            failure(folder, `ended with ${signal ?? String(code)}:\n${lastLines(folder.logFile)}`),
          ),
        );
    });
  });
}

function failure(folder: ServiceFolder, what: string, cause?: unknown): ServerError {
  return new ServerError(`The local service ${what}`, {
    hint: `Its log is ${folder.logFile}.`,
    cause,
  });
}
