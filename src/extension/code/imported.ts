import * as vscode from 'vscode';
import type { CodeCall } from '../../core/code-index/call.ts';
import type { Import } from '../../core/code-index/imports.ts';
import { importedPaths } from '../../core/code-index/imports.ts';
import type { CodeLanguage } from '../../core/code-index/languages.ts';
import { languageOfFile } from '../../core/code-index/languages.ts';
import type { Slices } from '../../core/code-index/scan.ts';
import { callsInSlices, exportedText } from '../../core/code-index/scan.ts';

/** A file of names is short; it is read at once. */
const longestImported = 100_000;
const mostImports = 50;

export interface ReadCalls {
  readonly calls: readonly CodeCall[];
  /** Files that they take names from, or would: when one of them changes, so may the calls. */
  readonly sources: readonly string[];
}

interface Reading {
  readonly uri: vscode.Uri;
  readonly text: string;
  readonly language: CodeLanguage;
  readonly slices: Slices;
  readonly signal: AbortSignal;
  readonly callees: readonly string[];
}

const isFile = async (uri: vscode.Uri): Promise<boolean> => {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    // What can't be looked at is not there, as far as it goes: its names are left alone.
    return false;
  }
};

/** Files of the folder that may be meant. */
function filesOf(
  { uri, language }: Pick<Reading, 'uri' | 'language'>,
  imported: Import,
): readonly vscode.Uri[] {
  const folder = vscode.Uri.joinPath(uri, '..');
  return importedPaths(imported, language)
    .map((path) => vscode.Uri.joinPath(folder, path))
    .filter((each) => vscode.workspace.getWorkspaceFolder(each) !== undefined);
}

/** Undefined: there is none, or several of them, or it does not say. */
async function importedText(
  files: readonly vscode.Uri[],
  name: string,
): Promise<string | undefined> {
  const isThere = await Promise.all(files.map(isFile));
  const [file, ...others] = files.filter((_, at) => isThere[at]);
  const language = file && languageOfFile(file.path);
  if (file === undefined || others.length > 0 || language === undefined) return undefined;
  const text = await textOf(file);
  return text === undefined || text.length > longestImported
    ? undefined
    : exportedText(text, language, name);
}

async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri.toString(),
  );
  if (open !== undefined) return open.getText();
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return bytes.byteLength > longestImported ? undefined : new TextDecoder().decode(bytes);
  } catch {
    // As one that isn't there.
    return undefined;
  }
}

const keyOf = ({ from, name }: Import): string => `${from} ${name}`;

/** The calls of a file, with the names that it takes from files beside it. */
export async function readCalls(reading: Reading): Promise<ReadCalls> {
  const { uri, text, language, ...options } = reading;
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
    const files = filesOf(reading, imported);
    for (const file of files) sources.add(file.toString());
    const value = await importedText(files, imported.name);
    if (value !== undefined) known.set(key, value);
  }
  if (known.size === 0) return { calls: first, sources: [...sources] };
  const calls = await callsInSlices(text, language, {
    ...options,
    textOf: (imported) => known.get(keyOf(imported)),
  });
  return { calls, sources: [...sources] };
}
