import { stringifyJson } from '../../core/http/json.ts';

/** Texts of such a length are not copied into others any more. */
export const LONG = 64 * 1024;

/** A text, or one in UTF-8. */
export type JsonPart = string | Uint8Array<ArrayBuffer>;

/** Stands where something is filled in; JSON text never holds it. */
export const GAP = '\u0000';

const asText = (part: JsonPart): string =>
  typeof part === 'string'
    ? part
    : Buffer.from(part.buffer, part.byteOffset, part.length).toString();

/**
 * JSON that is text already: values and configs go from the database into answers without being
 * parsed, which is fast and keeps every digit. A long one is a list of parts, which are sent one
 * after the other: putting them together would keep all others waiting.
 */
export class JsonText {
  readonly parts: readonly JsonPart[];

  constructor(text: string | readonly JsonPart[]) {
    this.parts = typeof text === 'string' ? [text] : text;
  }

  /** All in one. */
  get text(): string {
    return this.parts.map(asText).join('');
  }

  /** Characters, and bytes of the parts that are bytes. */
  get length(): number {
    let length = 0;
    for (const part of this.parts) length += part.length;
    return length;
  }

  /** All in one, as it is sent best: bytes when most of it is bytes already. */
  get body(): string | Uint8Array<ArrayBuffer> {
    const [first] = this.parts;
    // To copy a page of rows once more takes as long as to read it.
    if (this.parts.length === 1 && first !== undefined) return first;
    if (this.parts.every((part) => typeof part === 'string')) return this.text;
    return Buffer.concat(
      this.parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
    );
  }
}

/** Puts short texts together and leaves long ones as they are. */
export class JsonParts {
  readonly #parts: JsonPart[] = [];
  #short: string[] = [];
  #length = 0;

  add(text: JsonPart): void {
    if (typeof text !== 'string' || text.length >= LONG) {
      this.#flush();
      this.#parts.push(text);
      return;
    }
    this.#short.push(text);
    this.#length += text.length;
    if (this.#length >= LONG) this.#flush();
  }

  addAll({ parts }: JsonText): void {
    for (const part of parts) this.add(part);
  }

  take(): JsonText {
    this.#flush();
    return new JsonText([...this.#parts]);
  }

  #flush(): void {
    if (this.#short.length > 0) this.#parts.push(this.#short.join(''));
    this.#short = [];
    this.#length = 0;
  }
}

/** An object whose own fields may be `JsonText` or lists of them. Undefined fields are left out. */
export function jsonObject(fields: Readonly<Record<string, unknown>>): JsonText {
  const parts = new JsonParts();
  let sign = '{';
  for (const [name, field] of Object.entries(fields)) {
    if (field === undefined) continue;
    parts.add(`${sign}${JSON.stringify(name)}:`);
    addField(parts, field);
    sign = ',';
  }
  parts.add(sign === '{' ? '{}' : '}');
  return parts.take();
}

function addField(parts: JsonParts, field: unknown): void {
  if (field instanceof JsonText) parts.addAll(field);
  else if (Array.isArray(field) && field[0] instanceof JsonText) {
    for (const [index, item] of (field as JsonText[]).entries()) {
      parts.add(index === 0 ? '[' : ',');
      parts.addAll(item);
    }
    parts.add(']');
  } else {
    // The lossless writer costs more and only objects can hold what needs it.
    const isObject = typeof field === 'object' && field !== null;
    parts.add(isObject ? stringifyJson(field) : JSON.stringify(field));
  }
}
