import assert from 'node:assert/strict';
import { crc32 as nodeCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { crc32 } from '../../../../../src/core/providers/bedrock/crc32.ts';
import { AwsMessages, awsEvents } from '../../../../../src/core/providers/bedrock/event-stream.ts';
import type { ProviderEvent } from '../../../../../src/core/providers/provider.ts';
import { EventFormatError } from '../../../../../src/core/providers/sse.ts';
import { awsEvent, awsException, awsMessage } from '../../../../support/providers/aws-stream.ts';

/** All events, and what was thrown; a decoder that has thrown is asked once more. */
function decode(bytes: Uint8Array, cuts: readonly number[]) {
  const decoder = awsEvents();
  const events: ProviderEvent[] = [];
  let fault = '';
  let start = 0;
  try {
    for (const place of [...[...new Set(cuts)].sort((a, b) => a - b), bytes.length]) {
      const piece = Buffer.from(bytes.subarray(start, place));
      events.push(...decoder.push(piece));
      piece.fill(0);
      start = place;
    }
    events.push(...decoder.end());
  } catch (error) {
    assert.ok(error instanceof EventFormatError);
    fault = error.message;
  }
  return { events, fault };
}

const stream = Buffer.concat([
  awsEvent('messageStart', { role: 'assistant' }),
  awsEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Grüß dich 🌍' } }),
  awsEvent('empty', {}),
  awsException('throttlingException', { message: 'Too fast.' }),
]);

/** A header of each type that AWS describes, before a text. */
const manyHeaders = Buffer.concat([
  Buffer.from([1, 97, 0, 1, 98, 1, 1, 99, 2, 7, 1, 100, 3, 0, 1, 1, 101, 4, 0, 0, 0, 1]),
  Buffer.from([1, 102, 5, 0, 0, 0, 0, 0, 0, 0, 1, 1, 103, 6, 0, 2, 9, 9]),
  Buffer.from([1, 104, 8, 0, 0, 0, 0, 0, 0, 0, 1, 1, 105, 9, ...new Uint8Array(16)]),
  Buffer.from([1, 106, 7, 0, 2, 111, 107]),
]);

describe('providers: the AWS event stream', () => {
  it('counts checksums as Node does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        assert.equal(crc32(bytes), nodeCrc32(bytes));
      }),
    );
  });

  it('reads events, exceptions and errors of the connection', () => {
    const failed = awsMessage(
      { ':message-type': 'error', ':error-code': 'internal', ':error-message': 'Gone.' },
      '',
    );
    assert.deepEqual(decode(Buffer.concat([stream, failed]), []), {
      fault: '',
      events: [
        { name: 'event', data: { messageStart: { role: 'assistant' } } },
        {
          name: 'event',
          data: { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Grüß dich 🌍' } } },
        },
        { name: 'event', data: { empty: {} } },
        { name: 'exception', data: { throttlingException: { message: 'Too fast.' } } },
        { name: 'error', data: { internal: { message: 'Gone.' } } },
      ],
    });
  });

  it('reads past headers of every type', () => {
    const messages = new AwsMessages();
    messages.push(awsMessage({ ':event-type': 'x' }, 'body', manyHeaders));
    const message = messages.next();
    assert.deepEqual(message?.headers, { ':event-type': 'x', j: 'ok' });
    assert.equal(Buffer.from(message.payload).toString(), 'body');
    assert.equal(messages.next(), undefined);
  });

  it('gives the same events for every cut', () => {
    const whole = decode(stream, []);
    const everyByte = Array.from({ length: stream.length }, (_, at) => at);
    assert.deepEqual(decode(stream, everyByte), whole);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: stream.length }), { maxLength: 30 }), (cuts) => {
        assert.deepEqual(decode(stream, cuts), whole);
      }),
    );
  });

  it('reads any payloads, also large ones, in any cut', () => {
    const payload = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.integer({ min: 4_000, max: 30_000 }).map((size) => new Uint8Array(size).fill(size)),
    );
    fc.assert(
      fc.property(
        fc.array(payload, { maxLength: 6 }),
        fc.integer({ min: 1, max: 9_000 }),
        (all, size) => {
          const bytes = Buffer.concat(all.map((item) => awsMessage({ n: 'v' }, item)));
          const messages = new AwsMessages();
          const found: Uint8Array[] = [];
          for (let at = 0; at < bytes.length; at += size) {
            messages.push(bytes.subarray(at, at + size));
            for (let next = messages.next(); next !== undefined; next = messages.next()) {
              found.push(next.payload);
            }
          }
          assert.deepEqual(
            found.map((item) => Buffer.from(item)),
            all.map((item) => Buffer.from(item)),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('gives what came before one flipped bit, then says that the stream is damaged', () => {
    const whole = decode(stream, []).events;
    fc.assert(
      fc.property(
        fc.nat({ max: stream.length * 8 - 1 }),
        fc.array(fc.nat({ max: stream.length }), { maxLength: 10 }),
        (bit, cuts) => {
          const damaged = Buffer.from(stream);
          damaged[bit >> 3] = damaged[bit >> 3]! ^ (1 << (bit & 7));
          const { events, fault } = decode(damaged, cuts);
          assert.deepEqual(events, whole.slice(0, events.length));
          assert.ok(events.length < whole.length);
          assert.match(fault, /damaged/);
          assert.deepEqual(decode(damaged, []), { events, fault });
        },
      ),
    );
  });

  it('gives no event for a message that was cut off', () => {
    for (let size = 0; size < stream.length; size += 1) {
      const { events, fault } = decode(stream.subarray(0, size), []);
      assert.ok(events.length < 4);
      assert.equal(fault, '');
    }
  });

  it('refuses what is no such stream, and lengths that can not be', () => {
    assert.match(decode(Buffer.from('data: {"a": 1}\n\n'), []).fault, /damaged/);
    const huge = Buffer.alloc(12);
    huge.writeUInt32BE(30 * 1024 * 1024, 0);
    huge.writeUInt32BE(nodeCrc32(huge.subarray(0, 8)), 8);
    assert.match(decode(huge, []).fault, /a message of 31457280 bytes/);
    const unknownType = awsMessage({}, '', Buffer.from([1, 97, 99]));
    assert.match(decode(unknownType, []).fault, /unknown type 99/);
    const longHeader = awsMessage({}, '', Buffer.from([1, 97, 7, 0, 50]));
    assert.match(decode(longHeader, []).fault, /longer than its message/);
    assert.match(decode(awsMessage({ ':event-type': 'x' }, '{"a'), []).fault, /not JSON/);
  });
});
