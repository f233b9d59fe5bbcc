/** Which columns a piece of code reads from `data`. */
export interface CodeSources {
  readonly names: ReadonlySet<string>;
  /** `data` is used as a whole, so any column may be read. */
  readonly isOpen: boolean;
}

const MEMBER = /(?<![\w$.])data\s*\??\.\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)/gu;
const INDEX =
  /(?<![\w$.])data\s*(?:\?\.\s*)?\[\s*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`$\\]*)`)\s*\]/g;
const DESTRUCTURED = /\{([^{}]*)\}\s*=\s*data(?![\w$.[?])/g;
const FIELD = /^\s*(?:"([^"]*)"|'([^']*)'|([\p{ID_Start}$_][\p{ID_Continue}$]*))/u;

/** A reading of the text, not a parse: when in doubt the answer is "open", which is only slower. */
export function codeSources(code: string): CodeSources {
  const names = new Set<string>();
  const rest = code
    .replace(INDEX, (_, double?: string, single?: string, template?: string) => {
      names.add((double ?? single ?? template ?? '').replace(/\\(.)/g, '$1'));
      return ' ';
    })
    .replace(MEMBER, (_, name: string) => {
      names.add(name);
      return ' ';
    })
    .replace(DESTRUCTURED, (_, fields: string) => {
      for (const field of fields.split(',')) {
        const [, double, single, plain] = FIELD.exec(field) ?? [];
        const name = double ?? single ?? plain;
        names.add(name ?? '');
      }
      // `{...rest}` takes everything.
      return fields.includes('...') ? ' data ' : ' ';
    });
  return { names, isOpen: /(?<![\w$.])data(?![\w$])/.test(rest) };
}
