import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCache, serviceEntry } from '../service-entry.ts';
import { timeLimit } from '../time-limit.ts';

const startLimitMs = timeLimit(20_000);

/** The real service in a process of its own, on a free port, with a data folder of its own. */
export class ServiceProcess {
  readonly url: string;
  readonly key: string;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #log: string[];

  private constructor(
    url: string,
    key: string,
    child: ChildProcess,
    folder: string,
    log: string[],
  ) {
    this.url = url;
    this.key = key;
    this.#child = child;
    this.#folder = folder;
    this.#log = log;
  }

  static async start(): Promise<ServiceProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'prompt-tables-contract-'));
    const key = 'contract-key';
    const child = spawn(process.execPath, [serviceEntry, '--data', folder, '--port', '0'], {
      env: { ...process.env, ...compileCache, PROMPT_TABLES_API_KEY: key },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log.push(text);
      if (log.length > 500) log.splice(0, 250);
    });
    const url = await readyUrl(child, log);
    return new ServiceProcess(url, key, child, folder, log);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What it logged about one request, for messages of failed tests. */
  logOf(requestId: string): string {
    const lines = this.#log.join('').split('\n');
    return lines.filter((line) => line.includes(requestId)).join('\n');
  }

  async stop(): Promise<void> {
    if (this.isRunning) {
      const ended = new Promise((resolve) => this.#child.once('exit', resolve));
      this.#child.kill('SIGTERM');
      const force = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(force);
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function readyUrl(child: ChildProcess, log: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The service was not ready in time:\n${log.join('')}`));
    }, startLimitMs);
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const line = /^\{.*"ready":true.*\}$/m.exec(text)?.[0];
      if (line === undefined) return;
      clearTimeout(limit);
      resolve((JSON.parse(line) as { url: string }).url);
    });
    child.once('exit', (code) => {
      clearTimeout(limit);
      reject(new Error(`The service ended with ${String(code)}:\n${log.join('')}`));
    });
  });
}
