import { strFromU8, strToU8, zipSync } from 'fflate';
import { directoryOf, entriesOf, partOf } from './xlsx-package.ts';

/** One format for each kind of number, which no reader takes for another. */
const plain = { elapsed: '[h]:mm:ss', date: 'yyyy-mm-dd hh:mm:ss', number: '0' } as const;

const numFmt = /<(?:\w+:)?numFmt(?:\s+[\w:]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*\/?>/g;
const formatCode = /(\sformatCode\s*=\s*)("[^"]*"|'[^']*')/;
const entities: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

/** What a format of Excel shows: letters of dates stand outside of quotes, escapes and brackets. */
function kindOf(code: string): keyof typeof plain {
  const bare = code.replace(/"[^"]*"|\\.|[_*]./gs, '');
  if (/\[(?:h+|m+|s+)\]/i.test(bare)) return 'elapsed';
  const shown = bare
    .replace(/\[[^\]]*\]/g, '')
    .replace(/general/gi, '')
    .replace(/s[.,]0+/gi, 's');
  return /[ymdhsegb]/i.test(shown) && !/[0#?]/.test(shown) ? 'date' : 'number';
}

/**
 * The reader of workbooks guesses whether a format is that of a date: times with letters in quotes
 * (`h"h"mm`) became numbers, and money of some countries (`[$S/-280A]`) dates. It is given formats that
 * it can't mistake. Undefined: there is nothing to change.
 */
function withPlainFormats(styles: string): string | undefined {
  const changed = styles.replace(numFmt, (tag) =>
    tag.replace(formatCode, (_, name: string, quoted: string) => {
      const code = quoted
        .slice(1, -1)
        .replace(/&#(x?)([\da-f]+);/gi, (_all, hex: string, digits: string) =>
          String.fromCodePoint(Number.parseInt(digits, hex === '' ? 10 : 16)),
        )
        .replace(/&\w+;/g, (entity) => entities[entity] ?? entity);
      return `${name}"${plain[kindOf(code)]}"`;
    }),
  );
  return changed === styles ? undefined : changed;
}

/** The workbook with such formats; nothing but this small part of it is unpacked. */
export function withPlainDates(bytes: Uint8Array, part: string | undefined): Uint8Array {
  const found = part === undefined ? undefined : partOf(bytes, part);
  const styles = found && withPlainFormats(strFromU8(found));
  if (part === undefined || styles === undefined) return bytes;
  return withPart(bytes, part, strToU8(styles)) ?? bytes;
}

/** One part of a ZIP file put in the place of another: it is added, and the directory names it instead. */
function withPart(bytes: Uint8Array, name: string, part: Uint8Array): Uint8Array | undefined {
  const whole = directoryOf(bytes);
  const added = zipSync({ [name]: part }, { level: 0 });
  const own = directoryOf(added);
  if (whole === undefined || own === undefined) return undefined;
  const known = entriesOf(bytes, whole);
  if (known === undefined) return undefined;
  const entries = known.flatMap((one) => (one.name === name ? [] : [one.bytes]));
  const entry = added.slice(own.start, own.start + own.size);
  new DataView(entry.buffer).setUint32(42, whole.start, true);
  entries.push(entry);
  const size = entries.reduce((sum, one) => sum + one.length, 0);
  const end = added.slice(own.end);
  const ending = new DataView(end.buffer);
  for (const field of [8, 10]) ending.setUint16(field, entries.length, true);
  ending.setUint32(12, size, true);
  ending.setUint32(16, whole.start + own.start, true);
  const pieces = [bytes.subarray(0, whole.start), added.subarray(0, own.start), ...entries, end];
  const result = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let place = 0;
  for (const piece of pieces) {
    result.set(piece, place);
    place += piece.length;
  }
  return result;
}
