import { encodingName, type TextEncoding } from './encodings.ts';
import { ImportError } from './import-error.ts';

interface Decoder {
  decode(bytes: Uint8Array, options: { readonly stream: boolean }): string;
}

/** 0x80 to 0x9F of Windows-1252, which some versions of Node take for ISO-8859-1. */
const western = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

function decoderOf(encoding: TextEncoding): Decoder {
  const decoder = new TextDecoder(encoding, { fatal: true });
  if (encoding !== 'windows-1252') return decoder;
  return {
    decode: (bytes, options) =>
      decoder
        .decode(bytes, options)
        .replaceAll(/[\u0080-\u009F]/g, (sign) => western.charAt(sign.charCodeAt(0) - 0x80)),
  };
}

/**
 * Decodes a file piece by piece; characters may be cut by the end of a piece. What can't be decoded
 * is an error of the call after: what stands before it is read first.
 */
export class TextReader {
  readonly #encoding: TextEncoding;
  readonly #decoder: Decoder;
  #bytes = 0;
  #lines = 1;
  #failure: ImportError | undefined;

  constructor(encoding: TextEncoding) {
    this.#encoding = encoding;
    this.#decoder = decoderOf(encoding);
  }

  read(bytes: Uint8Array): string {
    return this.#decode(bytes, true);
  }

  end(): string {
    return this.#decode(new Uint8Array(), false);
  }

  /** Why nothing more can be read, once the text before it was. */
  get failure(): ImportError | undefined {
    return this.#failure;
  }

  #decode(bytes: Uint8Array, stream: boolean): string {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      const text = this.#decoder.decode(bytes, { stream });
      this.#bytes += bytes.byteLength;
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
        this.#lines += 1;
      return text;
    } catch (cause) {
      const { text, end } = soundPart(bytes, this.#encoding);
      const byte = this.#bytes + end + 1;
      const line = this.#lines + text.split('\n').length - 1;
      const name = encodingName(this.#encoding);
      this.#failure = new ImportError(
        `The file is not ${name} text: byte ${String(byte)}, in line ${String(line)}, belongs to no character. Save it as UTF-8 and import it again.`,
        { cause, fault: { kind: 'bytes', encoding: name, byte, line } },
      );
      if (text === '') throw this.#failure;
      return text;
    }
  }
}

/**
 * How much of a piece can be decoded, found by halving: only a file that fails pays for it. Up to
 * three bytes at its start may end a character that the piece before has begun.
 */
function soundPart(
  bytes: Uint8Array,
  encoding: TextEncoding,
): { readonly text: string; readonly end: number } {
  const isUtf8 = encoding === 'utf-8';
  const isTail = (at: number): boolean => !isUtf8 || ((bytes[at] ?? 0) & 0xc0) === 0x80;
  let best = { text: '', end: 0 };
  for (let start = 0; start <= 3 && start <= bytes.byteLength; start += 1) {
    if (start > 0 && !isTail(start - 1)) break;
    const part = soundFrom(bytes, start, encoding);
    if (part.end > best.end) best = part;
  }
  return best;
}

function soundFrom(
  bytes: Uint8Array,
  start: number,
  encoding: TextEncoding,
): { readonly text: string; readonly end: number } {
  const decode = (end: number): string | undefined => {
    try {
      return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(
        bytes.subarray(start, end),
        { stream: true },
      );
    } catch {
      return undefined; // what is looked for
    }
  };
  let [low, high] = [start, bytes.byteLength];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (decode(middle) === undefined) high = middle - 1;
    else low = middle;
  }
  const text = decode(low) ?? '';
  // Bytes that only begin a character are part of what is wrong.
  while (low > start && decode(low - 1) === text) low -= 1;
  return { text, end: low };
}
