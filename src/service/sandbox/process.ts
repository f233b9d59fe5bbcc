import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { CellProblem } from '../engine/problem.ts';
import type { SandboxJob } from './job.ts';
import { Lines } from './lines.ts';
import type { SandboxReply, TimedRequest } from './protocol.ts';
import { WATCH_FD } from './watched.ts';

const MAX_LINE = 32 * 2 ** 20;
/** Of a process, without that of JavaScript columns, which is limited apart. */
const MEMORY_MB = 384;
const START_MS = 30_000;
/** By the clock a job has so many times what it has of the processor: the machine may be busy. */
const CLOCK_FACTOR = 5;
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
  readonly #child: ChildProcess;
  readonly #onChange: (unbegun: readonly SandboxJob[]) => void;
  #jobs: SandboxJob[] = [];
  readonly #lines = new Lines();
  #timer: NodeJS.Timeout;
  /** The process counts its jobs in the same way. */
  #answered = 0;
  #isReady = false;
  #averageMs = AHEAD_MS;
  isAlive = true;

  /** `onChange` hears of every end of a job, and takes back those that never began. */
  constructor(onChange: (unbegun: readonly SandboxJob[]) => void, program = entryPath()) {
    this.#onChange = onChange;
    this.#child = spawn(process.execPath, [...nodeOptions(), program, String(process.pid)], {
      env: environment(),
      stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
      windowsHide: true,
    });
    // Where no more pipes can be made there are none, and the error comes in a moment.
    const { stdin, stdout, stdio } = this.#child;
    stdin?.on('error', () => this.#end(ended()));
    stdout?.setEncoding('utf8').on('data', (part: string) => this.#receive(part));
    const watchdog = stdio[WATCH_FD];
    if (watchdog instanceof Readable) {
      createInterface({ input: watchdog }).on('line', (job) => this.#hearOfLate(Number(job)));
    }
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
    const request: TimedRequest = { ...job.request, timeMs: job.timeMs };
    const { stdin } = this.#child;
    // What is sent in one turn goes in one piece.
    if (stdin?.writableCorked === 0) {
      stdin.cork();
      process.nextTick(() => stdin.uncork());
    }
    stdin?.write(`${JSON.stringify(request)}\n`);
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
    // An answer that came while this thread was busy is read before the job is called late.
    this.#timer = setTimeout(() => setImmediate(() => this.#late(job)), job.timeMs * CLOCK_FACTOR);
  }

  #late(job: SandboxJob | undefined): void {
    if (job !== this.#jobs[0] || job?.hasBegun !== true) return;
    this.#end(new CellProblem('timed_out', job.timeoutMessage));
  }

  /** It says which job has used up its time of the processor. */
  #hearOfLate(number: number): void {
    if (number === this.#answered + 1) this.#late(this.#jobs[0]);
  }

  #receive(part: string): void {
    for (const line of this.#lines.add(part)) this.#receiveLine(line);
    if (this.#lines.openLength > MAX_LINE) {
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
      this.#answered += 1;
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

/** Node's own permission model is a second wall: no writing, no processes; a thread for the watchdog. */
function nodeOptions(): string[] {
  if (process.versions['electron'] !== undefined) return [];
  const hasPermissions = process.allowedNodeEnvironmentFlags.has('--permission');
  return [
    `--max-old-space-size=${String(MEMORY_MB)}`,
    ...(hasPermissions ? ['--permission', '--allow-fs-read=*', '--allow-worker'] : []),
    '--no-warnings',
  ];
}

/** Nothing of ours; VS Code's own runtime needs this to act as Node. */
function environment(): NodeJS.ProcessEnv {
  return process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
}
