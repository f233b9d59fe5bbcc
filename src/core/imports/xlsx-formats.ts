import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

/** One format for each kind of number, which no reader takes for another. */
const plain = { elapsed: '[h]:mm:ss', date: 'yyyy-mm-dd hh:mm:ss', number: '0' } as const;

const STYLES = 'xl/styles.xml';
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

const CENTRAL = 0x02014b50;
const END = 0x06054b50;

/** The workbook with such formats; nothing but this small part of it is unpacked. */
export function withPlainDates(bytes: Uint8Array): Uint8Array {
  const found = unzipSync(bytes, { filter: ({ name }) => name === STYLES })[STYLES];
  const styles = found && withPlainFormats(strFromU8(found));
  return styles === undefined ? bytes : (withPart(bytes, STYLES, strToU8(styles)) ?? bytes);
}

interface Directory {
  readonly end: number;
  readonly start: number;
  readonly size: number;
  readonly count: number;
}

function directoryOf(bytes: Uint8Array): Directory | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let end = bytes.length - 22; end >= Math.max(0, bytes.length - 22 - 0xffff); end -= 1) {
    if (view.getUint32(end, true) !== END) continue;
    const count = view.getUint16(end + 10, true);
    const size = view.getUint32(end + 12, true);
    const start = view.getUint32(end + 16, true);
    // Larger ones keep these elsewhere.
    const isPlain = count !== 0xffff && start !== 0xffffffff && start + size <= end;
    return isPlain ? { end, start, size, count } : undefined;
  }
  return undefined;
}

/** One part of a ZIP file put in the place of another: it is added, and the directory names it instead. */
function withPart(bytes: Uint8Array, name: string, part: Uint8Array): Uint8Array | undefined {
  const whole = directoryOf(bytes);
  const added = zipSync({ [name]: part }, { level: 0 });
  const own = directoryOf(added);
  if (whole === undefined || own === undefined) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: Uint8Array[] = [];
  let at = whole.start;
  for (let entry = 0; entry < whole.count; entry += 1) {
    if (at + 46 > whole.end || view.getUint32(at, true) !== CENTRAL) return undefined;
    const [names = 0, extra = 0, comment = 0] = [28, 30, 32].map((field) =>
      view.getUint16(at + field, true),
    );
    const next = at + 46 + names + extra + comment;
    if (strFromU8(bytes.subarray(at + 46, at + 46 + names)) !== name)
      entries.push(bytes.subarray(at, next));
    at = next;
  }
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
