import * as z from 'zod';
import { unguardFormula } from '../../../core/exports/formula-guard.ts';
import type { Block } from '../../../protocol/grid-work.ts';
import type { CopiedStore } from './note-copied.ts';
import { bareLines, hashOf, storeKey } from './note-copied.ts';
import { readSeparated } from './separated.ts';

const Kept = z.object({
  shape: z.enum(['text', 'null', 'empty', 'block']),
  rows: z.int().min(0),
  isGuarded: z.boolean(),
  hash: z.string(),
  /** The text holds no carriage return: those on the clipboard are of the platform. */
  isPlainLines: z.boolean(),
});

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
