import { CsvError, parse as parseSync } from 'csv-parse/sync';
import { backslashQuotes, optionsFor, withDoubledQuotes, type Field } from './csv-options.ts';
import { ImportError } from './import-error.ts';

const delimiters = [',', ';', '\t', '|'] as const;

/** As much of a file is looked at for the guess; enough to tell a separator from punctuation. */
const GUESS_CHARACTERS = 256 * 1024;
const GUESS_RECORDS = 1_000;

/** What separates the fields of a text, and how that is known. */
export interface FoundDelimiter {
  readonly delimiter: string;
  /**
   * `hint`: the first line says so, as spreadsheets write it. `content`: it alone splits the records
   * alike. `tie`: `others` do so as well. `none`: nothing does.
   */
  readonly how: 'hint' | 'content' | 'tie' | 'none';
  /** What else would split the records as well. */
  readonly others: readonly string[];
  /** Fields of the header. */
  readonly fields: number;
}

/** `sep=;` and its line end, which only tell the delimiter. */
const HINT = /^(?:"sep=([^"\r\n])"|sep=([^"\r\n]))(?:\r\n|\n|\r|$)/i;

/** How many characters at the start of a text are a hint, and what it says. */
export function delimiterHint(
  text: string,
): { readonly delimiter: string; readonly length: number } | undefined {
  const found = HINT.exec(text.slice(0, 16));
  const delimiter = found?.[1] ?? found?.[2];
  return found === null || delimiter === undefined
    ? undefined
    : { delimiter, length: found[0].length };
}

/**
 * The delimiter that splits the records alike: each at most as wide as the header, and as many as
 * possible exactly as wide. The most fields win. `isWhole`: the text is all of the file, so its last
 * record is not cut.
 */
export function findDelimiter(text: string, { isWhole = true, quote = '"' } = {}): FoundDelimiter {
  const hint = delimiterHint(text);
  if (hint !== undefined) return { delimiter: hint.delimiter, how: 'hint', others: [], fields: 0 };
  const head = text.slice(0, GUESS_CHARACTERS);
  const isCut = !isWhole || head.length < text.length;
  const fits = delimiters
    .map((delimiter) => ({ delimiter, ...fitOf(head, { delimiter, quote }, isCut) }))
    .filter(({ fields }) => fields > 1)
    .sort((a, b) => b.share - a.share || b.fields - a.fields);
  const [best] = fits;
  // No agreement at all: the usual delimiter, whose reader then names the record that is too wide.
  if (best === undefined) return { delimiter: mostUsed(head), how: 'none', others: [], fields: 1 };
  const { delimiter, fields, share } = best;
  const others = fits
    .slice(1)
    .filter((one) => one.share === share && one.fields === fields)
    .map((one) => one.delimiter);
  return { delimiter, how: others.length === 0 ? 'content' : 'tie', others, fields };
}

/** The same for whoever can't ask: throws where two split it equally, as a wrong guess is not seen. */
export function guessDelimiter(text: string, isWhole = true): string {
  const { delimiter, how, others, fields } = findDelimiter(text, { isWhole });
  if (how !== 'tie') return delimiter;
  const [one, other] = [delimiter, ...others].map(nameOf);
  throw new ImportError(
    `The fields of the file could be separated by ${String(one)} or by ${String(other)}: both give ${String(fields)} columns. Put quotes around the fields that hold the other one.`,
    { fault: { kind: 'two-delimiters', one: String(one), other: String(other), columns: fields } },
  );
}

const nameOf = (delimiter: string): string =>
  ({ ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars' })[delimiter] ??
  delimiter;

/** Fields of the header (0: not a table) and the share of the records that have as many. */
function fitOf(
  head: string,
  dialect: { readonly delimiter: string; readonly quote: string },
  isCut: boolean,
): { readonly fields: number; readonly share: number } {
  const nothing = { fields: 0, share: 0 };
  const records: Field[][] = [];
  const keep = (record: unknown): null => {
    records.push(record as Field[]);
    return null;
  };
  try {
    const whole = isCut ? head.slice(0, lastLineEnd(head)) : head;
    const text = dialect.quote === backslashQuotes ? withDoubledQuotes(whole).text : whole;
    parseSync(text, { ...optionsFor(dialect), to: GUESS_RECORDS, on_record: keep });
  } catch (error) {
    const isOpen = error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED';
    // The cut may lie inside quotes; otherwise it is not CSV with this delimiter.
    if (!isCut || !isOpen) return nothing;
  }
  const [header, ...rows] = records;
  if (header === undefined || rows.some((row) => row.length > header.length)) return nothing;
  const same = rows.filter((row) => row.length === header.length).length;
  return { fields: header.length, share: rows.length === 0 ? 1 : same / rows.length };
}

const lastLineEnd = (text: string): number => {
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return end === -1 ? text.length : end;
};

function mostUsed(text: string): string {
  const line = firstLine(text).replace(/"(?:[^"]|"")*"?/g, '');
  let best: string = ',';
  let most = 0;
  for (const delimiter of delimiters) {
    const count = line.split(delimiter).length - 1;
    if (count > most) [best, most] = [delimiter, count];
  }
  return best;
}

function firstLine(sent: string): string {
  const text = sent.replace(/^[\r\n]+/, '');
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) return text.slice(0, at);
  }
  return text;
}
