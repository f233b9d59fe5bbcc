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
  String.raw`(?<![\w$.])data\s*(?:(?:\?\.)?\s*\[\s*${TEXT}\s*\]|\??\.\s*get\s*\(\s*${TEXT}\s*(?=[,)]))`,
  'g',
);
const DESTRUCTURED = /\{([^{}]*)\}\s*=\s*data(?![\w$.[?])/g;
const FIELD = /^\s*(?:"([^"]*)"|'([^']*)'|([\p{ID_Start}$_][\p{ID_Continue}$]*))/u;

/** A reading of the text, not a parse: when in doubt the answer is "open", which is only slower. */
export function codeSources(code: string): CodeSources {
  const names = new Set<string>();
  let isWhole = false;
  const rest = code
    .replace(INDEX, (...found: readonly (string | undefined)[]) => {
      const text = found.slice(1, 7).find((one) => typeof one === 'string') ?? '';
      names.add(text.replace(/\\(.)/g, '$1'));
      // What other escapes mean depends on the language.
      if (/\\[^"'\\]/.test(text.replaceAll('\\\\', ''))) isWhole = true;
      return ' ';
    })
    .replace(MEMBER, (_, name: string, call?: string) => {
      names.add(name);
      // A method of the whole: `data.get(title)`, `data.items()`.
      if (call !== undefined || name === 'get') isWhole = true;
      return ' ';
    })
    .replace(DESTRUCTURED, (_, fields: string) => {
      for (const field of fields.split(',')) {
        const [, double, single, plain] = FIELD.exec(field) ?? [];
        const name = double ?? single ?? plain;
        names.add(name ?? '');
        if (name === 'get') isWhole = true;
      }
      // `{...rest}` takes everything.
      if (fields.includes('...')) isWhole = true;
      return ' ';
    });
  return { names, isOpen: isWhole || /(?<![\w$.])data(?![\w$])/.test(rest) };
}
