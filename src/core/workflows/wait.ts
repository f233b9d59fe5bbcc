import { getWorkflowResults, requestChannelToken } from '../../api/workflow.ts';
import {
  TimeoutError,
  WorkflowError,
  describeError,
  hasErrorCode,
  isPromptTablesError,
} from '../errors.ts';
import type { Call } from '../http/call.ts';
import { delay } from '../http/delay.ts';
import { parseJson, parseJsonAsWritten } from '../http/json.ts';
import type { ReadResult } from '../http/read.ts';
import type { Lifetime } from '../http/lifetime.ts';
import type { SettledOptions } from '../options.ts';
import type { Channel, Connections } from '../platform/connections.ts';
import type { ProgressReporter } from './progress.ts';
import type { Completion } from './realtime.ts';
import { listen } from './realtime.ts';

export interface WorkflowContext {
  readonly call: Call;
  readonly settled: SettledOptions;
  readonly connections: Connections;
  readonly lifetime: Lifetime;
}

/** An execution that is waited for. */
export interface Execution {
  readonly id: number;
  /** "The workflow ..." for messages. */
  readonly what: string;
  readonly returnAllOutputs: boolean;
  readonly timeoutMs: number;
  readonly numbersAsWritten: boolean;
  readonly signal: AbortSignal | undefined;
  readonly progress: ProgressReporter | undefined;
}

const firstPollMs = 500;
const pollGrowth = 1.5;
const longestPollMs = 2_000;
/** While the realtime channel is open, polling is for what it may have missed. */
const longestIdlePollMs = 15_000;
/** A service that is away for a while, or a replica that is behind; each try has its retries. */
const maxFailuresInARow = 5;

interface Result {
  readonly value: unknown;
}

interface Seen {
  readonly status: number;
  readonly value: unknown;
}

const anyAnswer = (value: unknown, status: number): ReadResult<Seen> => ({
  ok: true,
  value: { status, value },
});

class Waiting {
  readonly #context: WorkflowContext;
  readonly #execution: Execution;
  readonly #signal: AbortSignal;
  #isSubscribed = false;

  constructor(context: WorkflowContext, execution: Execution, signal: AbortSignal) {
    this.#context = context;
    this.#execution = execution;
    this.#signal = signal;
  }

