import type { RunChunk } from '../../core/index.ts';
import { isCancellation, isPromptTablesError } from '../../core/errors.ts';
import type {
  RunEnding,
  RunProblem,
  RunSnapshot,
  RunStatus,
  RunVariable,
  SchemaVerdict,
  ViewEvents,
} from '../../protocol/run.ts';
import type { Ending } from '../../core/providers/ending.ts';
import { shownEnding } from './ending.ts';
import { Output } from './output.ts';
import type { RunRecord } from './records.ts';
import { tokensOf } from './usage.ts';

/** At most one message to the view in this time: two frames. */
const flushMs = 33;
/** How often a run that goes on is written down. */
const firstSaveMs = 200;
const saveMs = 2000;

/** Soon at first, when little is written; a window may go at any moment. */
const saveDelay = (saves: number): number => Math.min(saveMs, firstSaveMs * 1.5 ** saves);

export interface SessionParts {
  /** Asks the model. */
  readonly start: (
    variables: readonly RunVariable[],
    signal: AbortSignal,
  ) => Promise<AsyncIterable<RunChunk>>;
  readonly emit: <Name extends 'started' | 'progress'>(
    name: Name,
    payload: ViewEvents[Name],
  ) => void;
  readonly problemOf: (error: unknown) => RunProblem;
  readonly endingOf: (response: unknown) => Ending;
  /** What a whole text is held against; undefined: nothing is demanded of the run that goes on. */
  readonly checkOf?: () => ((text: string) => Promise<SchemaVerdict>) | undefined;
  readonly note: (error: unknown) => void;
  /** The state of the run has changed. */
  readonly onState: () => void;
  /** Keeps the record, in case the window goes. */
  readonly save: (record: RunRecord) => void;
  /** The window is being closed. */
  readonly isLeaving?: () => boolean;
  /** A run goes on, with what has come. */
  readonly onProgress: (variables: readonly RunVariable[], record: RunRecord) => void;
  /** A run has ended, with what it was given. */
  readonly onEnd: (variables: readonly RunVariable[], record: RunRecord) => void;
  readonly now?: () => number;
}

/** One run, from the press of the button to the last token. */
interface Run {
  readonly id: number;
  readonly variables: readonly RunVariable[];
  readonly stop: AbortController;
  readonly startedAt: number;
  readonly output: Output;
  /** Events of the provider; the whole answer takes their place. */
  readonly events: unknown[];
  raw: unknown;
  state: RunStatus['state'];
  elapsedMs: number;
  firstTokenMs: number | undefined;
  requestId: number | undefined;
  priceUsd: number | null | undefined;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  isEstimated: boolean | undefined;
  problem: RunProblem | undefined;
  ending: RunEnding | undefined;
  schema: SchemaVerdict | undefined;
  cachedAt: number | undefined;
  /** All has come, and is being looked at. */
  answeredAt: number | undefined;
  /** How often it has been written down. */
  saves: number;
}

