import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { parseJson, plainNumbers } from '../../core/http/json.ts';
import { jsonAsWritten, type Json } from '../engine/columns/json.ts';
import { CallContext, type PromptRunner } from '../engine/prompts.ts';
import type { Outside } from '../engine/outside.ts';
import type { Log } from '../log.ts';
import { errorText } from '../log.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { isSetAside, setAsideText } from '../store/attempts.ts';
import type { Database } from '../store/database.ts';
import type { WorkOf } from '../store/own-work.ts';
import { StoreError } from '../store/store-error.ts';
import { Callbacks } from './callback.ts';
import {
  LEASE_MS,
  channels,
  claimExecutions,
  completeExecution,
  failExecution,
  findExecution,
  forgetAttempts,
  readStates,
  releaseExecution,
  renewLease,
  unfinished,
  viewExecution,
  writeState,
} from './executions.ts';
import type { ExecutionRecord, WorkflowVersionRecord } from './records.ts';
import { isFinal, queued, runGraph, type NodeState } from './run-graph.ts';
import { conditionsMet, runNode } from './run-node.ts';
import { definitionOf } from './store.ts';

/** Workflows that one process runs at the same time. */
const MOST_AT_ONCE = 16;
/** Notices between processes can be lost, and a process can die without one. */
const LOOK_MS = 2000;
/** After a failure of the store a run is not taken up again at once. */
const BACKOFF_MS = 5000;

export interface RunnerOptions {
  readonly database: Database;
  readonly log: Log;
  readonly sandbox: Sandbox;
  readonly prompts: PromptRunner;
  /** What nodes may reach beside models. */
  readonly outside: Outside;
  /** Whose runs it takes up. */
  readonly workOf?: WorkOf;
}

const Metadata = z.record(z.string(), z.string());

class Lost extends Error {
  override readonly name = 'Lost';
}

/** Runs the workflows that wait, in this process. What another process left half done is gone on with. */
export class WorkflowRunner {
  readonly #options: RunnerOptions;
  readonly #active = new Map<
    number,
    { readonly abort: AbortController; readonly done: Promise<void> }
  >();
  readonly #stopping = new AbortController();
  readonly #unlisten: Promise<(() => Promise<void>)[]>;
  readonly #loop: Promise<void>;
  readonly #callbacks: Callbacks;
  #look = Promise.withResolvers<undefined>();

