/** Names that a file takes from another one beside it. */
import type { CodeLanguage } from './languages.ts';
import { stringLiteral } from './literals.ts';
import type { Tokens } from './tokens.ts';

export interface Import {
  /** As it is written: `./names`, `../prompts/names.js`, `.names`. */
  readonly from: string;
  /** What the other file calls it. */
  readonly name: string;
}

/** `import { NAME }`, `import { OTHER as NAME }`; of a package nothing is known. */
function scriptImport(tokens: Tokens, at: number, language: CodeLanguage): Import | undefined {
  const open = tokens.parent(at);
  const isImport =
    tokens.is(open - 1, 'import') || (tokens.is(open - 1, ',') && tokens.is(open - 3, 'import'));
  if (!tokens.is(open, '{') || !isImport) return undefined;
  const isAlias = tokens.is(at - 1, 'as');
  const first = isAlias ? at - 2 : at;
  const isWhole =
    (tokens.is(first - 1, '{') || tokens.is(first - 1, ',')) &&
    (tokens.is(at + 1, '}') || tokens.is(at + 1, ','));
  const end = tokens.partner(open);
  if (!isWhole || !tokens.isName(first) || !tokens.is(end + 1, 'from')) return undefined;
  const from = stringLiteral(tokens, end + 2, language)?.value;
  return from !== undefined && /^\.\.?\//.test(from)
    ? { from, name: tokens.textAt(first) }
    : undefined;
}

const longestImport = 200;

/** `from .names import NAME`, at the beginning of a line. */
function pythonImport(tokens: Tokens, at: number): Import | undefined {
  const isAlias = tokens.is(at - 1, 'as');
  const first = isAlias ? at - 2 : at;
  const before = tokens.textAt(first - 1);
  if (!tokens.isName(first) || !/^(?:import|,|\()$/.test(before)) return undefined;
  let statement = first - 1;
  const furthest = Math.max(0, first - longestImport);
  while (statement > furthest && !tokens.is(statement, 'import')) statement -= 1;
  let begin = statement;
  while (begin > furthest && !tokens.is(begin, 'from')) begin -= 1;
  const { text } = tokens;
  const from = tokens.from(begin);
  const isFirst = from === 0 || text[from - 1] === '\n';
  if (!tokens.is(statement, 'import') || !tokens.is(begin, 'from') || !isFirst) return undefined;
  const names = text.slice(tokens.from(statement), tokens.from(first)).replace(/#[^\n]*/g, '');
  // One statement: `import (a, b as c,` or `import a, b as c,`.
  const isOne = /^import(?:\s*\([\w\s,]*|(?:[\w \t,]|\\\r?\n)*)$/.test(names);
  const module = text.slice(tokens.to(begin), tokens.from(statement)).replace(/\s/g, '');
  return isOne && /^\.+\w+(?:\.\w+)*$/.test(module)
    ? { from: module, name: tokens.textAt(first) }
    : undefined;
}

/** The import that a name is bound by at a token; undefined: by none, or by one that is not followed. */
export const importAt = (tokens: Tokens, at: number, language: CodeLanguage): Import | undefined =>
  language === 'python' ? pythonImport(tokens, at) : scriptImport(tokens, at, language);

const scriptEndings = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'];
/** What is written of a file that is compiled. */
const compiled: Readonly<Record<string, readonly string[]>> = {
  js: ['ts', 'tsx'],
  jsx: ['tsx'],
  mjs: ['mts'],
  cjs: ['cts'],
};

/** Paths from the folder of the file, one of which it may be. */
export function importedPaths({ from }: Import, language: CodeLanguage): readonly string[] {
  if (language === 'python') {
    const dots = /^\.+/.exec(from)?.[0].length ?? 1;
    const path = `${'../'.repeat(dots - 1)}${from.slice(dots).replaceAll('.', '/')}`;
    return [`${path}.py`, `${path}/__init__.py`];
  }
  const [, stem = from, ending = ''] = /^(.*)\.([cm]?[jt]sx?)$/.exec(from) ?? [];
  if (ending !== '') {
    return [from, ...(compiled[ending] ?? []).map((other) => `${stem}.${other}`)];
  }
  return [
    ...scriptEndings.map((other) => `${from}.${other}`),
    ...scriptEndings.map((other) => `${from.replace(/\/$/, '')}/index.${other}`),
  ];
}
