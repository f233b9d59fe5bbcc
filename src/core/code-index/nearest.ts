/** How many signs have to be put in, left out, changed or swapped, at most `most`. */
function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let older: readonly number[] = [];
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1];
      let least = Math.min(
        (before[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (before[at - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      if (row > 1 && at > 1 && isSwapped) least = Math.min(least, (older[at - 2] ?? 0) + 1);
      next.push(least);
    }
    if (Math.min(...next) > most) return most + 1;
    older = before;
    before = next;
  }
  return before[other.length] ?? most + 1;
}

const longest = 200;

/** Names that somebody may have meant, the most likely first. */
export function nearestNames(name: string, names: Iterable<string>, most = 3): readonly string[] {
  const asked = name.toLowerCase().slice(0, longest);
  const furthest = Math.max(1, Math.min(4, Math.floor(asked.length / 3)));
  const found: { readonly name: string; readonly far: number }[] = [];
  for (const known of names) {
    const word = known.toLowerCase().slice(0, longest);
    const isEnd = word.endsWith(`/${asked}`) || asked.endsWith(`/${word}`);
    const far = isEnd ? 1 : distance(asked, word, furthest);
    if (far <= furthest) found.push({ name: known, far });
  }
  return found
    .sort((one, other) => one.far - other.far || (one.name < other.name ? -1 : 1))
    .slice(0, most)
    .map(({ name: known }) => known);
}

/** Whether all signs of a query stand in a name in their order, as VS Code looks for symbols. */
export function mayBeMeant(query: string, name: string): boolean {
  const text = name.toLowerCase();
  let at = 0;
  for (const sign of query.toLowerCase().replace(/\s/g, '')) {
    const found = text.indexOf(sign, at);
    if (found < 0) return false;
    at = found + sign.length;
  }
  return true;
}
