/** What the languages that prompts are asked for in have in common, and what not. */
export type CodeLanguage = 'script' | 'scriptWithElements' | 'python';

interface LanguageTable {
  /** Endings of files, without the dot. */
  readonly endings: readonly string[];
  /** As editors name it. */
  readonly ids: readonly string[];
}

/** TypeScript has casts in angle brackets where the others have elements (JSX). */
const tables: Readonly<Record<CodeLanguage, LanguageTable>> = {
  script: { endings: ['ts', 'mts', 'cts'], ids: ['typescript'] },
  scriptWithElements: {
    endings: ['tsx', 'js', 'jsx', 'mjs', 'cjs'],
    ids: ['typescriptreact', 'javascript', 'javascriptreact'],
  },
  python: { endings: ['py', 'pyi'], ids: ['python'] },
};

const all = Object.keys(tables) as readonly CodeLanguage[];

export const codeLanguageIds: readonly string[] = all.flatMap((language) => tables[language].ids);
export const codeEndings: readonly string[] = all.flatMap((language) => tables[language].endings);

export const languageOfId = (id: string): CodeLanguage | undefined =>
  all.find((language) => tables[language].ids.includes(id));

export function languageOfFile(path: string): CodeLanguage | undefined {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return all.find((language) => tables[language].endings.includes(ending));
}

/** Files of these folders were made by programs, or belong to others. */
export const ignoredFolders: readonly string[] = [
  ...['node_modules', '.git', '.venv', 'venv', '__pycache__', 'site-packages', 'dist', 'build'],
  'out',
];
/** More are not looked through. */
export const mostCodeFiles = 20_000;
/** Longer ones are made by programs. */
export const longestCode = 1_000_000;

const words =
  /prompt_?name|workflow_?(?:name|id_or_name)|(?:run|Run)_?[wW]orkflow|templates\s*(?:\?\s*)?\.\s*get|prompt_?layer|prompt-tables/i;

/** Whether a text may ask for prompts at all: most files are not read any further. */
export const mayAskForPrompts = (text: string, callees: readonly string[] = []): boolean =>
  words.test(text) || callees.some((callee) => text.includes(callee.split('.').at(-1) ?? callee));