  /** Undefined while nodes are at work. */
  async #results({
    all,
    retries = true,
  }: {
    readonly all: boolean;
    readonly retries?: boolean;
  }): Promise<Result | undefined> {
    const { id, progress, numbersAsWritten } = this.#execution;
    const { status, value } = await this.#context.call(
      getWorkflowResults,
      { params: {}, query: { workflow_version_execution_id: id, return_all_outputs: all } },
      {
        signal: this.#signal,
        retries,
        // A workflow may give `{ success: false }` like anything else.
        allowsRefusal: true,
        read: anyAnswer,
        numbersAsWritten,
      },
    );
    if (all) progress?.see(value);
    return status === 202 ? undefined : { value };
  }

  async #final(): Promise<Result | undefined> {
    const { returnAllOutputs, progress } = this.#execution;
    // The map of all nodes is what progress is read from.
    const all = returnAllOutputs || progress !== undefined;
    const result = await this.#results({ all });
    return result === undefined || all === returnAllOutputs
      ? result
      : this.#results({ all: returnAllOutputs });
  }

  async poll(): Promise<Result> {
    const { clock, logger } = this.#context.settled;
    const { what, progress } = this.#execution;
    let failures = 0;
    for (let waitMs = firstPollMs; ; waitMs *= pollGrowth) {
      const longest =
        this.#isSubscribed && progress === undefined ? longestIdlePollMs : longestPollMs;
      waitMs = Math.min(waitMs, longest);
      await delay(waitMs, { clock, signal: this.#signal, what });
      try {
        const result = await this.#final();
        if (result !== undefined) return result;
        failures = 0;
      } catch (error) {
        failures += 1;
        const mayPass =
          isPromptTablesError(error) && (error.retryable || hasErrorCode(error, 'not_found'));
        if (!mayPass || failures >= maxFailuresInARow) throw error;
        logger.debug(`The result could not be asked for. ${describeError(error)}`);
      }
    }
  }

  /** What the realtime channel tells; undefined when it is not to be had. */
  async listen(): Promise<Result | undefined> {
    let channel: Channel | undefined;
    let completion: Completion | undefined;
    let forget = (): void => undefined;
    try {
      const name = `workflow_updates:${this.#execution.id}`;
      const token = await this.#token(name);
      forget = this.#context.settled.hide(token);
      channel = await this.#context.connections.openChannel(this.#channelUrl(), this.#signal);
      const parse = this.#execution.numbersAsWritten ? parseJsonAsWritten : parseJson;
      for await (const event of listen(channel, { name, token, parse })) {
        if (event !== 'subscribed') {
          completion = event;
          break;
        }
        this.#isSubscribed = true;
        // It may have ended before there was anybody to tell.
        const early = await this.#results({
          all: this.#execution.returnAllOutputs,
          retries: false,
        });
        if (early !== undefined) return early;
      }
    } catch (error) {
      // Polling says why.
      if (this.#signal.aborted) return undefined;
      if (this.#execution.progress?.hasThrown(error) === true) throw error;
      this.#context.settled.logger.debug(
        `There is no realtime channel, so the result is polled for. ${describeError(error)}`,
      );
    } finally {
      this.#isSubscribed = false;
      channel?.close();
      forget();
    }
    return completion === undefined ? undefined : this.#resultOf(completion);
  }

  async #token(capability: string): Promise<string> {
    const { token_details: details, messaging_backend: backend } = await this.#context.call(
      requestChannelToken,
      { params: {}, query: { capability } },
      { signal: this.#signal, retries: false },
    );
    if (backend !== undefined && backend !== null && backend !== 'centrifugo') {
      throw new Error(`The service tells completions by ${backend}, which is not spoken here.`);
    }
    return details.token;
  }

  #channelUrl(): URL {
    const url = new URL(this.#context.settled.baseURL);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/connection/websocket`;
    return url;
  }

  async #resultOf({ resultCode = 'OK', finalOutput }: Completion): Promise<Result | undefined> {
    const { id, what, progress } = this.#execution;
    // Too large to be sent: polling gets it.
    if (resultCode === 'EXCEEDS_SIZE_LIMIT')
      return this.#results({ all: this.#execution.returnAllOutputs });
    if (resultCode !== 'OK') {
      throw new WorkflowError(
        { kind: 'workflow-ended', what, result: resultCode.slice(0, 100) },
        { executionId: id },
      );
    }
    if (progress !== undefined) await this.#lastProgress();
    return { value: finalOutput };
  }

  /** The result is there and must not be lost because the nodes can't be read any more. */
  async #lastProgress(): Promise<void> {
    try {
      await this.#results({ all: true, retries: false });
    } catch (error) {
      if (!isPromptTablesError(error)) throw error;
      this.#context.settled.logger.debug(`The nodes were not asked for. ${describeError(error)}`);
    }
  }
}

/**
 * The result of an execution, from the realtime channel or from polling, whichever has it first.
 * Errors: TimeoutError, CancelledError, WorkflowError, and those of the last poll. Whatever the
 * end, nothing stays open.
 */
export async function waitForResult(
  context: WorkflowContext,
  execution: Execution,
): Promise<unknown> {
  const { clock } = context.settled;
  const { what, timeoutMs } = execution;
  const over = new AbortController();
  const joined = context.lifetime.join(execution.signal, over.signal);
  const cancelTimer = clock.schedule(timeoutMs, () =>
    over.abort(
      new TimeoutError(
        { kind: 'workflow-late', what, seconds: timeoutMs / 1_000 },
        { retryable: false, hint: { kind: 'wait-longer' } },
      ),
    ),
  );
  const waiting = new Waiting(context, execution, joined.signal);
  const polling = waiting.poll();
  const listening = waiting.listen();
  try {
    const { value } = await Promise.race([polling, listening.then((result) => result ?? polling)]);
    return value;
  } finally {
    cancelTimer();
    over.abort();
    await Promise.allSettled([polling, listening]);
    joined.release();
  }
}
