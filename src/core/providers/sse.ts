import { JsonEnd } from './json-end.ts';
import type { EventDecoder, ProviderEvent } from './provider.ts';

const lineFeed = 10;
const carriageReturn = 13;

interface ServerSentEvent {
  /** Undefined when the event does not name itself. */
  readonly name: string | undefined;
  readonly data: string;
}

/** What servers write to keep the line alive that have forgotten the colon before it. */
const alive = /^\s*(?:ping|keep-?alive|heartbeat)\s*$/i;
/** Fields that are not known are skipped. */
const fieldName = /^[A-Za-z][\w-]*$/;

/**
 * Server-sent events as the HTML standard reads them: LF, CR and CRLF end lines, a BOM is skipped,
 * comments (keep-alives) are dropped, data lines are joined, an event that no blank line ends is
 * not dispatched. A line `error: ...`, as servers write it that have failed, is an event. Lines are cut as bytes, so a character may come in pieces.
 */
export class ServerSentEvents {
  /** The pieces of a line that has not ended. */
  #pending: Uint8Array[] = [];
  #isFirstLine = true;
  #endedWithReturn = false;
  #name: string | undefined;
  #data: string[] = [];
  #hasEvents = false;
  /** What is left may be half a line. */
  #isEnding = false;
  /** The first line that is none of the protocol. */
  strangeLine: string | undefined;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  push(bytes: Uint8Array): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    let start = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte !== lineFeed && byte !== carriageReturn) {
        this.#endedWithReturn = false;
        continue;
      }
      if (byte === lineFeed && this.#endedWithReturn) {
        // The second half of a CRLF, maybe of the bytes before.
        this.#endedWithReturn = false;
        start = at + 1;
        continue;
      }
      this.#endedWithReturn = byte === carriageReturn;
      const event = this.#line(this.#text(bytes.subarray(start, at)));
      if (event !== undefined) events.push(event);
      start = at + 1;
    }
    // Copied, which the `slice` of a Buffer does not do: the socket may use the memory again.
    if (start < bytes.length) this.#pending.push(new Uint8Array(bytes.subarray(start)));
    return events;
  }

  #text(end: Uint8Array): string {
    const pending = this.#pending;
    if (pending.length === 0) return this.#decoder.decode(end);
    this.#pending = [];
    const whole = new Uint8Array(pending.reduce((size, piece) => size + piece.length, end.length));
    let at = 0;
    for (const piece of [...pending, end]) {
      whole.set(piece, at);
      at += piece.length;
    }
    return this.#decoder.decode(whole);
  }

  #line(raw: string): ServerSentEvent | undefined {
    const text = this.#isFirstLine && raw.startsWith('\ufeff') ? raw.slice(1) : raw;
    this.#isFirstLine = false;
    if (text === '') return this.#dispatch();
    const colon = text.indexOf(':');
    if (colon === 0) return undefined;
    const field = colon < 0 ? text : text.slice(0, colon);
    const rest = colon < 0 ? '' : text.slice(colon + 1);
    const value = rest.startsWith(' ') ? rest.slice(1) : rest;
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#name = value;
    else if (/error$/i.test(field)) return { name: 'error', data: value };
    else if (field !== 'id' && field !== 'retry')
      return this.#strange(text, colon > 0 && fieldName.test(field));
    return undefined;
  }

  /** Amid events it is what somebody on the way has written: an answer that goes on is not whole. */
  #strange(text: string, isField: boolean): ServerSentEvent | undefined {
    this.strangeLine ??= text;
    if (!this.#hasEvents || isField || this.#isEnding || alive.test(text)) return undefined;
    return { name: /^\s*[{[]/.test(text) ? undefined : 'error', data: text };
  }

  /** What no blank line has ended, with what is left of a line. */
  rest(): ServerSentEvent | undefined {
    this.#isEnding = true;
    const last = this.#text(new Uint8Array());
    const event = last === '' ? undefined : this.#line(last);
    return event ?? this.#dispatch();
  }

  #dispatch(): ServerSentEvent | undefined {
    const data = this.#data;
    const name = this.#name;
    this.#name = undefined;
    if (data.length === 0) return undefined;
    this.#data = [];
    this.#hasEvents = true;
    return { name: name === '' ? undefined : name, data: data.join('\n') };
  }
}

/** The text of an event is not JSON. */
export class EventFormatError extends Error {
  override readonly name = 'EventFormatError';
}

/** The answer is no stream at all: a web page, a sentence. */
export class NoEventsError extends EventFormatError {}

