import type { CodeCall } from './call.ts';
import type { Import } from './imports.ts';
import { importedPaths } from './imports.ts';
import type { CodeLanguage } from './languages.ts';
import { languageOfFile } from './languages.ts';
import type { Slices } from './scan.ts';
import { callsInSlices, exportedText } from './scan.ts';

/** A file of names is short; it is read at once. */
export const longestImported = 100_000;
const mostImports = 50;

/** The files around the one that is read. */
export interface FilesBeside<File> {
  /** By a path from the folder of that file; undefined: it is not one of those that may be read. */
  at(path: string): File | undefined;
  /** Undefined: there is none, or it is longer than `longestImported`. */
  textOf(file: File): Promise<string | undefined>;
  isThere(file: File): Promise<boolean>;
  /** Its path, and what names it. */
  pathOf(file: File): string;
  keyOf(file: File): string;
}

export interface ReadCalls {
  readonly calls: readonly CodeCall[];
  /** Files that they take names from, or would: when one of them changes, so may the calls. */
  readonly sources: readonly string[];
}

interface Reading<File> {
  readonly text: string;
  readonly language: CodeLanguage;
  readonly slices: Slices;
  readonly signal: AbortSignal;
  readonly callees: readonly string[];
  readonly files: FilesBeside<File>;
}

/** Undefined: there is none, or several of them, or it does not say. */
async function importedText<File>(
  files: FilesBeside<File>,
  candidates: readonly File[],
  name: string,
): Promise<string | undefined> {
  const isThere = await Promise.all(candidates.map((file) => files.isThere(file)));
  const [file, ...others] = candidates.filter((_, at) => isThere[at]);
  const language = file && languageOfFile(files.pathOf(file));
  if (file === undefined || others.length > 0 || language === undefined) return undefined;
  const text = await files.textOf(file);
  return text === undefined || text.length > longestImported
    ? undefined
    : exportedText(text, language, name);
}

const keyOf = ({ from, name }: Import): string => `${from} ${name}`;

/** The calls of a file, with the names that it takes from files beside it. */
export async function readCalls<File>(reading: Reading<File>): Promise<ReadCalls> {
  const { text, language, files, ...options } = reading;
  const asked = new Map<string, Import>();
  const first = await callsInSlices(text, language, {
    ...options,
    textOf: (imported) => {
      asked.set(keyOf(imported), imported);
      return undefined;
    },
  });
  const known = new Map<string, string>();
  const sources = new Set<string>();
  for (const [key, imported] of [...asked].slice(0, mostImports)) {
    const candidates = importedPaths(imported, language)
      .map((path) => files.at(path))
      .filter((file) => file !== undefined);
    for (const file of candidates) sources.add(files.keyOf(file));
    const value = await importedText(files, candidates, imported.name);
    if (value !== undefined) known.set(key, value);
  }
  if (known.size === 0) return { calls: first, sources: [...sources] };
  const calls = await callsInSlices(text, language, {
    ...options,
    textOf: (imported) => known.get(keyOf(imported)),
  });
  return { calls, sources: [...sources] };
}
