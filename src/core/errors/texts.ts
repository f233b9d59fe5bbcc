/**
 * Who reads a text, by the name of its field:
 *
 * - `text`: programs and people alike. The editor translates it; `node esbuild.mjs --contributions`
 *   collects it.
 * - `sdk`: programmers, since it names methods, paths or options. The editor must have words of its own.
 * - `program`: what only a mistake of the calling program, a model or a cancellation leads to. It is
 *   English everywhere.
 *
 * `{name}` is filled in. `bare` is the text when one of the values is empty.
 */
export type Entry =
  | { readonly text: string; readonly bare?: string }
  | { readonly sdk: string; readonly bare?: string }
  | { readonly program: string };

export type Entries = Readonly<Record<string, Entry>>;

type Value = string | number | readonly string[];

/** What is filled in, one meaning for each name: numbers, and lists; all else is text. */
type NumberName =
  'status' | 'seconds' | 'bytes' | 'count' | 'found' | 'given' | 'page' | 'megabytes';
type ListName = 'names' | 'known';
type ValueOf<Name> = Name extends NumberName
  ? number
  : Name extends ListName
    ? readonly string[]
    : string;

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string} ${string}` ? never : Name) | NamesIn<Rest>
  : never;
type TextOf<One> = One extends { readonly text: infer Text extends string }
  ? Text
  : One extends { readonly sdk: infer Text extends string }
    ? Text
    : One extends { readonly program: infer Text extends string }
      ? Text
      : never;

/** A kind of the table, and what its text is filled in with. */
export type Told<Table, Kind extends keyof Table> = {
  readonly [Name in 'kind' | NamesIn<TextOf<Table[Kind]>>]: Name extends 'kind'
    ? Kind
    : ValueOf<Name>;
};

/** The kinds for which the editor must have words of its own. */
export type SdkKind<Table> = {
  [Kind in keyof Table]: Table[Kind] extends { readonly sdk: string } ? Kind : never;
}[keyof Table];

const lists = new Map<string, Intl.ListFormat>();

/** `A, B, or C`: names to choose from. */
function choiceOf(names: readonly string[], language: string): string {
  const known = lists.get(language) ?? new Intl.ListFormat(language, { type: 'disjunction' });
  lists.set(language, known);
  return known.format(names);
}

function written(name: string, value: unknown, language: string): string {
  if (!Array.isArray(value)) return String(value);
  const texts = value.map(String);
  return name === 'names' ? choiceOf(texts, language) : texts.join(', ');
}

const twoEnds = /([.!?…。！？]["'”’)\]]*)[.。]$/u;

/** A text with its values. What others say may have its own full stop: there is one. */
export function fill(text: string, values: object, language = 'en'): string {
  const given = new Map<string, unknown>(Object.entries(values));
  return text
    .replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
      given.has(name) ? written(name, given.get(name), language) : whole,
    )
    .replace(twoEnds, '$1');
}

const isEmpty = (value: unknown): boolean => value === '';

/** The text of an entry that fits the values. */
export function textFor(entry: Entry, values: object): string {
  if ('bare' in entry && Object.values(values).some(isEmpty)) {
    return entry.bare;
  }
  return 'text' in entry ? entry.text : 'sdk' in entry ? entry.sdk : entry.program;
}

/** The same with its texts changed, such as without secrets. */
export function mapTexts<Said extends { readonly kind: string }>(
  said: Said,
  change: (text: string) => string,
): Said {
  const changed = (value: Value): Value => {
    if (typeof value === 'string') return change(value);
    return typeof value === 'number' ? value : value.map(change);
  };
  const fields = Object.entries(said as Readonly<Record<string, Value>>).map(([name, value]) => [
    name,
    name === 'kind' ? value : changed(value),
  ]);
  return Object.fromEntries(fields) as Said;
}
