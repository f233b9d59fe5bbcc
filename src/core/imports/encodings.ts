/** What a text can be read as: labels that TextDecoder knows, in the order of the list. */
export const offeredEncodings = [
  ...(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-15'] as const),
  ...(['iso-8859-2', 'windows-1250', 'iso-8859-16', 'windows-1257', 'iso-8859-4'] as const),
  ...(['iso-8859-13', 'iso-8859-10', 'windows-1251', 'iso-8859-5', 'koi8-r', 'koi8-u'] as const),
  ...(['ibm866', 'x-mac-cyrillic', 'windows-1253', 'iso-8859-7', 'windows-1254'] as const),
  ...(['windows-1255', 'iso-8859-8', 'windows-1256', 'iso-8859-6', 'windows-1258'] as const),
  ...(['windows-874', 'macintosh', 'shift_jis', 'euc-jp', 'iso-2022-jp', 'gbk'] as const),
  ...(['gb18030', 'big5', 'euc-kr'] as const),
] as const;
export type TextEncoding = (typeof offeredEncodings)[number];

const names: Partial<Record<TextEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252 (ISO-8859-1)',
  shift_jis: 'Shift_JIS',
  macintosh: 'Mac OS Roman',
  'x-mac-cyrillic': 'Mac OS Cyrillic',
};

/** As people write it: `Windows-1250`, `ISO-8859-2`. */
export const encodingName = (encoding: TextEncoding): string =>
  names[encoding] ?? encoding.replace(/^windows/, 'Windows').replace(/^(?!Windows).*/, upper);

const upper = (text: string): string => text.toUpperCase();

export interface FoundEncoding {
  readonly encoding: TextEncoding;
  /** `mark`: a byte order mark says so. `unknown`: it is none of those that can be detected. */
  readonly how: 'mark' | 'content' | 'unknown';
}

/**
 * Detected by a byte order mark (spreadsheets write it), by where the zero bytes of UTF-16 are, or by
 * being UTF-8. Nothing tells the encodings of one byte apart. `isWhole`: the bytes are all of the file.
 */
export function findEncoding(bytes: Uint8Array, isWhole = true): FoundEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', how: 'mark' };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', how: 'mark' };
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return { encoding: 'utf-8', how: 'mark' };
  const wide = zeroBytes(bytes.subarray(0, 8192));
  if (wide !== undefined && isSound(bytes.subarray(0, bytes.length & ~1), wide, isWhole))
    return { encoding: wide, how: 'content' };
  return isSound(bytes, 'utf-8', isWhole)
    ? { encoding: 'utf-8', how: 'content' }
    : { encoding: 'utf-8', how: 'unknown' };
}

/** A text that has a few zero characters of its own is no UTF-16, where every tenth byte or more is zero. */
const LEAST_ZEROS = 0.1;

/** Delimiters, digits and line ends have a zero byte in UTF-16: always the first or always the second. */
function zeroBytes(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  let [first, second, lineEnds] = [0, 0, 0];
  for (const [at, byte] of bytes.entries()) {
    if (byte === 0x0a) lineEnds += 1;
    if (byte !== 0) continue;
    if (at % 2 === 0) first += 1;
    else second += 1;
  }
  const zeros = first + second;
  if (zeros < lineEnds || zeros < bytes.length * LEAST_ZEROS) return undefined;
  if (first === 0 && second > 0) return 'utf-16le';
  return second === 0 && first > 0 ? 'utf-16be' : undefined;
}

function isSound(bytes: Uint8Array, encoding: TextEncoding, isWhole: boolean): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: !isWhole });
    return true;
  } catch {
    return false; // what is asked
  }
}
