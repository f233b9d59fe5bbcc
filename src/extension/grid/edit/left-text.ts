import type { Block } from '../../../protocol/grid-work.ts';
import type { CopiedCell } from '../copy/copy-formats.ts';
import { copyWriter } from '../copy/copy-formats.ts';

const copied = (text: string | null): CopiedCell => ({
  text: text ?? '',
  kind: text === null ? 'null' : text === '' ? 'empty' : 'text',
});

/** A block as the grid itself copies it. */
export function separatedText(block: Block): string {
  const writer = copyWriter('tsv', {
    titles: [],
    headers: false,
    formulaGuard: false,
    onGuarded: () => undefined,
  });
  const rows = block.map((cells) => writer.row(cells.map(copied)));
  return `${writer.start}${rows.join('')}${writer.end}`;
}
