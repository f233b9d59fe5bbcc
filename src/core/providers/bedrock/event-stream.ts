import type { EventDecoder, ProviderEvent } from '../provider.ts';
import { EventFormatError, parseEventData } from '../sse.ts';
import { crc32 } from './crc32.ts';

/** Total length, length of the headers, checksum of these two. */
const preludeBytes = 12;
const checksumBytes = 4;
/** AWS sends no larger message. */
const maxMessageBytes = 24 * 1024 * 1024;

const headerSizes: Readonly<Record<number, number>> = {
  0: 0, // true
  1: 0, // false
  2: 1, // byte
  3: 2, // short
  4: 4, // integer
  5: 8, // long
  8: 8, // timestamp
  9: 16, // UUID
};
const bytesHeader = 6;
const textHeader = 7;

export interface AwsMessage {
  /** The headers that are texts: `:event-type`, `:message-type`, ... */
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Uint8Array;
}

const broken = (what: string): EventFormatError =>
  new EventFormatError(`The event stream is damaged: ${what}.`);

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function readHeaders(bytes: Uint8Array): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  const view = viewOf(bytes);
  const decoder = new TextDecoder();
  let at = 0;
  const take = (size: number): Uint8Array => {
    if (at + size > bytes.length) throw broken('a header is longer than its message');
    at += size;
    return bytes.subarray(at - size, at);
  };
  while (at < bytes.length) {
    const name = decoder.decode(take(take(1)[0] ?? 0));
    const type = take(1)[0] ?? 0;
    if (type === textHeader || type === bytesHeader) {
      take(2);
      const value = take(view.getUint16(at - 2));
      if (type === textHeader) headers[name] = decoder.decode(value);
      continue;
    }
    const size = headerSizes[type];
    if (size === undefined) throw broken(`a header of the unknown type ${type}`);
    take(size);
  }
  return headers;
}

/** Bytes that have come and are not used yet. */
class Inbox {
  #bytes = new Uint8Array(4096);
  #start = 0;
  #end = 0;

  get size(): number {
    return this.#end - this.#start;
  }

  push(bytes: Uint8Array): void {
    if (this.#end + bytes.length > this.#bytes.length) {
      const { size } = this;
      const needed = size + bytes.length;
      const target =
        needed * 2 > this.#bytes.length
          ? new Uint8Array(Math.max(needed * 2, this.#bytes.length))
          : this.#bytes;
      target.set(this.#bytes.subarray(this.#start, this.#end));
      this.#bytes = target;
      this.#start = 0;
      this.#end = size;
    }
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Only until the next `push`. */
  peek(size: number): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#start + size);
  }

  drop(size: number): void {
    this.#start += size;
  }
}

/** Messages of the AWS event stream encoding (`application/vnd.amazon.eventstream`). */
export class AwsMessages {
  readonly #inbox = new Inbox();
  /** Whether the prelude of the message at the front has been checked. */
  #isChecked = false;

  push(bytes: Uint8Array): void {
    this.#inbox.push(bytes);
  }

  /** The next whole message. Throws EventFormatError when the bytes are no such stream. */
  next(): AwsMessage | undefined {
    const inbox = this.#inbox;
    if (inbox.size < preludeBytes) return undefined;
    const prelude = inbox.peek(preludeBytes);
    const view = viewOf(prelude);
    const length = view.getUint32(0);
    const headersLength = view.getUint32(4);
    if (!this.#isChecked) {
      if (crc32(prelude.subarray(0, 8)) !== view.getUint32(8)) throw broken('a wrong checksum');
      if (length > maxMessageBytes || length < preludeBytes + headersLength + checksumBytes) {
        throw broken(`a message of ${length} bytes`);
      }
      this.#isChecked = true;
    }
    if (inbox.size < length) return undefined;
    const message = inbox.peek(length);
    const body = message.subarray(0, length - checksumBytes);
    if (crc32(body) !== viewOf(message).getUint32(length - checksumBytes)) {
      throw broken('a wrong checksum');
    }
    const headers = readHeaders(body.subarray(preludeBytes, preludeBytes + headersLength));
    // Copied: the inbox uses the memory again.
    const payload = body.slice(preludeBytes + headersLength);
    inbox.drop(length);
    this.#isChecked = false;
    return { headers, payload };
  }
}

function parsePayload(payload: Uint8Array): unknown {
  const text = new TextDecoder().decode(payload);
  return text === '' ? {} : parseEventData(text);
}

/**
 * A message as the union that AWS describes, `{ contentBlockDelta: { ... } }`. The name of the
 * event says whether it is an `event`, an `exception` or an `error` of the connection.
 */
function eventOf({ headers, payload }: AwsMessage): ProviderEvent {
  const name = headers[':message-type'] ?? 'event';
  if (name === 'error') {
    const code = headers[':error-code'] ?? 'error';
    return { name, data: { [code]: { message: headers[':error-message'] } } };
  }
  const type = headers[name === 'exception' ? ':exception-type' : ':event-type'] ?? 'unknown';
  return { name, data: { [type]: parsePayload(payload) } };
}

/** `read` makes events of each message, when they are not what AWS describes. */
export function awsEvents(
  read: (event: ProviderEvent) => ProviderEvent | undefined = (event) => event,
): EventDecoder {
  const messages = new AwsMessages();
  let fault: Error | undefined;
  const drain = (): readonly ProviderEvent[] => {
    const events: ProviderEvent[] = [];
    while (fault === undefined) {
      try {
        const message = messages.next();
        if (message === undefined) return events;
        const event = read(eventOf(message));
        if (event !== undefined) events.push(event);
      } catch (error) {
        fault = error instanceof Error ? error : broken('it could not be read');
      }
    }
    // What came whole before the damage is not lost, however the bytes were cut.
    if (events.length > 0) return events;
    throw fault;
  };
  return {
    push: (bytes) => {
      messages.push(bytes);
      return drain();
    },
    end: drain,
  };
}
