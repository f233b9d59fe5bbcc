/** What is found: a part of the JSON around the file, or of the file's text. */
export interface ScanTarget {
  /** JSON text beside the file; the file's own text is left out of it. */
  json(text: string): void;
  /** The file's text begins, again if it has been there before. */
  begin(): void;
  /** A part of the file's text, in Latin-1; what JSON writes as an escape is put back. */
  file(text: string): void;
  /** The file's text has ended; answers what stands for it in the JSON. */
  end(): string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

const isBlank = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

type State = 'outside' | 'name' | 'before-file' | 'file';

/**
 * Finds the text of one field in a JSON body that comes in pieces, so that neither is held whole:
 * `field` as a key, at any depth, with a text as its value. It checks nothing: what is left of the
 * JSON is parsed afterwards.
 */
export class FileScanner {
  readonly #target: ScanTarget;
  readonly #field: string;
  #state: State = 'outside';
  /** Bytes of the string under way outside of the file. */
  #string: Buffer[] = [];
  #isEscaped = false;
  /** The last string was the field's name. */
  #isNamed = false;
  /** An escape in the file's text that is not whole yet. */
  #escape = '';

  constructor(field: string, target: ScanTarget) {
    this.#field = field;
    this.#target = target;
  }

  write(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      switch (this.#state) {
        case 'outside':
        case 'before-file':
          at = this.#outside(bytes, at);
          break;
        case 'name':
          at = this.#inString(bytes, at);
          break;
        case 'file':
          at = this.#inFile(bytes, at);
          break;
      }
    }
  }

  /** Up to the next quote. */
  #outside(bytes: Buffer, start: number): number {
    for (let at = start; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) {
        this.#target.json(bytes.toString('latin1', start, at + 1));
        if (this.#state === 'before-file') {
          this.#state = 'file';
          this.#target.begin();
        } else this.#state = 'name';
        return at + 1;
      }
      if (isBlank(byte)) continue;
      this.#state = this.#isNamed && byte === COLON ? 'before-file' : 'outside';
      this.#isNamed = false;
    }
    this.#target.json(bytes.toString('latin1', start));
    return bytes.length;
  }

  #inString(bytes: Buffer, start: number): number {
    let at = start;
    for (; at < bytes.length; at += 1) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (bytes[at] === BACKSLASH) this.#isEscaped = true;
      else if (bytes[at] === QUOTE) {
        const text = Buffer.concat([...this.#string, bytes.subarray(start, at)]);
        this.#string = [];
        this.#isNamed = this.#isField(text);
        this.#target.json(bytes.toString('latin1', start, at + 1));
        this.#state = 'outside';
        return at + 1;
      }
    }
    this.#string.push(bytes.subarray(start));
    this.#target.json(bytes.toString('latin1', start));
    return bytes.length;
  }

  #isField(name: Buffer): boolean {
    // As an escape each letter takes six bytes.
    if (name.length > 6 * this.#field.length) return false;
    const text = name.toString('latin1');
    if (!text.includes('\\')) return text === this.#field;
    try {
      return JSON.parse(`"${text}"`) === this.#field;
    } catch {
      // The parser will say so.
      return false;
    }
  }

  #inFile(bytes: Buffer, start: number): number {
    if (this.#escape !== '') return this.#inEscape(bytes, start);
    const quote = bytes.indexOf(QUOTE, start);
    const end = quote < 0 ? bytes.length : quote;
    const backslash = bytes.subarray(start, end).indexOf(BACKSLASH);
    if (backslash >= 0) {
      this.#target.file(bytes.toString('latin1', start, start + backslash));
      this.#escape = '\\';
      return start + backslash + 1;
    }
    this.#target.file(bytes.toString('latin1', start, end));
    if (quote < 0) return bytes.length;
    this.#target.json(`${this.#target.end()}"`);
    this.#state = 'outside';
    return quote + 1;
  }

  #inEscape(bytes: Buffer, at: number): number {
    this.#escape += bytes.toString('latin1', at, at + 1);
    const isWhole = this.#escape[1] !== 'u' || this.#escape.length === 6;
    if (!isWhole) return at + 1;
    let text = '!';
    try {
      text = String(JSON.parse(`"${this.#escape}"`));
    } catch {
      // No escape of JSON: what it stands for is not base64 either.
    }
    this.#target.file(text);
    this.#escape = '';
    return at + 1;
  }
}
