/** Feeds the bytes of a stream to a provider's decoder and accumulator, cut as a test wants. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModelCall, Provider, ProviderEvent } from '../../../src/core/providers/provider.ts';
import type { Reply } from '../../../src/core/providers/reply.ts';

export const modelCall = (rest: Partial<ModelCall> = {}): ModelCall => ({
  provider: 'test',
  apiType: undefined,
  templateType: 'chat',
  model: 'model-1',
  kwargs: {},
  stream: true,
  baseURL: undefined,
  apiKey: undefined,
  ...rest,
});

export interface Replayed {
  readonly events: readonly ProviderEvent[];
  readonly replies: readonly Reply[];
  readonly response: unknown;
  readonly isWhole: boolean;
}

/** `cuts` are places between bytes, in any order. */
export function replay(
  provider: Provider,
  call: ModelCall,
  bytes: Uint8Array,
  cuts: readonly number[] = [],
): Replayed {
  const { streaming } = provider;
  assert.ok(streaming);
  const decoder = streaming.decoder();
  const accumulator = streaming.accumulator(call);
  const events: ProviderEvent[] = [];
  const replies: Reply[] = [];
  const texts: string[] = [];
  const add = (more: readonly ProviderEvent[]): void => {
    for (const event of more) {
      events.push(event);
      accumulator.add(event);
      const reply = accumulator.reply();
      replies.push(reply);
      texts.push(JSON.stringify(reply));
    }
  };
  const places = [...new Set(cuts)].sort((a, b) => a - b);
  let start = 0;
  // Each piece is memory of its own that is wiped afterwards, as a socket may do it.
  for (const place of [...places, bytes.length]) {
    const piece = Buffer.from(bytes.subarray(start, place));
    add(decoder.push(piece));
    piece.fill(0);
    start = place;
  }
  add(decoder.end());
  assert.deepEqual(
    replies.map((reply) => JSON.stringify(reply)),
    texts,
    'a reply has changed after it was given',
  );
  return { events, replies, response: accumulator.response(), isWhole: accumulator.isWhole };
}

/** Any cut of the bytes gives the same events, replies and response. */
export function assertCutsDoNotMatter(
  provider: Provider,
  call: ModelCall,
  bytes: Uint8Array,
  numRuns = 60,
): void {
  const whole = replay(provider, call, bytes);
  const everyByte = Array.from({ length: bytes.length }, (_, at) => at);
  assert.deepEqual(replay(provider, call, bytes, everyByte), whole);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 40 }), (cuts) => {
      assert.deepEqual(replay(provider, call, bytes, cuts), whole);
    }),
    { numRuns },
  );
}
