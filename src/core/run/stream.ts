import { isCancellation, isPromptTablesError } from '../errors.ts';
import type { Mapping } from '../mapping.ts';
import { deepFreeze } from '../mapping.ts';
import { openProvider } from '../providers/exchange.ts';
import type { ProviderAnswer } from '../providers/exchange.ts';
import { ProviderError, brokenOff, withoutSecrets } from '../providers/provider-error.ts';
import type { Accumulator, ProviderEvent } from '../providers/provider.ts';
import { EventFormatError, NoEventsError } from '../providers/sse.ts';
import { blueprintMaker } from './blueprint.ts';
import type { Run } from './context.ts';
import { logFailure, logged } from './log.ts';
import type { RunChunk, RunResult, RunStream } from './options.ts';
import { runWhole } from './whole.ts';

/** Sends the request; a refusal throws here, before there is a stream. */
export async function openStream(run: Run): Promise<RunStream> {
  const { provider, facts, callEnvironment } = run;
  if (provider.streaming === undefined) return wholeAsStream(run);
  let answer: ProviderAnswer;
  try {
    const request = await provider.prepare(facts.call, callEnvironment.provider);
    answer = await openProvider(request, callEnvironment.exchange);
  } catch (error) {
    await logFailure(run, { kind: 'failed', error }).finally(run.release);
    throw error;
  }
  const chunks = read(run, provider.streaming, answer);
  // Started, so that `return()` before the first `next()` closes the socket too.
  await chunks.next();
  return chunks as RunStream;
}

/** An API without streams: the whole answer is the only chunk. */
async function wholeAsStream(run: Run): Promise<RunStream> {
  return asStream(await runWhole(run));
}

/** The whole answer as the only chunk. */
export async function* asStream(result: RunResult): RunStream {
  await Promise.resolve();
  yield deepFreeze(result);
}

async function* events(
  { bytes }: ProviderAnswer,
  decoder: { push(bytes: Uint8Array): readonly ProviderEvent[]; end(): readonly ProviderEvent[] },
): AsyncGenerator<readonly ProviderEvent[], void> {
  for await (const piece of bytes) yield decoder.push(piece);
  yield decoder.end();
}

type Started = undefined;

async function* read(
  run: Run,
  streaming: NonNullable<Run['provider']['streaming']>,
  answer: ProviderAnswer,
): AsyncGenerator<RunChunk | Started, void, undefined> {
  const { facts } = run;
  const accumulator = streaming.accumulator(facts.call);
  const blueprint = blueprintMaker(deepFreeze(facts.template));
  let isAnything = false;
  let isOver = false;
  let failure: unknown;
  try {
    yield undefined;
    for await (const batch of events(answer, streaming.decoder())) {
      for (const event of batch) {
        // Handed out, and part of the answer that is put together: nobody may change it.
        deepFreeze(event.data);
        accumulator.add(event);
        if (event.data === '[DONE]') continue;
        isAnything = true;
        yield Object.freeze({
          raw_response: event.data,
          prompt_blueprint: blueprint(accumulator.reply()),
        });
      }
    }
    if (!accumulator.isWhole) throw brokenOff(facts.call.provider, isAnything);
    isOver = true;
    const reply = accumulator.reply();
    yield deepFreeze(await logged(run, accumulator.response(), reply, blueprint(reply)));
  } catch (error) {
    if (isOver) throw error;
    failure = withoutSecrets(
      explained(error, facts.call.provider),
      run.callEnvironment.exchange.redact,
    );
    throw failure;
  } finally {
    // Whatever ended it early: the socket is closed, and the partial output is logged.
    try {
      if (!isOver) {
        answer.close();
        await logEnd(run, { accumulator, blueprint, isAnything, failure });
      }
    } finally {
      run.release();
    }
  }
}

function explained(error: unknown, provider: string): unknown {
  if (!(error instanceof EventFormatError)) return error;
  // The words of an answer that is not streamed: it is the same mistake.
  const kind = error instanceof NoEventsError ? 'provider-not-json' : 'provider-protocol';
  return new ProviderError(
    { kind, provider },
    { provider, hint: { kind: 'check-provider-url' }, cause: error },
  );
}

async function logEnd(
  run: Run,
  {
    accumulator,
    blueprint,
    isAnything,
    failure,
  }: {
    readonly accumulator: Accumulator;
    readonly blueprint: (reply: ReturnType<Accumulator['reply']>) => Mapping;
    readonly isAnything: boolean;
    readonly failure: unknown;
  },
): Promise<void> {
  const isStopped = failure === undefined || isCancellation(failure);
  const response = isAnything ? accumulator.response() : {};
  const id = await logFailure(
    run,
    isAnything || isStopped
      ? { kind: 'partial', response, error: failure }
      : { kind: 'failed', error: failure },
  );
  // A cancellation may be one error for many: it says nothing of this run.
  if (isAnything && isPromptTablesError(failure) && !isCancellation(failure)) {
    failure.partial = {
      request_id: id,
      raw_response: response,
      prompt_blueprint: blueprint(accumulator.reply()),
    };
  }
}
