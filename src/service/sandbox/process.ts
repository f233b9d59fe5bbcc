import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { CellProblem } from '../engine/problem.ts';
import type { SandboxJob } from './job.ts';
import type { SandboxReply } from './protocol.ts';

const MAX_LINE = 32 * 2 ** 20;
/** Of a process, without that of JavaScript columns, which is limited apart. */
const MEMORY_MB = 384;
const START_MS = 30_000;
/** How much work may lie before a process: quick code in bundles, slow code one by one. */
const AHEAD_MS = 50;
const MAX_AHEAD = 32;

const ended = (): CellProblem =>
  new CellProblem(
    'code_failed',
    `What was computed ended its process: it may need more than ${String(MEMORY_MB)} MB of memory.`,
  );
const notStarted = (): CellProblem =>
  new CellProblem('internal', 'The process in which code runs could not be started.');

/**
 * One sandbox process. It does its jobs one after the other, in the order of sending, and is killed
 * when the first of them is late or not wanted. Those behind it have not begun and are handed back.
 */
export class SandboxProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #onChange: (unbegun: readonly SandboxJob[]) => void;
  #jobs: SandboxJob[] = [];
  #received: string[] = [];
  #receivedLength = 0;
  #timer: NodeJS.Timeout;
  #isReady = false;
  #averageMs = AHEAD_MS;
  isAlive = true;

  /** `onChange` hears of every end of a job, and takes back those that never began. */
  constructor(onChange: (unbegun: readonly SandboxJob[]) => void) {
    this.#onChange = onChange;
    this.#child = spawn(process.execPath, [...nodeOptions(), entryPath()], {
      env: environment(),
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    this.#child.stdout.setEncoding('utf8');
    this.#child.stdout.on('data', (part: string) => this.#receive(part));
    this.#child.stdin.on('error', () => this.#end(ended()));
    this.#child.on('error', () => this.#end(ended()));
    this.#child.on('exit', () => this.#end(ended()));
    this.#timer = setTimeout(() => this.#end(notStarted()), START_MS);
  }

  get jobCount(): number {
    return this.#jobs.length;
  }

  get hasRoom(): boolean {
    const room = Math.min(Math.floor(AHEAD_MS / Math.max(this.#averageMs, 1)), MAX_AHEAD);
    return this.isAlive && this.#jobs.length < Math.max(1, room);
  }

  send(job: SandboxJob): void {
    this.#jobs.push(job);
    this.#child.stdin.write(`${JSON.stringify(job.request)}\n`);
    if (this.#jobs.length === 1) this.#begin();
  }

  /** Nobody waits for the job any more: it must not run on. */
  drop(job: SandboxJob): void {
    if (job === this.#jobs[0] && job.hasBegun) this.kill();
  }

  kill(): void {
    this.#end(ended());
  }

  /** The time of a job counts from here: neither starting nor waiting is its fault. */
  #begin(): void {
    const [job] = this.#jobs;
    if (!job || !this.#isReady || !this.isAlive) return;
    job.begin();
    const late = (): void => {
      if (job === this.#jobs[0]) this.#end(new CellProblem('timed_out', job.timeoutMessage));
    };
    // An answer that came while this thread was busy is read before the job is called late.
    this.#timer = setTimeout(() => setImmediate(late), job.timeMs);
  }

  #receive(part: string): void {
    const lines = part.split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      this.#received.push(line);
      const whole = this.#received.join('');
      this.#received = [];
      this.#receivedLength = 0;
      this.#receiveLine(whole);
    }
    this.#received.push(rest);
    this.#receivedLength += rest.length;
    if (this.#receivedLength > MAX_LINE) {
      this.#end(new CellProblem('limit_exceeded', 'The code returned more than can be kept.'));
    }
  }

  /** The first line says that the process is up, every other one answers the first job. */
  #receiveLine(line: string): void {
    if (!this.isAlive) return;
    clearTimeout(this.#timer);
    if (this.#isReady) {
      // Our own program wrote the line.
      const { ms, answer, isSpent } = JSON.parse(line) as SandboxReply;
      this.#averageMs = 0.7 * this.#averageMs + 0.3 * ms;
      this.#jobs.shift()?.answer(answer);
      if (isSpent) this.kill();
      else this.#onChange([]);
    }
    this.#isReady = true;
    this.#begin();
  }

  #end(problem: CellProblem): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    clearTimeout(this.#timer);
    this.#child.kill('SIGKILL');
    const jobs = this.#jobs;
    this.#jobs = [];
    if (!this.#isReady) {
      // Another process would not start either.
      for (const job of jobs) job.fail(notStarted());
    } else if (jobs[0]?.hasBegun === true) {
      jobs.shift()?.fail(problem);
    }
    this.#onChange(jobs.filter(({ isSettled }) => !isSettled));
  }
}

/** From the sources or from the bundles, which lie side by side. */
function entryPath(): string {
  const name = import.meta.url.endsWith('.ts') ? './main.ts' : './sandbox.mjs';
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Node's own permission model is a second wall: no writing, no processes, no threads. */
function nodeOptions(): string[] {
  if (process.versions['electron'] !== undefined) return [];
  const hasPermissions = process.allowedNodeEnvironmentFlags.has('--permission');
  return [
    `--max-old-space-size=${String(MEMORY_MB)}`,
    ...(hasPermissions ? ['--permission', '--allow-fs-read=*'] : []),
    '--no-warnings',
  ];
}

/** Nothing of ours; VS Code's own runtime needs to be told that it is Node here. */
function environment(): NodeJS.ProcessEnv {
  return process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
}