  constructor(options: RunnerOptions) {
    this.#options = options;
    const { database, log } = options;
    this.#callbacks = new Callbacks(log, this.#stopping.signal);
    this.#unlisten = Promise.all([
      database.listen(channels.waiting, () => this.wake()),
      database.listen(channels.ended, () => this.wake()),
    ]);
    this.#loop = this.#run();
  }

  /** There may be something to run. */
  wake(): void {
    this.#look.resolve(undefined);
  }

  /** What is under way is left to whoever comes next, and is not lost. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Lost('The service stops.'));
    this.wake();
    await this.#loop;
    for (const unlisten of await this.#unlisten) await unlisten();
    for (const { abort } of this.#active.values()) abort.abort(this.#stopping.signal.reason);
    await Promise.all([...this.#active.values()].map(({ done }) => done));
    await this.#callbacks.settled();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#look = Promise.withResolvers();
      try {
        await this.#dropCancelled();
        await this.#claim();
      } catch (error) {
        this.#options.log.error("Workflows can't be polled", { error: errorText(error) });
      }
      const waiting = new AbortController();
      await Promise.race([
        this.#look.promise,
        pause(LOOK_MS, undefined, { ref: false, signal: waiting.signal }).catch(() => undefined),
      ]);
      waiting.abort();
    }
  }

  async #claim(): Promise<void> {
    const { database, workOf } = this.#options;
    const room = MOST_AT_ONCE - this.#active.size;
    if (room <= 0) return;
    for (const execution of await claimExecutions(database, room, workOf)) {
      const abort = new AbortController();
      const done = this.#execute(execution, abort).finally(() => {
        this.#active.delete(execution.id);
        this.wake();
      });
      this.#active.set(execution.id, { abort, done });
    }
  }

  /** Somebody may have cancelled what is run here. */
  async #dropCancelled(): Promise<void> {
    for (const [id, { abort }] of this.#active) {
      const record = await this.#options.database.one<Pick<ExecutionRecord, 'status'>>(
        'select status from workflow_executions where id = ?',
        [id],
      );
      if (record?.status === 'cancelled') abort.abort(new Lost('The run was canceled.'));
    }
  }

  async #execute(execution: ExecutionRecord, abort: AbortController): Promise<void> {
    const { log, database } = this.#options;
    const renew = setInterval(() => {
      void renewLease(database, execution).then(
        (isOurs) => isOurs || abort.abort(new Lost('Another process has the run.')),
        (error: unknown) => log.warn('A lease was not renewed', { error: errorText(error) }),
      );
    }, LEASE_MS / 3);
    try {
      await this.#runNodes(execution, abort.signal);
      if (await completeExecution(database, execution)) {
        await database.notify(channels.ended);
        this.#callBack(execution);
      }
    } catch (error) {
      if (!(error instanceof Lost)) {
        log.error('A workflow was not run', { execution: execution.id, error: errorText(error) });
        await this.#recover(execution, error);
      }
      await releaseExecution(database, execution).catch((cause: unknown) => {
        // Its lease runs out all the same.
        log.warn('A workflow was not released', { error: errorText(cause) });
      });
    } finally {
      clearInterval(renew);
    }
  }

  /** A store that is away is waited for; any other failure is the end of what has not run. */
  async #recover(execution: ExecutionRecord, error: unknown): Promise<void> {
    const { log, database } = this.#options;
    if (error instanceof StoreError) {
      await pause(BACKOFF_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      return;
    }
    try {
      if (!(await failExecution(database, execution))) return;
      await database.notify(channels.ended);
      this.#callBack(execution);
    } catch (cause) {
      log.warn('A workflow that failed could not be ended', { error: errorText(cause) });
    }
  }

  async #runNodes(execution: ExecutionRecord, signal: AbortSignal): Promise<void> {
    const { database, sandbox, prompts, outside } = this.#options;
    const version = await database.one<WorkflowVersionRecord>(
      'select * from workflow_versions where id = ?',
      [execution.version_id],
    );
    if (version === undefined) throw new Error('The version of a workflow no longer exists.');
    const callContext = new CallContext({
      kind: 'run',
      workspaceId: execution.workspace_id,
      executionId: execution.id,
      metadata: Metadata.parse(parseJson(execution.metadata_json)),
      isRestricted: execution.is_restricted === 1,
    });
    const tools = { sandbox, prompts, outside, callContext, signal };
    const definition = definitionOf(version);
    const write = async (name: string, state: NodeState): Promise<void> => {
      if (await writeState(database, execution, name, state)) return;
      throw new Lost('Another process has the run.');
    };
    let { attempts } = execution;
    await runGraph({
      definition,
      variables: jsonAsWritten(execution.input_json) as Readonly<Record<string, Json>>,
      states: await this.#statesOf(execution, write),
      execute: (node, valueOf) => runNode(node, valueOf, tools),
      isMet: (conditions, valueOf) =>
        conditionsMet(conditions, (name) => plainNumbers(valueOf(name)), tools),
      onState: async (name, state) => {
        signal.throwIfAborted();
        await write(name, state);
        if (attempts <= 1 || !isFinal(state)) return;
        attempts = 1;
        await forgetAttempts(database, execution);
      },
      signal,
    });
  }

  /** What was under way each time when the service was stopped is not begun again. */
  async #statesOf(
    execution: ExecutionRecord,
    write: (name: string, state: NodeState) => Promise<void>,
  ): Promise<Map<string, NodeState>> {
    const states = await readStates(this.#options.database, execution.id);
    if (!isSetAside(execution)) return unfinished(states);
    const atWork = [...states].filter(([, { status }]) => status === 'RUNNING');
    const suspects = atWork.length > 0 ? atWork : [...states].filter(([, one]) => !isFinal(one));
    this.#options.log.error('Nodes of a workflow are set aside: they stopped the service.', {
      execution: execution.id,
      nodes: suspects.length,
    });
    const text = setAsideText('Check the node and its inputs, then run the workflow again.');
    const state: NodeState = {
      ...queued,
      status: 'FAILED',
      errorMessage: text,
      rawErrorMessage: text,
    };
    for (const [name] of suspects) {
      await write(name, state);
      states.set(name, state);
    }
    await forgetAttempts(this.#options.database, execution);
    return unfinished(states);
  }

  #callBack({ id, workspace_id, callback_url: url }: ExecutionRecord): void {
    if (url === null) return;
    const { database } = this.#options;
    this.#callbacks.send({
      url,
      execution: id,
      read: () =>
        database.read(async (session) =>
          viewExecution(session, await findExecution(session, workspace_id, id)),
        ),
    });
  }
}
