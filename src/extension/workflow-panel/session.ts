import type { NodeOutputs, WorkflowProgress } from '../../core/index.ts';
import { isCancellation } from '../../core/errors.ts';
import type { RunProblem, RunVariable } from '../../protocol/run.ts';
import type {
  NodeReport,
  NodeState,
  WorkflowSnapshot,
  WorkflowStatus,
  WorkflowViewEvents,
} from '../../protocol/workflow.ts';
import type { WorkflowRecord } from './records.ts';
import { finalOf, isOver, reportOf, stateOf, valueOf } from './report.ts';
import { ownValue } from '../../api/own-value.ts';

/** How long a run that was cancelled is waited for, to tell which nodes had ended; milliseconds. */
const stopWaitMs = 5000;

export interface WorkflowSessionParts {
  /** Starts the workflow and waits for what all its nodes have done. */
  readonly start: (
    variables: readonly RunVariable[],
    options: {
      readonly signal: AbortSignal;
      readonly onProgress: (progress: WorkflowProgress) => void;
    },
  ) => Promise<NodeOutputs>;
  /** Asks the service to end an execution. */
  readonly cancel: (executionId: number) => Promise<unknown>;
  readonly emit: <Name extends 'started' | 'progress'>(
    name: Name,
    payload: WorkflowViewEvents[Name],
  ) => void;
  readonly problemOf: (error: unknown) => RunProblem;
  /** Hides what looks like a key. */
  readonly redact: (text: string) => string;
  readonly note: (error: unknown) => void;
  /** Words for a run that the service could not cancel. */
  readonly goesOn: string;
  /** Words for a run whose output nodes all failed. */
  readonly noOutput: string;
  /** The state of the run has changed. */
  readonly onState: () => void;
  /** Keeps the record, in case the window goes. */
  readonly save: (record: WorkflowRecord) => void;
  /** A run has ended, with what it was given. */
  /** A run goes on, with what has come. */
  readonly onProgress?: (variables: readonly RunVariable[], record: WorkflowRecord) => void;
  readonly onEnd: (variables: readonly RunVariable[], record: WorkflowRecord) => void;
  readonly now?: () => number;
}

/** One run, from the press of the button to the last node. */
interface Run {
  readonly id: number;
  readonly variables: readonly RunVariable[];
  readonly stop: AbortController;
  readonly startedAt: number;
  /** When a node was first seen at work, and how long it then took. */
  readonly begun: Map<string, number>;
  readonly took: Map<string, number>;
  nodes: NodeOutputs;
  state: WorkflowStatus['state'];
  /** Stop was pressed. */
  isStopping: boolean;
  elapsedMs: number;
  executionId: number | undefined;
  problem: RunProblem | undefined;
  note: string | undefined;
}

/** Runs of one panel, one at a time. Knows neither VS Code nor the view. */
export class WorkflowSession {
  readonly #parts: WorkflowSessionParts;
  readonly #now: () => number;
  #run: Run;

  constructor(parts: WorkflowSessionParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
    this.#run = this.#newRun(0, 'idle');
  }

  get isRunning(): boolean {
    return this.#run.state === 'running';
  }

  /** What every node has done, by its name. */
  get nodes(): NodeOutputs {
    return this.#run.nodes;
  }

  /** The value of a node, or the final one; undefined when there is none yet. */
  valueOf(node: string | null): { readonly value: unknown } | undefined {
    const { nodes } = this.#run;
    if (node === null) return finalOf(nodes);
    const output = ownValue(nodes, node);
    return output === undefined ? undefined : { value: output.value };
  }

  /** Leaves the run that is going on, if one is, and begins another. */
  begin(variables: readonly RunVariable[]): void {
    if (this.isRunning) this.stop();
    const run = this.#newRun(this.#run.id + 1, 'running', variables);
    this.#run = run;
    this.#parts.emit('started', this.#status(run));
    this.#parts.onState();
    void this.#follow(run, variables);
  }

  /** Cancels the run at the service; what its nodes have done stays. */
  stop(): void {
    const run = this.#run;
    if (run.state !== 'running' || run.isStopping) return;
    run.isStopping = true;
    const { executionId } = run;
    if (executionId === undefined) run.stop.abort();
    else void this.#cancel(run, executionId);
  }

