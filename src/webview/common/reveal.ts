/**
 * Makes visible what could disguise a text: control characters, marks that change the direction
 * of writing, and characters without width. Joiners stay where scripts and emoji need them.
 */

const suspicious =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- finding them is the purpose
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Most texts; a browser takes its time to prepare the pattern above. */
const plain = /^[ -~]*$/;
const joinable = /[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u;
const needsJoiner =
  /[\p{Script=Arab}\p{Script=Deva}\p{Script=Beng}\p{Script=Guru}\p{Script=Gujr}\p{Script=Orya}\p{Script=Taml}\p{Script=Telu}\p{Script=Knda}\p{Script=Mlym}\p{Script=Sinh}\p{Script=Syrc}\p{Script=Mong}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{M}]/u;

const names = new Map<number, string>([
  [0x00ad, 'SHY'],
  [0x061c, 'ALM'],
  [0x200b, 'ZWSP'],
  [0x200c, 'ZWNJ'],
  [0x200d, 'ZWJ'],
  [0x200e, 'LRM'],
  [0x200f, 'RLM'],
  [0x2028, 'LS'],
  [0x2029, 'PS'],
  [0x202a, 'LRE'],
  [0x202b, 'RLE'],
  [0x202c, 'PDF'],
  [0x202d, 'LRO'],
  [0x202e, 'RLO'],
  [0x2060, 'WJ'],
  [0x2066, 'LRI'],
  [0x2067, 'RLI'],
  [0x2068, 'FSI'],
  [0x2069, 'PDI'],
  [0xfeff, 'BOM'],
]);

/** A sign that stands for a character which cannot be seen. */
function signFor(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  const name = names.get(code) ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return `⟨${name}⟩`;
}

/** Joiners are part of the writing between letters that need them and inside emoji. */
function isJoinerInPlace(code: number, text: string, at: number): boolean {
  if (code !== 0x200c && code !== 0x200d) return false;
  const before = /.$/su.exec(text.slice(Math.max(0, at - 2), at))?.[0];
  const next = text.codePointAt(at + 1);
  const after = next === undefined ? undefined : String.fromCodePoint(next);
  if (before === undefined || after === undefined) return false;
  return needsJoiner.test(before) && joinable.test(after);
}

export interface Piece {
  readonly text: string;
  /** The piece is a sign for something invisible. */
  readonly isSign: boolean;
}

/** The text in pieces, signs apart, line ends and tabs as they are. For whole values. */
export function revealInPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(suspicious)) {
    const code = match[0].codePointAt(0) ?? 0;
    const isLayout = code === 9 || code === 10 || (code === 13 && text[match.index + 1] === '\n');
    if (isLayout || isJoinerInPlace(code, text, match.index)) continue;
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), isSign: false });
    pieces.push({ text: signFor(code), isSign: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isSign: false });
  return pieces;
}

export interface Revealed {
  readonly text: string;
  /** Holds signs for characters that could disguise the text. */
  readonly isOdd: boolean;
}

/** The text on one line: line ends and tabs become arrows. For cells. */
export function revealOnLine(text: string): Revealed {
  if (plain.test(text)) return { text, isOdd: false };
  suspicious.lastIndex = 0;
  if (!suspicious.test(text)) return { text, isOdd: false };
  let isOdd = false;
  const shown = text
    .replace(/\r\n/g, '\n')
    .replace(suspicious, (sign, at: number, whole: string) => {
      const code = sign.codePointAt(0) ?? 0;
      if (code === 10) return '↵';
      if (code === 9) return '⇥';
      if (isJoinerInPlace(code, whole, at)) return sign;
      isOdd = true;
      return signFor(code);
    });
  return { text: shown, isOdd };
}
