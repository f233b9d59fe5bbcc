import { CellProblem, type CellProblemCode } from '../engine/problem.ts';
import { jsonAsWritten, type Json } from '../engine/columns/json.ts';
import { SandboxJob } from './job.ts';
import { SandboxProcess } from './process.ts';
import type { CodeLimits, ColumnTask, SandboxRequest } from './protocol.ts';

export interface SandboxOptions {
  /** How many processes run code at the same time. */
  readonly slots?: number;
  readonly limits?: Partial<CodeLimits>;
  /** Of the processor, for everything but JavaScript. */
  readonly shortTimeMs?: number;
  /** What its processes run; the program beside this module when absent. */
  readonly program?: string;
}

const DEFAULT_LIMITS: CodeLimits = {
  timeMs: 5000,
  memoryBytes: 64 * 2 ** 20,
  outputBytes: 4 * 2 ** 20,
};
/** After this QuickJS must have stopped by itself. */
const GRACE_MS = 3000;
const IDLE_MS = 60_000;

const problemCodes: Record<'failed' | 'timed_out' | 'too_large', CellProblemCode> = {
  failed: 'code_failed',
  timed_out: 'timed_out',
  too_large: 'limit_exceeded',
};

const path = ' Use a path with fewer "..", "//" and filters, or a smaller value.';
const pattern = ' Use a simpler pattern without nested repeats, or a shorter text.';
const smaller = ' Use smaller values.';

/** What took too long, and what to do about it. */
const columnWords: Readonly<Record<string, { readonly what: string; readonly advice: string }>> = {
  APPLY_DIFF: { what: 'Applying the diff', advice: ' Use a shorter text or a smaller diff.' },
  COMPARE: { what: 'The comparison', advice: path },
  CONDITION: { what: 'The condition', advice: smaller },
  JSON_PATH: { what: 'The JSONPath', advice: path },
  MIN_MAX: { what: 'The JSONPath', advice: path },
  REGEX: { what: 'The regular expression', advice: pattern },
  REGEX_EXTRACTION: { what: 'The regular expression', advice: pattern },
  STRUCTURE: { what: 'The check of the structure', advice: smaller },
  XML_PATH: { what: 'The XML path', advice: path },
};

/** What code sees as `data`: values by name, or a list of such. */
export type CodeData = { readonly [name: string]: Json } | { [name: string]: Json }[];

/** What whoever asks has to say about it. */
export interface RunOptions {
  readonly signal: AbortSignal;
  /** Called when the code begins, after its wait in line. */
  readonly onBegin?: (() => void) | undefined;
}

/** Runs what may hang or grow in processes that can be killed; as many at a time as it has slots. */
export class Sandbox {
  readonly #slots: number;
  readonly #limits: CodeLimits;
  readonly #shortTimeMs: number;
  readonly #program: string | undefined;
  readonly #processes = new Set<SandboxProcess>();
  #line: SandboxJob[] = [];
  readonly #turns = new WeakMap<AbortSignal, number>();
  #turn = 0;
  #closed = false;
  #isDispatching = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: SandboxOptions = {}) {
    this.#slots = options.slots ?? 2;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#shortTimeMs = options.shortTimeMs ?? 2000;
    this.#program = options.program;
  }

  runJavaScript(code: string, data: CodeData, runOptions: RunOptions): Promise<Json> {
    return this.#run(
      {
        kind: 'javascript',
        code,
        // Numbers that JavaScript can't hold reach the code as text, with every digit.
        dataText: JSON.stringify(data),
        limits: this.#limits,
      },
      this.#limits.timeMs + GRACE_MS,
      `The code did not end within ${String(this.#limits.timeMs / 1000)} s and was stopped.`,
      runOptions,
    );
  }

  /** A cell of a kind that needs nothing but its sources, within the short limit. */
  runColumn(task: ColumnTask, runOptions: RunOptions): Promise<Json> {
    const { what, advice } = columnWords[task.type] ?? { what: task.type, advice: '' };
    return this.#runShort({ kind: 'column', ...task }, what, runOptions, advice);
  }

  isSql(text: string, runOptions: RunOptions): Promise<Json> {
    return this.#runShort({ kind: 'sql', text }, 'Reading the SQL', runOptions);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#idleTimer);
    for (const process of this.#processes) process.kill();
    this.#dispatchSoon();
  }

  #runShort(
    request: SandboxRequest,
    what: string,
    runOptions: RunOptions,
    advice = '',
  ): Promise<Json> {
    const message = `${what} did not end within ${String(this.#shortTimeMs / 1000)} s and was stopped.${advice}`;
    return this.#run(request, this.#shortTimeMs, message, runOptions);
  }

  async #run(
    request: SandboxRequest,
    timeMs: number,
    timeoutMessage: string,
    { signal, onBegin }: RunOptions,
  ): Promise<Json> {
    signal.throwIfAborted();
    const job = new SandboxJob({ request, timeMs, timeoutMessage, signal, onBegin }, (dropped) => {
      for (const process of this.#processes) process.drop(dropped);
    });
    this.#line.push(job);
    this.#dispatchSoon();
    const answer = await job.outcome;
    if (answer.ok) return jsonAsWritten(answer.value);
    const code = answer.reason === 'problem' ? answer.code : problemCodes[answer.reason];
    throw new CellProblem(code, answer.message);
  }

  /** Once for all that happens in this turn: an abort concerns many jobs, a bundle answers many. */
  #dispatchSoon(): void {
    if (this.#isDispatching) return;
    this.#isDispatching = true;
    queueMicrotask(() => {
      this.#isDispatching = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    const line = this.#line.filter(({ isSettled }) => !isSettled);
    this.#line = [];
    clearTimeout(this.#idleTimer);
    if (this.#closed) {
      for (const job of line) job.fail(new CellProblem('internal', 'The service is stopping.'));
      return;
    }
    for (let rest = line.length; rest > 0; rest -= 1) {
      const process = this.#processWithRoom();
      if (!process) break;
      const job = this.#takeNext(line);
      if (job) process.send(job);
    }
    this.#line = line;
    if ([...this.#processes].every(({ jobCount }) => jobCount === 0)) this.#dismissLater();
  }

  /** Askers take turns, so that many slow cells of one do not hold up a few of another. */
  #takeNext(line: SandboxJob[]): SandboxJob | undefined {
    const turnOf = ({ asker }: SandboxJob): number => this.#turns.get(asker) ?? 0;
    let next = 0;
    for (const [position, job] of line.entries()) {
      const best = line[next];
      if (best && turnOf(job) < turnOf(best)) next = position;
    }
    const [job] = line.splice(next, 1);
    if (job) this.#turns.set(job.asker, (this.#turn += 1));
    return job;
  }

  #processWithRoom(): SandboxProcess | undefined {
    let best: SandboxProcess | undefined;
    for (const process of this.#processes) {
      if (process.hasRoom && process.jobCount < (best?.jobCount ?? Infinity)) best = process;
    }
    if (best?.jobCount === 0 || this.#processes.size >= this.#slots) return best;
    const started = new SandboxProcess((unbegun) => {
      if (!started.isAlive) this.#processes.delete(started);
      this.#line.unshift(...unbegun);
      this.#dispatchSoon();
    }, this.#program);
    this.#processes.add(started);
    return started;
  }

  /** Processes cost memory; when no code has run for a while they end. */
  #dismissLater(): void {
    this.#idleTimer = setTimeout(() => {
      for (const process of this.#processes) process.kill();
    }, IDLE_MS);
    this.#idleTimer.unref();
  }
}
