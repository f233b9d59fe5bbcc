/** Events of streams that have gone wrong on their way: never an accident of ours. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anthropic } from '../../../../src/core/providers/anthropic/anthropic.ts';
import { converse } from '../../../../src/core/providers/bedrock/converse.ts';
import { gemini } from '../../../../src/core/providers/google/gemini.ts';
import { ProviderError } from '../../../../src/core/providers/provider-error.ts';
import type { Provider, ProviderEvent } from '../../../../src/core/providers/provider.ts';
import { modelCall } from '../../../support/providers/replay.ts';
import { recorded as messages } from './anthropic/streams.ts';
import { recorded as conversations } from './bedrock/streams.ts';
import { recorded as generations } from './google/streams.ts';

const call = modelCall();
const chat = anthropic(call);
const plainEvents = (streams: Readonly<Record<string, { readonly events: readonly object[] }>>) =>
  Object.values(streams).flatMap(({ events }) =>
    events.map((data): ProviderEvent => ({ name: undefined, data })),
  );

const kinds: Readonly<Record<string, readonly [Provider, readonly ProviderEvent[]]>> = {
  'Anthropic messages': [chat, plainEvents(messages)],
  'Bedrock Converse': [
    converse,
    Object.values(conversations).flatMap(({ events }) =>
      events.map(([type, payload]) => ({ name: 'event', data: { [type]: payload } })),
    ),
  ],
  Gemini: [gemini(call), plainEvents(generations)],
};

/** The places inside a value, outermost first. */
function placesIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [
    [],
    ...Object.entries(value).flatMap(([name, inner]) =>
      placesIn(inner).map((place) => [name, ...place]),
    ),
  ];
}

function withValueAt(value: unknown, [name, ...rest]: readonly string[], other: unknown): unknown {
  if (name === undefined) return other;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...(value as unknown[])]
    : { ...(value as Record<string, unknown>) };
  const inner = (copy as Record<string, unknown>)[name];
  (copy as Record<string, unknown>)[name] = withValueAt(inner, rest, other);
  return copy;
}

describe('providers: events that are not as they should be', () => {
  for (const [name, [provider, events]] of Object.entries(kinds)) {
    it(`are no accident for ${name}`, () => {
      const damaged = fc
        .record({
          at: fc.nat({ max: events.length - 1 }),
          place: fc.nat({ max: 30 }),
          other: fc.jsonValue({ maxDepth: 2 }),
          isDamaged: fc.boolean(),
        })
        .map(({ at, place, other, isDamaged }): ProviderEvent => {
          const event = events[at]!;
          const places = placesIn(event.data);
          return isDamaged
            ? { ...event, data: withValueAt(event.data, places[place % places.length]!, other) }
            : event;
        });
      fc.assert(
        fc.property(fc.array(damaged, { maxLength: 12 }), (list) => {
          const accumulator = provider.streaming!.accumulator(call);
          for (const event of list) {
            try {
              accumulator.add(event);
            } catch (error) {
              assert.ok(error instanceof ProviderError, String(error));
            }
            accumulator.reply();
          }
          const response = accumulator.response();
          assert.equal(typeof JSON.stringify(provider.replyOf(response, call)), 'string');
        }),
        { numRuns: 400 },
      );
    });

    it(`in a whole answer are no accident for ${name}`, () => {
      fc.assert(
        fc.property(fc.jsonValue({ maxDepth: 4 }), (answer) => {
          assert.equal(typeof JSON.stringify(provider.replyOf(answer, call)), 'string');
        }),
        { numRuns: 200 },
      );
    });
  }
});
