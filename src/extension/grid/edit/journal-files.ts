/** The files of journals: one folder for each sheet, one file in it for each window. */
import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Contents, JournalHead } from './journal-records.ts';
import { readJournal } from './journal-records.ts';
import { isRunningProcess } from '../../shell/running-process.ts';
import { ifThere } from '../../shell/if-there.ts';

/** An owner that has not touched its file for this long is gone, even if its pid is in use again. */
const silenceMs = 60_000;
/** In the place of the owner's pid: whoever comes next may take it. */
export const closedMark = 'closed';
/** The file is written anew when more than this, and more than half of it, is out of date. */
export const toleratedWaste = 1_048_576;

export const isJournal = (name: string): boolean => /\.(?:log|json)$/.test(name);

/** Whether the window that wrote a file is still at it. */
export async function isOwned(
  folder: string,
  name: string,
  isRunning: (pid: number) => boolean,
): Promise<boolean> {
  const [owner = ''] = name.split('-');
  if (owner === closedMark || !isRunning(Number(owner))) return false;
  return Date.now() - (await stat(path.join(folder, name))).mtimeMs < silenceMs;
}

export const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await ifThere(readdir(folder))) ?? [];

export const readFrom = async (
  file: string,
  isEnough?: (contents: Contents) => boolean,
): ReturnType<typeof readJournal> => readJournal(createReadStream(file), isEnough);

const holdsWork = ({ entries, works }: Contents): boolean => entries.size + works.size > 0;

/** Enough of it to know whether it holds work: a long one does, or it would have been written anew. */
async function startOf(file: string): Promise<Contents> {
  const isLong = (await stat(file)).size > 2 * toleratedWaste;
  return (await readFrom(file, (contents) => isLong && holdsWork(contents))).contents;
}

/** Sheets with work that no running window is at; drafts wait until their sheet is opened. */
export async function sheetsLeftBehind(
  root: string,
  isRunning: (pid: number) => boolean = isRunningProcess,
): Promise<readonly JournalHead[]> {
  const found = new Map<string, JournalHead>();
  for (const sheet of await namesIn(root)) {
    const folder = path.join(root, sheet);
    for (const name of (await namesIn(folder)).filter(isJournal)) {
      if ((await ifThere(isOwned(folder, name, isRunning))) !== false) continue;
      const contents = await ifThere(startOf(path.join(folder, name)));
      if (contents?.head !== undefined && holdsWork(contents)) found.set(sheet, contents.head);
    }
  }
  return [...found.values()];
}

/** Of a workspace that is removed: drafts, too. */
export async function removeJournals(root: string, connectionId: string): Promise<void> {
  for (const sheet of await namesIn(root)) {
    const folder = path.join(root, sheet);
    for (const name of (await namesIn(folder)).filter(isJournal)) {
      const file = path.join(folder, name);
      const read = await ifThere(readFrom(file, ({ head }) => head !== undefined));
      if (read?.contents.head?.connectionId === connectionId) await rm(file, { force: true });
    }
  }
}

/**
 * Cells, works and texts being typed that a workspace has not taken, in all sheets but those of
 * `except`: left by closed tabs and by other windows.
 */
export async function countInJournals(
  root: string,
  connectionId: string,
  except: ReadonlySet<string>,
): Promise<number> {
  let count = 0;
  for (const sheet of (await namesIn(root)).filter((name) => !except.has(name))) {
    const folder = path.join(root, sheet);
    for (const name of (await namesIn(folder)).filter(isJournal)) {
      const read = await ifThere(readFrom(path.join(folder, name)));
      if (read?.contents.head?.connectionId !== connectionId) continue;
      const { entries, works, draft } = read.contents;
      count += entries.size + works.size + (draft === null ? 0 : 1);
    }
  }
  return count;
}
