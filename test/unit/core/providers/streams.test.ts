import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Mapping } from '../../../../src/core/mapping.ts';
import { deepFreeze } from '../../../../src/core/mapping.ts';
import type { Provider } from '../../../../src/core/providers/provider.ts';
import type { Reply } from '../../../../src/core/providers/reply.ts';
import type { Wiring } from '../../../support/providers/playback.ts';
import { callOf, cutAt, play, providerOf, wireOf } from '../../../support/providers/playback.ts';
import { recordings } from '../../../support/providers/recordings/all.ts';
import type { Recording } from '../../../support/providers/recordings/recording.ts';

const everyByte = (bytes: Buffer): Uint8Array[] =>
  Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));

const isFrozen = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isFrozen));

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const textIn = (part: Mapping): string => {
  const text = part['text'] ?? part['thinking'] ?? part['code'];
  return typeof text === 'string' ? text : '';
};

/** What a reply says, part by part and call by call. */
const words = ({ content, tool_calls: calls }: Reply): string[] => [
  ...content.map(textIn),
  ...calls.map((call) => call.function.arguments),
];

function assertGrows(before: Reply, after: Reply): void {
  assert.ok(after.content.length >= before.content.length, 'no part is taken back');
  assert.ok(after.tool_calls.length >= before.tool_calls.length, 'no call is taken back');
  const grown = words({ ...after, content: after.content.slice(0, before.content.length) });
  for (const [at, text] of words(before).entries()) {
    assert.ok(grown[at]?.startsWith(text), `"${text}" goes on as "${grown[at] ?? ''}"`);
  }
}

const wirings: fc.Arbitrary<Wiring> = fc.record({
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  hasMark: fc.boolean(),
  comments: fc.array(fc.constantFrom('', ' keep-alive', 'OPENROUTER PROCESSING'), { maxLength: 2 }),
  isSpread: fc.boolean(),
  hasSpace: fc.boolean(),
});

const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 60 });

function describeRecording(recording: Recording): void {
  let provider: Provider;
  before(async () => {
    provider = await providerOf(recording);
  });

  it('ends as the answer that is not streamed', () => {
    const { response, replies, isWhole } = play(provider, recording, [wireOf(recording)]);
    assert.deepEqual(response, recording.whole);
    assert.ok(isWhole);
    assert.deepEqual(asJson(replies.at(-1)), recording.reply);
  });

  it('finds the same reply in the whole answer', () => {
    const reply = provider.replyOf(recording.whole, callOf(recording, { stream: false }));
    assert.deepEqual(asJson(reply), recording.reply);
  });

  it('never changes what it has handed out, and only goes on', () => {
    const texts: string[] = [];
    const { replies } = play(provider, recording, everyByte(wireOf(recording)), (event, reply) => {
      // As a run does before it hands an event out.
      deepFreeze(event.data);
      assert.ok(isFrozen(reply), 'all the way down');
      texts.push(JSON.stringify(reply));
    });
    assert.deepEqual(
      replies.map((reply) => JSON.stringify(reply)),
      texts,
    );
    for (const [at, reply] of replies.slice(1).entries()) assertGrows(replies[at]!, reply);
  });

  it('is the same however it is written and cut', () => {
    const plain = play(provider, recording, [wireOf(recording)]);
    fc.assert(
      fc.property(wirings, shares, (wiring, places) => {
        const pieces = cutAt(wireOf(recording, wiring), places);
        const played = play(provider, recording, pieces);
        assert.deepEqual(played.events, plain.events);
        assert.deepEqual(played.replies, plain.replies);
        assert.deepEqual(played.response, plain.response);
      }),
      { numRuns: 60 },
    );
  });

  it('is not whole before its end is told', () => {
    const { events } = play(provider, recording, [wireOf(recording)]);
    const { isWhole } = play(provider, { ...recording, done: false }, [
      wireOf({ ...recording, done: false, events: recording.events.slice(0, 1) }),
    ]);
    assert.ok(events.length > 1);
    assert.equal(isWhole, false);
  });
}

describe('core: recorded streams', () => {
  for (const recording of recordings) {
    describe(recording.title, () => describeRecording(recording));
  }
});