/** Runs of one panel, one at a time. Knows neither VS Code nor the view. */
export class RunSession {
  readonly #parts: SessionParts;
  readonly #now: () => number;
  #run: Run;
  #flush: ReturnType<typeof setTimeout> | undefined;
  #save: ReturnType<typeof setTimeout> | undefined;
  #isDisposed = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
    this.#run = this.#newRun(0, 'idle');
  }

  get isRunning(): boolean {
    return this.#run.state === 'running';
  }

  /** Nothing was run yet. */
  get isIdle(): boolean {
    return this.#run.state === 'idle';
  }

  get text(): string {
    return this.#run.output.text;
  }

  image(id: string): string | undefined {
    return this.#run.output.parts().find((part) => part.id === id && part.kind === 'image')?.text;
  }

  /** The provider's own answer, or as many of its events as have come; undefined before any. */
  get raw(): unknown {
    const { raw, events } = this.#run;
    return raw ?? (events.length === 0 ? undefined : { events });
  }

  /** The whole state, for a page that starts; later changes are sent on top of it. */
  snapshot(): RunSnapshot {
    return { status: this.#status(), parts: this.#run.output.whole() };
  }

  record(): RunRecord {
    return { status: this.#status(), parts: this.#run.output.parts(), raw: this.raw };
  }

  /** What an earlier window has kept. A run that was going on then has ended with it. */
  restore({ status, parts, raw }: RunRecord): void {
    const state = status.state === 'running' ? 'interrupted' : status.state;
    const run = this.#newRun(status.runId, state);
    run.output.restore(parts);
    const { elapsedMs, firstTokenMs, requestId, inputTokens, outputTokens, problem } = status;
    Object.assign(run, { elapsedMs, firstTokenMs, requestId, inputTokens, outputTokens, problem });
    run.isEstimated = status.isEstimated;
    run.priceUsd = status.priceUsd;
    run.ending = status.ending;
    run.schema = status.schema;
    run.cachedAt = status.cachedAt;
    run.raw = raw;
    this.#run = run;
  }

  begin(variables: readonly RunVariable[]): void {
    this.stop();
    const run = this.#newRun(this.#run.id + 1, 'running', variables);
    this.#run = run;
    this.#parts.emit('started', this.#status());
    this.#parts.onState();
    this.#keep();
    void this.#follow(run, variables);
  }

  /** At once: what the provider still sends is not waited for. */
  stop(): void {
    const run = this.#run;
    if (run.state !== 'running') return;
    this.#end(run, 'stopped');
    run.stop.abort();
  }

  /** What a run has cost, which the service tells after its end. */
  setPrice(runId: number, priceUsd: number | undefined): void {
    const run = this.#run;
    if (this.#isDisposed || run.id !== runId || run.state === 'running') return;
    run.priceUsd = priceUsd ?? null;
    this.#tell();
    this.#keep();
  }

  /** The panel was closed. */
  dispose(): void {
    this.#isDisposed = true;
    this.#run.stop.abort();
    clearTimeout(this.#flush);
    clearTimeout(this.#save);
  }

  #newRun(id: number, state: Run['state'], variables: readonly RunVariable[] = []): Run {
    return {
      variables,
      ...{ id, state, stop: new AbortController(), startedAt: this.#now(), output: new Output() },
      ...{ events: [], raw: undefined, elapsedMs: 0, firstTokenMs: undefined },
      ...{ requestId: undefined, inputTokens: undefined, outputTokens: undefined },
      ...{ isEstimated: undefined, schema: undefined, answeredAt: undefined },
      ...{ cachedAt: undefined },
      ...{ problem: undefined, priceUsd: undefined, ending: undefined, saves: 0 },
    };
  }

  async #follow(run: Run, variables: readonly RunVariable[]): Promise<void> {
    try {
      const chunks = await this.#parts.start(variables, run.stop.signal);
      for await (const chunk of chunks) {
        if (run.state !== 'running') return;
        this.#take(run, chunk);
      }
      await this.#finish(run);
    } catch (error) {
      await this.#fail(run, error);
    }
  }

  #take(run: Run, chunk: RunChunk): void {
    const isLast = chunk.request_id !== undefined;
    // The last blueprint is the service's own: the answer is on screen already.
    if (!isLast || run.output.isEmpty) run.output.take(chunk.prompt_blueprint);
    if (isLast) {
      run.raw = chunk.raw_response;
      run.requestId = chunk.request_id ?? undefined;
      if (chunk.cached !== undefined) run.cachedAt = Date.parse(chunk.cached.answered_at);
    } else {
      run.events.push(chunk.raw_response);
    }
    if (run.firstTokenMs === undefined && !run.output.isEmpty) {
      run.firstTokenMs = this.#now() - run.startedAt;
    }
    this.#flush ??= setTimeout(() => this.#tell(), flushMs);
    this.#save ??= setTimeout(() => this.#keep(), saveDelay(run.saves));
  }

  /** The answer has come, as far as the provider says. */
  async #finish(run: Run): Promise<void> {
    const check = this.#parts.checkOf?.();
    const text = run.output.answerText;
    if (check !== undefined && text !== undefined && run.state === 'running') {
      run.answeredAt = this.#now();
      const isWhole = shownEnding(this.#endingOf(run)) === undefined;
      // An answer that can't be checked is an answer all the same.
      if (isWhole)
        run.schema = await check(text).catch((error: unknown) => {
          this.#parts.note(error);
          return undefined;
        });
    }
    this.#end(run, 'done');
  }

  async #fail(run: Run, error: unknown): Promise<void> {
    if (run.state !== 'running') return;
    if (isCancellation(error)) {
      this.#end(run, this.#parts.isLeaving?.() === true ? 'interrupted' : 'stopped');
      return;
    }
    this.#parts.note(error);
    run.problem = this.#parts.problemOf(error);
    const salvaged = salvagedFrom(error);
    if (salvaged !== undefined) {
      run.raw = salvaged.raw_response;
      run.requestId = salvaged.request_id ?? undefined;
      if (run.output.isEmpty) run.output.take(salvaged.prompt_blueprint);
    }
    // Not logged: the answer is whole all the same.
    const isAnswered = isPromptTablesError(error) && error.code === 'not_logged';
    if (isAnswered) await this.#finish(run);
    else this.#end(run, 'failed');
  }

  #end(run: Run, state: Run['state']): void {
    if (run.state !== 'running') return;
    run.elapsedMs = (run.answeredAt ?? this.#now()) - run.startedAt;
    run.state = state;
    const { input, output, isEstimated } = tokensOf(run.raw);
    run.isEstimated = isEstimated;
    run.inputTokens = input;
    run.outputTokens = output;
    run.ending = state === 'done' ? shownEnding(this.#endingOf(run)) : undefined;
    // What has come of an answer that broke off is not wrong: it isn't all.
    const isDemanded = this.#parts.checkOf?.() !== undefined && run.output.answerText !== undefined;
    if (run.schema === undefined && isDemanded) run.schema = { kind: 'incomplete' };
    if (run !== this.#run) return;
    this.#tell();
    this.#keep();
    this.#parts.onState();
    this.#parts.onEnd(run.variables, this.record());
  }

  #endingOf({ raw, output }: Run): Ending {
    const ending = this.#parts.endingOf(raw);
    const isOne = ['complete', 'cutOff', 'unknown'].includes(ending.kind);
    return isOne && output.saysNothing ? { ...ending, kind: 'empty' } : ending;
  }

  #tell(): void {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    this.#parts.emit('progress', { status: this.#status(), changes: this.#run.output.changes() });
  }

  #keep(): void {
    clearTimeout(this.#save);
    this.#save = undefined;
    this.#run.saves += 1;
    const record = this.record();
    // Thousands of events are not written down again and again: the raw answer follows at the end.
    const kept = this.isRunning ? { ...record, raw: null } : record;
    this.#parts.save(kept);
    if (this.isRunning) this.#parts.onProgress(this.#run.variables, kept);
  }

  #status(): RunStatus {
    const run = this.#run;
    const { firstTokenMs, inputTokens, outputTokens, requestId, priceUsd, problem, ending } = run;
    const { isEstimated, schema, cachedAt } = run;
    return {
      runId: run.id,
      state: run.state,
      elapsedMs: run.state === 'running' ? this.#now() - run.startedAt : run.elapsedMs,
      ...(firstTokenMs !== undefined && { firstTokenMs }),
      ...(inputTokens !== undefined && { inputTokens }),
      ...(outputTokens !== undefined && { outputTokens }),
      ...(isEstimated !== undefined && { isEstimated }),
      ...(requestId !== undefined && { requestId }),
      ...(priceUsd !== undefined && { priceUsd }),
      ...(problem !== undefined && { problem }),
      ...(ending !== undefined && { ending }),
      ...(schema !== undefined && { schema }),
      ...(cachedAt !== undefined && { cachedAt }),
    };
  }
}

type Salvaged = Pick<RunChunk, 'raw_response' | 'prompt_blueprint' | 'request_id'>;

/** What an error has kept of the answer. */
function salvagedFrom(error: unknown): Salvaged | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const partial = 'partial' in error ? error.partial : undefined;
  const found = 'result' in error ? (error.result ?? partial) : partial;
  const isSalvaged =
    typeof found === 'object' &&
    found !== null &&
    'raw_response' in found &&
    'prompt_blueprint' in found;
  return isSalvaged ? (found as Salvaged) : undefined;
}
