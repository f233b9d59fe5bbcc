import { LONG, type JsonPart } from './json-text.ts';

/** Most that is held for what may come. */
const MOST_BYTES = 1024 * 1024;
/** A UTF-16 unit takes so many bytes at most. */
export const BYTES_PER_UNIT = 3;

/**
 * JSON written at once as the bytes that are sent. Of a text that is put together of many pieces each
 * join copies all of it, and so does finding its length in UTF-8; here a piece is copied once.
 */
export class JsonBytes {
  readonly #parts: JsonPart[] = [];
  readonly #expected: number;
  #buffer: Buffer<ArrayBuffer>;
  #from = 0;
  #at = 0;
  /** Of the parts that are full. */
  #written = 0;

  /** `expected`: about as many bytes as will be written. */
  constructor(expected: number) {
    this.#expected = Math.min(expected, MOST_BYTES);
    this.#buffer = Buffer.allocUnsafe(this.#expected);
  }

  /** Bytes, and characters of long texts. */
  get length(): number {
    return this.#written + this.#at - this.#from;
  }

  bytes(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  text(text: string): void {
    if (text.length >= LONG) {
      // It stays a text, which becomes bytes in slices while it is sent.
      this.#flush();
      this.#add(text);
      return;
    }
    this.#makeRoom(text.length * BYTES_PER_UNIT);
    this.#at += this.#buffer.write(text, this.#at);
  }

  take(): JsonPart[] {
    this.#flush();
    return [...this.#parts];
  }

  #makeRoom(count: number): void {
    if (this.#at + count <= this.#buffer.length) return;
    this.#flush();
    this.#buffer = Buffer.allocUnsafe(Math.max(this.#expected, count));
    this.#from = 0;
    this.#at = 0;
  }

  #flush(): void {
    if (this.#at === this.#from) return;
    this.#add(this.#buffer.subarray(this.#from, this.#at));
    this.#from = this.#at;
  }

  #add(part: JsonPart): void {
    this.#parts.push(part);
    this.#written += part.length;
  }
}
