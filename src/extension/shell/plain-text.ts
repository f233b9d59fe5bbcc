/**
 * Text of strangers as text. VS Code reads links and icons out of almost everything that it is given
 * to show, and runs the commands of such links. Here text loses that meaning, and looks as it did.
 */

import { visible } from '../../protocol/visible.ts';
import { cutText } from '../../core/shortened.ts';

/** Seen by nobody: what it stands between is no longer read as one thing. */
const joiner = '\u2060';

/**
 * Where `[label](command:x)` and `$(icon)` are recognized, by `linkedText.ts` and `iconLabels.ts` of
 * VS Code. Any scheme counts as one that is opened: others may come.
 */
const meanings = /(?<=\])(?=\([a-z][a-z\d+.-]*:)|(?<=\$)(?=\([a-z\d~-]+\))/gi;

const meaningless = (text: string): string => text.replace(meanings, joiner);

/** A cut never halves a character. */
const end = (text: string, length: number): string =>
  text.slice(-length).replace(/^[\udc00-\udfff]/, '');

const cutEnd = (text: string, longest: number): string =>
  text.length <= longest ? text : `${cutText(text, longest - 1).trimEnd()}…`;

/** A sentence says at its beginning what it asks, and at its end what to do. */
function cutMiddle(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const half = Math.floor((longest - 3) / 2);
  return `${cutText(text, half)} … ${end(text, half)}`;
}

/** More of it would be looked through for nothing. */
const handled = (text: string, longest: number): string => cutMiddle(text, longest * 8);

const oneLine = (text: string): string =>
  visible(
    text.replace(/[\s\u0085]+/g, (blank) => (/^[\p{Zs}]$/u.test(blank) ? blank : ' ')),
  ).trim();

const longestLine = 400;

/** One line: a label, a description, a title. */
export const plainLine = (text: string, longest = longestLine): string =>
  meaningless(cutEnd(oneLine(handled(text, longest)), longest));

/** One line that is a sentence with names in it. VS Code cuts messages after 1,000 characters. */
export const plainSentence = (text: string, longest = 900): string =>
  meaningless(cutMiddle(oneLine(handled(text, longest)), longest));

const lineEnd = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** Several lines: the detail of a question, a message of a test, output. */
export function plainLines(text: string, longest = 4000): string {
  const lines = handled(text, longest).split(lineEnd);
  const shown = lines.map(visible).join('\n');
  return meaningless(cutEnd(shown, longest));
}

/** What file systems refuse, what reads in another direction or is not seen, and what begins an icon. */
const unfitInFile =
  /[\\/?%*:|"<>\p{Cc}\p{Cs}\p{Bidi_C}\p{Zl}\p{Zp}\u00ad\u180e\u200b\u2060-\u2064\u3164\ufeff]|\$(?=\()/gu;
/** Devices of Windows, whatever their ending. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?=\s*(?:\.|$))/i;
/** Linux and macOS count bytes: 255, of which an ending and a suffix need some. */
const mostFileBytes = 180;

/**
 * A name that every file system takes, that reads in one direction, and that is no icon where VS Code
 * itself lists files. Nothing unseen is put in: it is typed again by others. An ending may follow.
 */
export function plainFileName(name: string, longest: number): string {
  const fit = cutText(name, longest).replaceAll(unfitInFile, '-').trim();
  let bytes = 0;
  let short = '';
  for (const sign of fit) {
    bytes += Buffer.byteLength(sign);
    if (bytes > mostFileBytes) break;
    short += sign;
  }
  // Neither hidden, nor a folder, nor what Windows cuts off.
  const plain = short.replace(/^\.+/, '-').replace(/[\s.]+$/, '');
  return plain.replace(device, '$&-');
}

/** In Markdown: each sign that may have a meaning stands for itself, addresses included. */
export const markdownText = (text: string): string =>
  text.replace(/[!-/:-@[-`{-~]/g, '\\$&').replaceAll('\n', '  \n');

/** In Markdown: lines as they are, whatever fence they hold. */
export function markdownCode(text: string, language: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), 3));
  return `\n${fence}${language}\n${text}\n${fence}\n`;
}
