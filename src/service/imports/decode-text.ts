import { ImportError } from './import-error.ts';

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Byte order marks tell UTF-16 (spreadsheets write it); everything else must be UTF-8. */
export function encodingOf(bytes: Uint8Array): TextEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Decodes a file piece by piece; characters may be cut by the end of a piece. */
export class TextReader {
  readonly #encoding: TextEncoding;
  readonly #decoder: TextDecoder;
  #bytes = 0;
  #lines = 1;

  constructor(encoding: TextEncoding) {
    this.#encoding = encoding;
    this.#decoder = new TextDecoder(encoding, { fatal: true });
  }

  read(bytes: Uint8Array): string {
    return this.#decode(bytes, true);
  }

  end(): string {
    return this.#decode(new Uint8Array(), false);
  }

  #decode(bytes: Uint8Array, stream: boolean): string {
    try {
      const text = this.#decoder.decode(bytes, { stream });
      this.#bytes += bytes.byteLength;
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
        this.#lines += 1;
      return text;
    } catch (cause) {
      throw new ImportError(this.#where(bytes), { cause });
    }
  }

  #where(bytes: Uint8Array): string {
    const known = soundPrefix(bytes, this.#encoding);
    const byte = this.#bytes + known.bytes + 1;
    const line = this.#lines + known.lines;
    const name = this.#encoding === 'utf-8' ? 'UTF-8' : 'UTF-16';
    return `The file is not ${name} text: byte ${String(byte)}, in line ${String(line)}, belongs to no character. Save it as UTF-8 and import it again.`;
  }
}

/** How much of a piece can be decoded, found by halving: only a file that fails pays for it. */
function soundPrefix(
  bytes: Uint8Array,
  encoding: TextEncoding,
): { readonly bytes: number; readonly lines: number } {
  // The end of a character that the piece before began is no error here.
  const begin = encoding === 'utf-8' ? bytes.findIndex((byte) => (byte & 0xc0) !== 0x80) : 0;
  const start = begin > 0 && begin <= 3 ? begin : 0;
  const isSound = (end: number): boolean => {
    try {
      new TextDecoder(encoding, { fatal: true }).decode(bytes.subarray(start, end), {
        stream: true,
      });
      return true;
    } catch {
      return false; // what is looked for
    }
  };
  let [low, high] = [start, bytes.byteLength];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isSound(middle)) low = middle;
    else high = middle - 1;
  }
  let lines = 0;
  for (const byte of bytes.subarray(0, low)) if (byte === 0x0a) lines += 1;
  return { bytes: low, lines };
}
