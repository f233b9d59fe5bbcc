/** Events with something in them that nobody has documented: a stream survives them, or says why. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Provider } from '../../../../src/core/providers/provider.ts';
import { callOf, play, providerOf, wireOf } from '../../../support/providers/playback.ts';
import { recordings } from '../../../support/providers/recordings/all.ts';

type Path = readonly (string | number)[];

/** Every place inside a value. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, item]) =>
    placesIn(item, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return [path, ...inner];
}

function replaced(value: unknown, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((item: unknown, at) => (at === first ? replaced(item, rest, by) : item));
  }
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [first]: replaced(fields[first], rest, by) };
}

const strange = fc.oneof(
  fc.constantFrom<unknown>(null, 0, -1, 1e9, '', 'x', true, [], {}, [null], [[]], [0], { a: null }),
  fc.jsonValue({ maxDepth: 2 }),
);

const isExpected = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'provider';

describe('core: streams with strange events', () => {
  for (const recording of recordings) {
    it(recording.title, async () => {
      const provider: Provider = await providerOf(recording);
      const places = recording.events.flatMap((event, at) =>
        placesIn(event).map((path): Path => [at, ...path]),
      );
      fc.assert(
        fc.property(fc.constantFrom(...places), strange, (place, by) => {
          const events = replaced(recording.events, place, by) as object[];
          const reported = { ...recording, events };
          try {
            const { response, replies } = play(provider, reported, [wireOf(reported)]);
            assert.ok(JSON.stringify([response, replies]).length > 0);
            provider.replyOf(response, callOf(recording, { stream: false }));
          } catch (error) {
            if (!isExpected(error)) throw error;
          }
        }),
        { numRuns: 100 },
      );
    });

    it(`${recording.title}, not streamed`, async () => {
      const provider: Provider = await providerOf(recording);
      fc.assert(
        fc.property(fc.constantFrom(...placesIn(recording.whole)), strange, (place, by) => {
          const reply = provider.replyOf(replaced(recording.whole, place, by), callOf(recording));
          for (const part of reply.content) assert.equal(typeof part, 'object');
          for (const call of reply.tool_calls) {
            assert.equal(typeof call.id, 'string');
            assert.equal(typeof call.function.name, 'string');
            assert.equal(typeof call.function.arguments, 'string');
          }
        }),
        { numRuns: 100 },
      );
    });
  }
});
