import { createHash } from 'node:crypto';
import * as z from 'zod';
import { unguardFormula } from '../../../core/exports/formula-guard.ts';
import type { Block } from '../../../protocol/grid-work.ts';
import { readSeparated } from './separated.ts';

/** How what was copied last from a grid is to be read: `text`, `null` and `empty` are one cell. */
export interface CopiedForm {
  readonly shape: 'text' | 'null' | 'empty' | 'block';
  readonly rows: number;
  /** Texts that look like formulas have a guard in front. */
  readonly isGuarded: boolean;
}

const Kept = z.object({
  shape: z.enum(['text', 'null', 'empty', 'block']),
  rows: z.int().min(0),
  isGuarded: z.boolean(),
  hash: z.string(),
  /** The text holds no carriage return: those on the clipboard are of the platform. */
  isPlainLines: z.boolean(),
});

/** Where it is kept for all windows: a `vscode.Memento`. */
export interface CopiedStore {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

const storeKey = 'promptTables.grid.copied';
const bareLines = (text: string): string => text.replaceAll('\r\n', '\n');
const hashOf = (text: string): string =>
  createHash('sha256').update(bareLines(text)).digest('base64');

/** Remembers what was put on the clipboard, by a hash: the text itself is nobody's business. */
export async function noteCopied(
  store: CopiedStore,
  text: string,
  form: CopiedForm | undefined,
): Promise<void> {
  const kept = form && {
    ...{ ...form, hash: hashOf(text), isPlainLines: !text.includes('\r') },
  };
  await store.update(storeKey, kept);
}

/** The cells that were copied, when this is the text of the last copy. */
export function readCopied(store: CopiedStore, text: string): Block | undefined {
  const read = Kept.safeParse(store.get(storeKey));
  if (!read.success || read.data.hash !== hashOf(text)) return undefined;
  const { shape, rows, isGuarded, isPlainLines } = read.data;
  const given = isPlainLines ? bareLines(text) : text;
  switch (shape) {
    case 'null':
      return [[null]];
    case 'empty':
      return [['']];
    case 'text':
      return [[given]];
    case 'block': {
      const block = readSeparated(given, '\t').map((cells) =>
        isGuarded ? cells.map((cell) => (cell === null ? null : unguardFormula(cell))) : [...cells],
      );
      // Of a last row that is one empty cell only the line end before it is there.
      while (block.length < rows) block.push(['']);
      return block;
    }
  }
}