  restore({ status, nodes }: WorkflowRecord): void {
    const wasRunning = status.state === 'running';
    this.#run = {
      ...this.#newRun(status.runId, wasRunning ? 'interrupted' : status.state),
      nodes,
      elapsedMs: status.elapsedMs,
      executionId: status.executionId,
      problem: status.problem,
      note: wasRunning && status.executionId !== undefined ? this.#parts.goesOn : status.note,
    };
  }

  snapshot(): WorkflowSnapshot {
    const run = this.#run;
    return {
      status: this.#status(run),
      nodes: Object.keys(run.nodes).map((name) => this.#report(run, name)),
      ...this.#final(run),
    };
  }

  record(): WorkflowRecord {
    const { nodes } = this.#run;
    return { status: this.#status(this.#run), nodes };
  }

  dispose(): void {
    this.#run.stop.abort();
  }

  #newRun(id: number, state: Run['state'], variables: readonly RunVariable[] = []): Run {
    return {
      variables,
      ...{ id, state, stop: new AbortController(), startedAt: this.#now(), isStopping: false },
      ...{ begun: new Map(), took: new Map(), nodes: {}, elapsedMs: 0 },
      ...{ executionId: undefined, problem: undefined, note: undefined },
    };
  }

  async #follow(run: Run, variables: readonly RunVariable[]): Promise<void> {
    const { signal } = run.stop;
    try {
      const nodes = await this.#parts.start(variables, {
        signal,
        onProgress: (progress) => this.#see(run, progress),
      });
      if (run.state !== 'running') return;
      this.#take(run, nodes, Object.keys(nodes));
      const isDone = finalOf(nodes) !== undefined;
      if (!isDone && !run.isStopping) run.problem = { message: this.#parts.noOutput };
      this.#end(run, run.isStopping ? 'stopped' : isDone ? 'done' : 'failed');
    } catch (error) {
      if (run.state !== 'running') return;
      const isStopped = run.isStopping || isCancellation(error);
      if (!isStopped) {
        this.#parts.note(error);
        run.problem = this.#parts.problemOf(error);
      }
      // Nobody has stopped it: its tab or window goes, and it may go on at the service.
      const hasGone = isStopped && !run.isStopping;
      this.#end(run, hasGone ? 'interrupted' : isStopped ? 'stopped' : 'failed');
    }
  }

  #see(run: Run, { executionId, nodes, changed }: WorkflowProgress): void {
    if (run.state !== 'running') return;
    const isNew = run.executionId === undefined;
    run.executionId = executionId;
    // Stop was selected before the service had returned its id.
    if (isNew && run.isStopping) void this.#cancel(run, executionId);
    this.#take(run, nodes, changed);
    this.#tell(run, changed);
    this.#parts.save(this.record());
    this.#parts.onProgress?.(run.variables, this.record());
  }

  #take(run: Run, nodes: NodeOutputs, changed: readonly string[]): void {
    const now = this.#now();
    for (const name of changed) {
      const output = nodes[name];
      if (output === undefined) continue;
      const state: NodeState = stateOf(output);
      const begun = run.begun.get(name);
      if (state === 'running') run.begun.set(name, now);
      else if (isOver(state) && begun !== undefined && !run.took.has(name)) {
        run.took.set(name, now - begun);
      }
    }
    run.nodes = nodes;
  }

  /** The service is asked to end it; if it can't, only the waiting ends, and a message says so. */
  async #cancel(run: Run, executionId: number): Promise<void> {
    try {
      await this.#parts.cancel(executionId);
    } catch (error) {
      if (run.state !== 'running') return;
      this.#parts.note(error);
      run.note = this.#parts.goesOn;
      run.stop.abort();
      return;
    }
    const timer = setTimeout(() => run.stop.abort(), stopWaitMs);
    run.stop.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  #end(run: Run, state: Run['state']): void {
    run.elapsedMs = this.#now() - run.startedAt;
    run.state = state;
    // Ends what is left of the waiting, and its timer.
    run.stop.abort();
    this.#parts.onEnd(run.variables, { status: this.#status(run), nodes: run.nodes });
    if (run !== this.#run) return;
    this.#tell(run, Object.keys(run.nodes));
    this.#parts.save(this.record());
    this.#parts.onState();
  }

  #tell(run: Run, names: readonly string[]): void {
    if (run !== this.#run) return;
    this.#parts.emit('progress', {
      status: this.#status(run),
      nodes: names.map((name) => this.#report(run, name)),
      ...this.#final(run),
    });
  }

  #report(run: Run, name: string): NodeReport {
    const output = run.nodes[name];
    if (output === undefined) return { name, state: 'queued', status: 'QUEUED' };
    return reportOf(name, output, {
      redact: this.#parts.redact,
      tookMs: run.took.get(name),
    });
  }

  #final(run: Run): Pick<WorkflowSnapshot, 'final'> {
    const final = run.state === 'running' ? undefined : finalOf(run.nodes);
    return final === undefined ? {} : { final: valueOf(final.value) };
  }

  #status(run: Run): WorkflowStatus {
    const { id: runId, state, executionId, problem, note } = run;
    return {
      ...{ runId, state },
      elapsedMs: state === 'running' ? this.#now() - run.startedAt : run.elapsedMs,
      ...(executionId !== undefined && { executionId }),
      ...(problem !== undefined && { problem }),
      ...(note !== undefined && { note }),
    };
  }
}
