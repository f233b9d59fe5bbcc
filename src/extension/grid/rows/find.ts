import { holdsText } from '../../../core/holds-text.ts';
import type { FindRequest, FindResult } from '../../../protocol/grid-work.ts';
import { mostHits } from '../../../protocol/grid-work.ts';
import { pageSize } from '../../../protocol/grid-cells.ts';
import { Pattern } from './pattern.ts';
import { everyPage, scanPages } from './scan.ts';
import type { SheetState } from './sheet-state.ts';
import type { Translate } from '../../shell/translate.ts';

interface Test {
  (texts: readonly string[], signal: AbortSignal): Promise<readonly boolean[]>;
}

/** Position among all rows -> place on screen; undefined: the filter hides it. */
function placer({ shown: { view } }: SheetState): (position: number) => number | undefined {
  if (view === undefined) return (position) => position;
  const places = new Map<number, number>();
  for (const [place, position] of view.positions.entries()) places.set(position, place);
  return (position) => places.get(position);
}

const inReadingOrder = (
  [row, column]: readonly [number, number],
  [otherRow, otherColumn]: readonly [number, number],
): number => row - otherRow || column - otherColumn;

/** Looks for a text in the rows on screen: those that are loaded, or all of them. */
export async function findInSheet(
  state: SheetState,
  { text, isPattern, matchCase, columnIds, scope }: FindRequest,
  t: Translate,
  signal: AbortSignal,
  onProgress: (scanned: number) => void,
): Promise<FindResult> {
  const { pages, shown } = state;
  const columns = columnIds.map((id) => state.columnOf(id));
  const placeOf = placer(state);
  const hits: (readonly [number, number])[] = [];
  let count = 0;
  let scanned = 0;
  const pattern = isPattern ? new Pattern(text, matchCase ? 'u' : 'iu', t) : undefined;
  const lower = text.toLowerCase();
  const plain: Test = async (texts) =>
    texts.map((each) => (matchCase ? holdsText(each, text) : holdsText(each.toLowerCase(), lower)));
  const test: Test = (texts, stop) => pattern?.test(texts, stop) ?? plain(texts, stop);
  const numbers = scope === 'all' ? everyPage(pages) : pages.loaded;
  try {
    for await (const grid of scanPages({ pages, columns, numbers, isWhole: true }, signal)) {
      const places = grid.rowIndices.map((_, place) => placeOf(grid.page * pageSize + place));
      for (const [index, { id }] of columns.entries()) {
        const isHit = await test(grid.columns[id]?.text ?? [], signal);
        for (const [at, place] of places.entries()) {
          if (place === undefined || !isHit[at]) continue;
          count += 1;
          // A view is in another order than the scan: which hits come first is known at its end.
          if (shown.view !== undefined || hits.length < mostHits) hits.push([place, index]);
        }
      }
      scanned += places.filter((place) => place !== undefined).length;
      onProgress(scanned);
    }
  } finally {
    await pattern?.close();
  }
  hits.sort(inReadingOrder);
  return { hits: hits.slice(0, mostHits), count, scanned, total: shown.count };
}