export function parseEventData(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new EventFormatError(`An event of the stream is not JSON: ${text.slice(0, 100)}`, {
      cause: error,
    });
  }
}

/** The end of a stream, however it is written. */
const isDone = (data: string): boolean => /^\s*(?:\[DONE\]|DONE|\["DONE"\])\s*$/.test(data);

/** Objects one after the other, as servers write them that flush several at once. */
function objectsIn(text: string): readonly unknown[] {
  const found: unknown[] = [];
  let end = new JsonEnd();
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    end.add(text.charAt(at));
    if (!end.isComplete) continue;
    const one = text.slice(start, at + 1);
    found.push(isDone(one) ? '[DONE]' : JSON.parse(one));
    start = at + 1;
    end = new JsonEnd();
  }
  const rest = text.slice(start).trim();
  if (isDone(rest)) found.push('[DONE]');
  else if (rest !== '') JSON.parse(rest);
  return found;
}

/** What the data of one event holds: mostly one value, with some servers several. */
function dataOf({ name, data }: ServerSentEvent): readonly unknown[] {
  if (isDone(data)) return ['[DONE]'];
  try {
    return [parseEventData(data)];
  } catch (error) {
    // Words, where an error is told in words.
    if (name === 'error') return [{ message: data.slice(0, 1_000) }];
    try {
      return objectsIn(data);
    } catch {
      throw error;
    }
  }
}

const byteOrderMark = [0xef, 0xbb, 0xbf];
const beginnings: Readonly<Record<string, 'json' | 'page'>> = {
  '{': 'json',
  '[': 'json',
  '<': 'page',
};

/** What an answer begins as; undefined while nothing but space has come. */
function beginningOf(bytes: Uint8Array): 'json' | 'page' | 'events' | undefined {
  const first = bytes.find((byte) => byte > 32 && !byteOrderMark.includes(byte));
  return first === undefined ? undefined : (beginnings[String.fromCharCode(first)] ?? 'events');
}

/**
 * Server-sent events whose data is JSON; `[DONE]` is passed on as the text that it is, and an event
 * without data keeps the line alive and is none. A server that has no streams, or an error to
 * report, may answer with one JSON object instead: that is the only event then; or with a list of
 * all events. A web page, and a text without a single event, are an EventFormatError.
 */
export function jsonEvents(): EventDecoder {
  const source = new ServerSentEvents();
  const json: Uint8Array[] = [];
  let beginning: ReturnType<typeof beginningOf>;
  let hasEvent = false;
  let fault: EventFormatError | undefined;
  const parse = (raw: readonly ServerSentEvent[]): readonly ProviderEvent[] => {
    const events: ProviderEvent[] = [];
    hasEvent ||= raw.length > 0;
    try {
      if (fault !== undefined) throw fault;
      for (const { name, data } of raw) {
        if (data === '') continue;
        for (const one of dataOf({ name, data })) events.push({ name, data: one });
      }
    } catch (error) {
      // What came whole before it is not lost, however the bytes were cut.
      if (!(error instanceof EventFormatError) || events.length === 0) throw error;
      fault = error;
    }
    return events;
  };
  return {
    push: (bytes) => {
      beginning ??= beginningOf(bytes);
      if (beginning === 'page') throw new NoEventsError('The answer is a web page.');
      if (beginning !== 'json') return parse(source.push(bytes));
      json.push(new Uint8Array(bytes));
      return [];
    },
    end: () => {
      if (beginning === 'json') return wholeEvents(json);
      const last = lastOf(source);
      if (last !== undefined) return parse([last]);
      const strange = hasEvent ? undefined : source.strangeLine;
      if (strange !== undefined)
        throw new NoEventsError(`The answer holds no event: ${strange.slice(0, 100)}`);
      return parse([]);
    },
  };
}

/** An event that nothing ends counts where it is complete: half of one is no JSON. */
function lastOf(source: ServerSentEvents): ServerSentEvent | undefined {
  const last = source.rest();
  if (last === undefined || last.data === '') return undefined;
  try {
    dataOf({ ...last, name: undefined });
    return last;
  } catch {
    return undefined;
  }
}

/** The events of an answer that is JSON as a whole. */
function wholeEvents(pieces: readonly Uint8Array[]): readonly ProviderEvent[] {
  const decoder = new TextDecoder();
  const texts = pieces.map((piece) => decoder.decode(piece, { stream: true }));
  const whole = parseEventData(texts.join('') + decoder.decode());
  const all: readonly unknown[] = Array.isArray(whole) ? whole : [whole];
  return all.map((data) => ({ name: undefined, data }));
}
