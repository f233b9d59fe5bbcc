/** The display language of VS Code: texts, numbers and keys of the pages in it. */
import { durationText, priceText } from '../../protocol/amounts.ts';
import { recordOf, text as isText } from './checks.ts';

/** Pages without one are those of unit tests. */
const page = typeof document === 'undefined' ? undefined : document;

export const language = known(page?.documentElement.lang);

/** VS Code can be started with any word as its language; `Intl` throws at what is none. */
function known(lang: string | undefined): string {
  if (lang === undefined || lang === '' || lang === 'en') return 'en';
  try {
    return Intl.getCanonicalLocales(lang)[0] ?? 'en';
  } catch {
    // No language at all: the texts are in English then, and so are the numbers.
    return 'en';
  }
}

/** Put into the page by the extension, unless it is in English. */
const translated = readTexts(page?.getElementById('texts')?.textContent);

function readTexts(json: string | null | undefined): ReadonlyMap<string, string> | undefined {
  if (!json) return undefined;
  const texts: unknown = JSON.parse(json);
  if (!recordOf(isText)(texts)) throw new Error("The translations in the page aren't strings.");
  return new Map(Object.entries(texts));
}

/** `comment`: which of its meanings a text has that is one in English and several elsewhere. */
interface Meant {
  readonly message: string;
  readonly comment: string;
}

/** As `vscode.l10n.t`: the English text is the key of its translation. */
export function t(text: string | Meant, ...args: readonly (string | number)[]): string {
  const { message, key } =
    typeof text === 'string'
      ? { message: text, key: text }
      : { message: text.message, key: `${text.message}/${text.comment}` };
  const shown = translated?.get(key) ?? message;
  return args.length === 0
    ? shown
    : shown.replace(/\{(\d+)\}/g, (_, at: string) => String(args[Number(at)]));
}

let numbers: Intl.NumberFormat | undefined;

/** Grouped as the language does it. Made when first needed: a page's first format takes 30 ms. */
export const spellNumber = (value: number): string =>
  (numbers ??= new Intl.NumberFormat(language)).format(value);

/** A number that is given in digits, all of its whole part and up to 12 behind the point. */
export const spellDigits = (digits: string): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 12 }).format(digits as `${number}`);

/** The number with as many decimals as that. */
export const spellDecimals = (value: number, decimals: number): string =>
  value.toLocaleString(language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: false,
  });

/** US dollars. */
export const spellPrice = (usd: number): string => priceText(language, usd);

/** A moment, in milliseconds since the epoch. */
export const spellMoment = (ms: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(ms);

/** How long something took, in milliseconds. */
export const spellDuration = (ms: number): string => durationText(language, ms, t);

const keyNames: Readonly<Record<string, string>> = {
  Ctrl: t('Ctrl'),
  Shift: t('Shift'),
  Alt: t('Alt'),
  Enter: t('Enter'),
  Backspace: t('Backspace'),
  Left: t('Left'),
  Right: t('Right'),
};

/** `Ctrl+Enter` as it is written on the keyboard. */
export const spellKeys = (keys: string): string =>
  keys
    .split('+')
    .map((key) => keyNames[key] ?? key)
    .join('+');
