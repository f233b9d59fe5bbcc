import type { Options } from 'csv-parse';

/** A field is null when nothing stands between its delimiters, and '' when two quotes do. */
export type Field = string | null;

/** How separated values are written. */
export interface Dialect {
  readonly delimiter: string;
  /** Empty: quotes are signs like others. May be `backslashQuotes`. */
  readonly quote?: string | undefined;
  /** So many characters stand before the records: a hint such as `sep=;` and its line end. */
  readonly skip?: number | undefined;
}

/** A way to quote: double quotes, where a backslash before a quote or a backslash makes a letter of it. */
export const backslashQuotes = '\\"';

const LONGEST_RECORD = 20 * 1024 * 1024;

/** `noteBackslash`: a field begins with a quote that ends before it does, as one with `\\"` in it. */
export function optionsFor(
  { delimiter, quote: written = '"' }: Dialect,
  noteBackslash?: () => void,
): Options {
  const isEscaped = written === backslashQuotes;
  const quote = isEscaped ? '"' : written;
  return {
    delimiter,
    quote: quote === '' ? null : quote,
    // Doubled, as in every dialect that people have.
    escape: quote === '' ? null : quote,
    // Each record ends as it ends: files are put together of parts with other line ends.
    record_delimiter: ['\r\n', '\n', '\r'],
    bom: false,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_RECORD,
    cast: (value, { quoting }): Field => {
      if (!quoting) return value === '' ? null : value;
      if (isEscaped) return value.replaceAll('\\\\', '\\');
      if (value.startsWith(quote) && value.includes(`\\${quote}`)) noteBackslash?.();
      return value;
    },
  };
}

/**
 * A text with `backslashQuotes`, or the part after `rest`, as the parser reads it: escaped quotes are
 * doubled ones, so that every place stays the same. What is cut off is the `rest` of the next part.
 */
export function withDoubledQuotes(text: string): { readonly text: string; readonly rest: string } {
  let rest = '';
  const doubled = text.replaceAll(/\\[\s\S]?/g, (pair) => {
    if (pair.length === 1) rest = pair;
    return pair === backslashQuotes ? '""' : pair;
  });
  return { text: doubled.slice(0, doubled.length - rest.length), rest };
}
