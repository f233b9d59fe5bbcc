import type { Options } from 'csv-parse';

/** A field is null when nothing stands between its delimiters, and '' when two quotes do. */
export type Field = string | null;

/** How separated values are written. */
export interface Dialect {
  readonly delimiter: string;
  /** Empty: quotes are signs like others. */
  readonly quote?: string | undefined;
  /** So many characters stand before the records: a hint such as `sep=;` and its line end. */
  readonly skip?: number | undefined;
}

const LONGEST_RECORD = 20 * 1024 * 1024;

/** `noteBackslash`: a field begins with a quote that ends before it does, as one with `\\"` in it. */
export const optionsFor = (
  { delimiter, quote = '"' }: Dialect,
  noteBackslash?: () => void,
): Options => ({
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
    if (value.startsWith(quote) && value.includes(`\\${quote}`)) noteBackslash?.();
    return value;
  },
});
