/** Amounts in words, alike in the extension and its pages. */

/** US dollars, the currency of all prices. Cents need no more than two digits, parts of a cent do. */
export const priceText = (language: string | undefined, value: number): string =>
  value.toLocaleString(language, {
    ...{ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' },
    ...(value !== 0 && Math.abs(value) < 0.1 && { maximumSignificantDigits: 3 }),
  });

/**
 * A point in time, on the clock of this machine; a text that is none stays as it is. Exact data (the
 * details of a cell, the columns of the request log) show what was sent, or what sorts.
 */
export function dateText(
  language: string | undefined,
  at: string | number,
  timeStyle: 'short' | 'medium' = 'short',
): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  return date.toLocaleString(language, { dateStyle: 'medium', timeStyle });
}

type Translate = (message: string, ...args: (string | number)[]) => string;

/** How long something took. */
export function durationText(language: string | undefined, ms: number, t: Translate): string {
  if (ms < 1000) return t('{0} ms', Math.round(ms));
  if (ms >= 60_000)
    return t('{0} min {1} s', Math.floor(ms / 60_000), Math.floor((ms % 60_000) / 1000));
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false };
  return t('{0} s', (ms / 1000).toLocaleString(language, digits));
}
