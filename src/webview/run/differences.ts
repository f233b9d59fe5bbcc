import { diffWordsWithSpace } from 'diff';

/** Longer answers are read one by one: comparing them would hold the page up. */
const longest = 200_000;
const patienceMs = 300;

interface Piece {
  readonly node: Text;
  readonly from: number;
}

/** The text of an element, and where in it each of its text nodes begins. */
function textOf(element: Element): { readonly text: string; readonly pieces: readonly Piece[] } {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const pieces: Piece[] = [];
  let text = '';
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    // What stands there instead of an answer is none.
    if (!(node instanceof Text) || node.parentElement?.closest('[hidden]') !== null) continue;
    pieces.push({ node, from: text.length });
    // Blocks end with their line.
    text += `${node.data}\n`;
  }
  return { text, pieces };
}

function rangesOf(pieces: readonly Piece[], from: number, to: number): readonly Range[] {
  return pieces.flatMap(({ node, from: begin }) => {
    const start = Math.max(from - begin, 0);
    const end = Math.min(to - begin, node.length);
    if (start >= end) return [];
    const range = new Range();
    range.setStart(node, start);
    range.setEnd(node, end);
    return [range];
  });
}

/** Takes away what `markDifferences` has marked. */
export function clearDifferences(): void {
  CSS.highlights.delete('only-here');
  CSS.highlights.delete('only-there');
}

/** Marks the words that only one of two answers has; gives how many places differ, undefined: too long. */
export function markDifferences(here: Element, there: Element): number | undefined {
  clearDifferences();
  const [one, other] = [textOf(here), textOf(there)];
  if (one.text.length + other.text.length > longest) return undefined;
  const parts = diffWordsWithSpace(one.text, other.text, { timeout: patienceMs });
  if (parts === undefined) return undefined;
  const marked = { here: new Highlight(), there: new Highlight() };
  let [atHere, atThere, places] = [0, 0, 0];
  let wasSame = true;
  for (const { value, added, removed } of parts) {
    const { length } = value;
    const isSame = !added && !removed;
    if (removed) {
      for (const range of rangesOf(one.pieces, atHere, atHere + length)) marked.here.add(range);
    } else if (added) {
      for (const range of rangesOf(other.pieces, atThere, atThere + length)) {
        marked.there.add(range);
      }
    }
    if (!isSame && wasSame) places += 1;
    wasSame = isSame;
    if (!added) atHere += length;
    if (!removed) atThere += length;
  }
  CSS.highlights.set('only-here', marked.here);
  CSS.highlights.set('only-there', marked.there);
  return places;
}
