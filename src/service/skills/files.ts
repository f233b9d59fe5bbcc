import { createHash } from 'node:crypto';
import { invalid } from '../http/problem.ts';
import { cleanText } from '../store/clean-json.ts';

/** Contents by path. */
export type Files = ReadonlyMap<string, string>;

const MOST_FILES = 1000;
const MOST_CHARACTERS = 10_000_000;
const MOST_FILE_CHARACTERS = 1_000_000;
const LONGEST_PATH = 512;

export const hashOf = (content: string): string =>
  createHash('sha256').update(content).digest('hex');

/** A path below the root of the collection, as it may be unpacked on any machine. */
function checkedPath(sent: string): string {
  const path = cleanText(sent);
  const parts = path.split('/');
  const isSafe =
    path.length <= LONGEST_PATH &&
    !/[\\\p{Cc}]|^[a-z]:/iu.test(path) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (isSafe) return path;
  throw invalid(
    `"${path.slice(0, 100)}" isn't a path of a file: give names with "/" between them, ${String(LONGEST_PATH)} characters at most, none of them "." or "..".`,
  );
}

export interface Changes {
  readonly moves?: readonly { readonly old_path: string; readonly new_path: string }[] | undefined;
  readonly deletes?: readonly string[] | undefined;
  readonly updates?:
    readonly { readonly path: string; readonly content?: string | undefined }[] | undefined;
}

/** The files after moves, deletions and updates, in this order. Throws a 400 for what can't be. */
export function changed(before: Files, { moves, deletes, updates }: Changes): Files {
  const files = new Map(before);
  for (const { old_path: from, new_path: to } of moves ?? []) {
    const target = checkedPath(to);
    const content = files.get(cleanText(from));
    if (content === undefined) throw invalid(`There is no file "${from}" to move.`);
    files.delete(cleanText(from));
    if (files.has(target)) throw invalid(`There is a file "${target}" already.`);
    files.set(target, content);
  }
  for (const path of deletes ?? []) {
    if (!files.delete(cleanText(path))) throw invalid(`There is no file "${path}" to delete.`);
  }
  for (const { path, content = '' } of updates ?? []) {
    files.set(checkedPath(path), cleanText(content));
  }
  checkSize(files);
  return sorted(files);
}

/** In the order of their paths, which databases differ in. */
export const sorted = (files: Files): Files =>
  new Map([...files].sort(([left], [right]) => (left < right ? -1 : 1)));

function checkSize(files: Files): void {
  if (files.size > MOST_FILES) {
    throw invalid(`A skill collection has at most ${String(MOST_FILES)} files.`);
  }
  let all = 0;
  for (const [path, content] of files) {
    all += content.length;
    if (content.length > MOST_FILE_CHARACTERS) {
      throw invalid(`"${path}" has more than the 1,000,000 characters of a file.`);
    }
    // What is a file can not be a folder too: it could not be unpacked.
    const parts = path.split('/');
    for (let length = 1; length < parts.length; length += 1) {
      const folder = parts.slice(0, length).join('/');
      if (files.has(folder)) throw invalid(`"${folder}" can't be a file and a folder.`);
    }
  }
  if (all > MOST_CHARACTERS) {
    throw invalid('The files of a skill collection have at most 10,000,000 characters.');
  }
}
