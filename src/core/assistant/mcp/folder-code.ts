import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { CallIndex } from '../../code-index/call-index.ts';
import type { FilesBeside } from '../../code-index/imported.ts';
import { longestImported, readCalls } from '../../code-index/imported.ts';
import {
  ignoredFolders,
  languageOfFile,
  longestCode,
  mostCodeFiles,
} from '../../code-index/languages.ts';
import { Slices } from '../../code-index/scan.ts';
import { ConfigurationError } from '../../errors.ts';
import type { FoundPlaces } from '../tool.ts';

const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'].includes(String(error.code));

/**
 * The code of a folder, read from its files each time somebody asks. Links are not followed: they may
 * lead out of the folder.
 */
export class FolderCode {
  readonly #root: string;
  readonly #slices = new Slices(() => setImmediate());

  private constructor(root: string) {
    this.#root = root;
  }

  static async open(folder: string): Promise<FolderCode> {
    try {
      const root = await realpath(folder);
      if ((await stat(root)).isDirectory()) return new FolderCode(root);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    throw new ConfigurationError({ kind: 'tool-call', words: `There is no folder "${folder}".` });
  }

  async find(asked: AbortSignal | undefined): Promise<FoundPlaces> {
    const signal = asked ?? new AbortController().signal;
    const index = new CallIndex();
    let isPartial = false;
    let count = 0;
    for await (const file of this.#files(signal)) {
      count += 1;
      isPartial = count > mostCodeFiles;
      if (isPartial) break;
      await this.#read(file, index, signal);
    }
    const places = [...index].map(({ file, range, kind, name, label }) => ({
      ...{ file, line: range.start.line + 1, kind, name, label },
    }));
    return { places, isPartial };
  }

  /** Of code, by their paths from the folder, with slashes on each system. */
  async *#files(signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    const folders = [''];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      signal.throwIfAborted();
      try {
        for await (const entry of await opendir(path.join(this.#root, folder))) {
          const inside = folder === '' ? entry.name : `${folder}/${entry.name}`;
          if (entry.isDirectory() && !ignoredFolders.includes(entry.name)) folders.push(inside);
          else if (entry.isFile() && languageOfFile(entry.name) !== undefined) yield inside;
        }
      } catch (error) {
        // Deleted meanwhile, or not to be read.
        if (!isGone(error)) throw error;
      }
    }
  }

  async #read(file: string, index: CallIndex, signal: AbortSignal): Promise<void> {
    const language = languageOfFile(file);
    const text = await this.#text(file, longestCode);
    if (language === undefined || text === undefined) return;
    const files = this.#beside(file);
    const reading = { text, language, slices: this.#slices, signal, callees: [], files };
    index.put(file, (await readCalls(reading)).calls, text);
  }

  /** Undefined: there is none, it is a link or leads out of the folder, or it is too long. */
  async #text(file: string, longest: number): Promise<string | undefined> {
    const whole = path.join(this.#root, file);
    let handle: FileHandle | undefined;
    try {
      // Folders on the way may have become links.
      if ((await realpath(whole)) !== whole) return undefined;
      handle = await open(whole, constants.O_RDONLY | constants.O_NOFOLLOW);
      const { size } = await handle.stat();
      return size > longest ? undefined : await handle.readFile('utf8');
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    } finally {
      await handle?.close();
    }
  }

  #beside(file: string): FilesBeside<string> {
    const text = (other: string): Promise<string | undefined> => this.#text(other, longestImported);
    return {
      at(beside) {
        const other = path.posix.join(path.posix.dirname(file), beside);
        return other.startsWith('..') || path.posix.isAbsolute(other) ? undefined : other;
      },
      textOf: text,
      isThere: async (other) => (await text(other)) !== undefined,
      pathOf: (other) => other,
      keyOf: (other) => other,
    };
  }
}
