/** What is read of the JSON of providers, and that the declarations fit what providers have sent. */
import assert from 'node:assert/strict';
import type * as z from 'zod';
import { readEvent as readMessageEvent } from '../../../../src/core/providers/anthropic/schema.ts';
import { readEvent as readConverseEvent } from '../../../../src/core/providers/bedrock/schema.ts';
import * as cohere from '../../../../src/core/providers/cohere/schema.ts';
import { readResponse as readGemini } from '../../../../src/core/providers/google/schema.ts';
import { readChat } from '../../../../src/core/providers/openai/chat-schema.ts';
import { readImages } from '../../../../src/core/providers/openai/image-schema.ts';
import * as responses from '../../../../src/core/providers/openai/response-schema.ts';
import { list, number, object, readerOf, text } from '../../../../src/core/providers/reader.ts';
import { recordings } from '../../../support/providers/recordings/all.ts';
import type { Recording } from '../../../support/providers/recordings/recording.ts';
import { recorded as messages } from './anthropic/streams.ts';
import { recorded as conversations } from './bedrock/streams.ts';
import { recorded as generations } from './google/streams.ts';

interface Declared {
  readonly declared: z.ZodType;
}

/** Events and whole answers of a recording, by their declarations. */
function declarationsOf({ provider, apiType }: Recording): readonly [Declared, Declared] {
  if (provider === 'cohere') return [cohere.readEvent, cohere.readResponse];
  if (apiType === 'responses') return [responses.readEvent, responses.readResponse];
  return apiType === 'images' ? [readImages, readImages] : [readChat, readChat];
}

function assertFits({ declared }: Declared, value: unknown): void {
  const { error } = declared.safeParse(value);
  assert.equal(error, undefined, `${error?.message} in ${JSON.stringify(value)}`);
}

describe('core: JSON of providers', () => {
  const read = readerOf(
    object({
      name: text,
      count: number,
      inner: object({ name: text }),
      list: list(object({ name: text })),
    }),
  );

  it('is read by its fields, and one of a wrong type as if it were left out', () => {
    const raw = {
      more: 1,
      name: 'a',
      count: 2,
      inner: { name: 'b' },
      list: [{ name: 'c' }, 1, null],
    };
    const fields = read(raw);
    assert.ok(fields !== undefined);
    const { name, count, inner, list: items } = fields;
    assert.deepEqual([name, count, inner?.name], ['a', 2, 'b']);
    assert.deepEqual(
      items?.map((item) => item.name),
      ['c'],
    );
    assert.equal(fields.raw, raw);
    for (const wrong of [null, undefined, true, [], {}]) {
      const strange = read({ name: wrong, count: wrong, inner: 'x', list: { 0: {} } });
      assert.deepEqual(
        [strange?.name, strange?.count, strange?.inner, strange?.list],
        [undefined, undefined, undefined, undefined],
      );
    }
  });

  it('is nothing where there is no object', () => {
    for (const other of [undefined, null, 'x', 1, [], [{ name: 'a' }], new Date(0)]) {
      assert.equal(read(other), undefined);
    }
  });

  it('does not inherit a field', () => {
    const strange = readerOf(object({ name: text, constructor: object({ name: text }) }));
    assert.equal(strange(JSON.parse('{"__proto__":{"name":"x"}}'))?.name, undefined);
  });

  it('is declared as it was recorded', () => {
    for (const recording of recordings) {
      const [ofEvents, ofWhole] = declarationsOf(recording);
      for (const event of recording.events) {
        assertFits(ofEvents, event);
        const { type, delta } = { ...event } as {
          readonly type?: string;
          readonly delta?: unknown;
        };
        if (ofEvents === cohere.readEvent && type !== 'message-start') {
          assertFits(cohere.readDelta, delta);
        }
      }
      assertFits(ofWhole, recording.whole);
    }
    for (const { events } of Object.values(messages)) {
      for (const event of events) assertFits(readMessageEvent, event);
    }
    for (const { events } of Object.values(generations)) {
      for (const event of events) assertFits(readGemini, event);
    }
    for (const { events } of Object.values(conversations)) {
      for (const [type, fields] of events) {
        const event = readConverseEvent({ [type]: fields });
        assert.equal(event?.type, type);
        assert.deepEqual(event.fields.raw, fields);
      }
    }
  });
});
