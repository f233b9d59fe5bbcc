import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'undici';
import { compileCache, serviceEntry } from '../../support/service-entry.ts';
import { timeLimit } from '../../support/time-limit.ts';
import { Api } from './api.ts';

const START_LIMIT_MS = timeLimit(30_000);

export const firstKey = 'key-of-workspace-1';
export const secondKey = 'key-of-workspace-2';

export interface ServiceOptions {
  /** Kept after `stop` when given; otherwise a new one that goes away with the service. */
  readonly folder?: string;
  readonly databaseUrl?: string | undefined;
  readonly args?: readonly string[];
  /** Beside the environment of the tests. */
  readonly environment?: Readonly<Record<string, string>>;
}

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'pt-service-'));
}

/** A service process as anybody would start it, that need not come up. */
export function spawnService(folder: string, options: ServiceOptions = {}): ChildProcess {
  const { DATABASE_URL: _, ...environment } = process.env;
  return spawn(
    process.execPath,
    [serviceEntry, '--data', folder, ...(options.args ?? ['--port', '0'])],
    {
      env: {
        ...environment,
        ...compileCache,
        PROMPT_TABLES_API_KEY: `${firstKey},${secondKey}`,
        ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl }),
        ...options.environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export function ended(child: ChildProcess): Promise<Ended> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve({ code: child.exitCode, signal: child.signalCode });
  }
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

interface ReadyLine {
  readonly pid: number;
  readonly url?: string;
  readonly socketPath?: string;
}

/** The real service in a process of its own. */
export class RunningService {
  readonly folder: string;
  readonly ready: ReadyLine;
  readonly child: ChildProcess;
  readonly api: Api;
  readonly #log: string[];
  readonly #ownsFolder: boolean;
  readonly #client: Client;

  private constructor(
    folder: string,
    ownsFolder: boolean,
    child: ChildProcess,
    ready: ReadyLine,
    log: string[],
  ) {
    this.folder = folder;
    this.#ownsFolder = ownsFolder;
    this.child = child;
    this.ready = ready;
    this.#log = log;
    this.#client =
      ready.socketPath === undefined
        ? new Client(ready.url!)
        : new Client('http://localhost', { socketPath: ready.socketPath });
    this.api = new Api(this.#client, firstKey);
  }

  static async start(options: ServiceOptions = {}): Promise<RunningService> {
    const folder = options.folder ?? newFolder();
    const child = spawnService(folder, options);
    const log: string[] = [];
    child.stderr?.setEncoding('utf8').on('data', (text: string) => log.push(text));
    const ready = await readyLine(child, log);
    return new RunningService(folder, options.folder === undefined, child, ready, log);
  }

  get log(): string {
    return this.#log.join('');
  }

  /** The service as another workspace sees it. */
  withKey(key: string): Api {
    return new Api(this.#client, key);
  }

  async kill(signal: NodeJS.Signals): Promise<Ended> {
    await this.#client.destroy();
    this.child.kill(signal);
    return ended(this.child);
  }

  async stop(): Promise<Ended> {
    const force = setTimeout(() => this.child.kill('SIGKILL'), timeLimit(7500));
    const result = await this.kill('SIGTERM');
    clearTimeout(force);
    if (this.#ownsFolder) rmSync(this.folder, { recursive: true, force: true });
    return result;
  }
}

function readyLine(child: ChildProcess, log: readonly string[]): Promise<ReadyLine> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The service was not ready in time:\n${log.join('')}`));
    }, START_LIMIT_MS);
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (!text.includes('\n')) return;
      clearTimeout(limit);
      resolve(JSON.parse(text) as ReadyLine);
    });
    child.once('exit', (code) => {
      clearTimeout(limit);
      reject(new Error(`The service ended with ${String(code)}:\n${log.join('')}`));
    });
  });
}
