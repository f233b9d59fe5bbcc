import { isMapping } from '../../mapping.ts';
import type { Mapping } from '../../mapping.ts';
import type { OpenAnswer, OpenRequest } from '../../platform/connections.ts';
import type { ModelCall } from '../provider.ts';
import { brokenOff } from '../provider-error.ts';
import { ChatAccumulator } from '../openai/chat-accumulator.ts';
import type { HostProvider } from './host-provider.ts';

const encoder = new TextEncoder();

/** What a server would have sent: the same code then reads, joins, ends and logs the answer. */
export async function openHost(
  ask: HostProvider,
  call: ModelCall,
  { body }: Pick<OpenRequest, 'body'>,
  signal: AbortSignal,
): Promise<OpenAnswer> {
  const given: unknown = JSON.parse(typeof body === 'string' ? body : '');
  const asked = isMapping(given) ? given : {};
  const chunks = untilAborted(ask(asked, signal), signal);
  // What is refused is refused before there is an answer.
  const first = await chunks.next();
  const all = resumed(first, chunks);
  return asked['stream'] === true
    ? { status: 200, headers: { 'content-type': 'text/event-stream' }, body: events(all) }
    : { status: 200, headers: { 'content-type': 'application/json' }, body: whole(all, call) };
}

/** Somebody who doesn't listen to the signal is not waited for. */
async function* untilAborted(
  chunks: AsyncIterable<Mapping>,
  signal: AbortSignal,
): AsyncGenerator<Mapping, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  // Of the chunk that is waited for. One promise for all would keep something of each.
  let giveUp: (reason: unknown) => void = () => undefined;
  const onAbort = (): void => giveUp(signal.reason);
  const nextChunk = (): Promise<IteratorResult<Mapping, unknown>> =>
    new Promise((resolve, reject) => {
      giveUp = reject;
      iterator.next().then(resolve, reject);
      if (signal.aborted) onAbort();
    });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      const next = await nextChunk();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not waited for: whoever hangs would hold up the end of the run.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

async function* resumed(
  first: IteratorResult<Mapping, void>,
  rest: AsyncGenerator<Mapping, void>,
): AsyncGenerator<Mapping, void> {
  try {
    if (first.done !== true) yield first.value;
    yield* rest;
  } finally {
    await rest.return();
  }
}

async function* events(chunks: AsyncIterable<Mapping>): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) yield encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`);
}

async function* whole(
  chunks: AsyncIterable<Mapping>,
  call: ModelCall,
): AsyncGenerator<Uint8Array, void> {
  const accumulator = new ChatAccumulator(call);
  for await (const data of chunks) accumulator.add({ name: undefined, data });
  if (!accumulator.isWhole) throw brokenOff(call.provider);
  yield encoder.encode(JSON.stringify(accumulator.response()));
}
