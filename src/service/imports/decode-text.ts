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
  readonly #decoder: TextDecoder;

  constructor(encoding: TextEncoding) {
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
      return this.#decoder.decode(bytes, { stream });
    } catch (cause) {
      throw new ImportError('The file is not UTF-8 text. Save it as UTF-8 and import it again.', {
        cause,
      });
    }
  }
}
