/** Which columns a piece of code reads from `data`. */
export interface CodeSources {
  readonly names: ReadonlySet<string>;
  /** `data` is used as a whole, so any column may be read. */
  readonly isOpen: boolean;
}

const MEMBER =
  /(?<![\w$.])data\s*\??\.\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)(\s*(?:\?\.\s*)?\()?/gu;
const TEXT = String.raw`(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|\`([^\`$\\]*)\`)`;
/** `data["title"]`, and `data.get("title")` with or without what it is when it is missing. */
const INDEX = new RegExp(
  String.raw`(?<![\w$.])data\s*(?:(?:\?\.\s*)?\[\s*${TEXT}\s*\]|\??\.\s*get\s*\(\s*${TEXT}\s*(?=[,)]))`,
  'g',
);
const DESTRUCTURED = /\{([^{}]*)\}\s*=\s*data(?![\w$.[?])/g;
const FIELD = /^\s*(?:"([^"]*)"|'([^']*)'|([\p{ID_Start}$_][\p{ID_Continue}$]*))/u;

/** In the place of what may read any column; nothing else takes it for a place of its own. */
const WHOLE = ' (data); ';

/** A reading of the text, not a parse: when in doubt the answer is "open", which is only slower. */
export function codeSources(code: string): CodeSources {
  const names = new Set<string>();
  const rest = code
    .replace(INDEX, (...found: readonly (string | undefined)[]) => {
      const text = found.slice(1, 7).find((one) => typeof one === 'string') ?? '';
      names.add(text.replace(/\\(.)/g, '$1'));
      // What other escapes mean depends on the language.
      return /\\[^"'\\]/.test(text.replaceAll('\\\\', '')) ? WHOLE : ' ';
    })
    .replace(MEMBER, (_, name: string, call?: string) => {
      names.add(name);
      // A method of the whole: `data.get(title)`, `data.items()`.
      return call !== undefined || name === 'get' ? WHOLE : ' ';
    })
    .replace(DESTRUCTURED, (_, fields: string) => {
      for (const field of fields.split(',')) {
        const [, double, single, plain] = FIELD.exec(field) ?? [];
        const name = double ?? single ?? plain;
        names.add(name ?? '');
      }
      // `{...rest}` takes everything, and `{get}` any of it.
      return fields.includes('...') || names.has('get') ? WHOLE : ' ';
    });
  return { names, isOpen: /(?<![\w$.])data(?![\w$])/.test(rest) };
}
