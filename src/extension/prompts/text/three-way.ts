import { diffArrays } from 'diff';

type Lines = readonly string[];

/** Lines `from` to `to` of the one text, and what stands there in the other. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly lines: Lines;
}

/** Both sides have changed the same lines, each in its own way. */
export interface Conflict {
  /** Lines of the text of the merge that this is open in: at first those of the base. */
  readonly from: number;
  readonly to: number;
  readonly base: Lines;
  readonly mine: Lines;
  readonly theirs: Lines;
}

export interface ThreeWay {
  /** With what only one side has changed; where both have, the base. */
  readonly lines: Lines;
  readonly conflicts: readonly Conflict[];
}

/**
 * Longer comparisons are given up: what is not compared counts as changed. Their time grows with
 * the square of the edits, and the extension host waits for it.
 */
const mostEdits = 1500;

export const linesOf = (text: string): Lines => text.split(/\r?\n/);

const isSame = (one: Lines, other: Lines): boolean =>
  one.length === other.length && one.every((line, at) => line === other[at]);

/** All between the lines that both begin and end with. */
function onlyHunk(one: Lines, other: Lines): Hunk {
  const most = Math.min(one.length, other.length);
  let [start, end] = [0, 0];
  while (start < most && one[start] === other[start]) start += 1;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return {
    from: start,
    to: one.length - end,
    lines: other.slice(start, other.length - end),
  };
}

function hunksOf(one: Lines, other: Lines): readonly Hunk[] {
  const parts = diffArrays([...one], [...other], { maxEditLength: mostEdits });
  if (parts === undefined) return [onlyHunk(one, other)];
  const hunks: Hunk[] = [];
  let at = 0;
  let isOpen = false;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      at += value.length;
      isOpen = false;
      continue;
    }
    const last = isOpen ? hunks.pop() : undefined;
    const { from = at, lines = [] } = last ?? {};
    if (removed) at += value.length;
    hunks.push({ from, to: at, lines: added ? [...lines, ...value] : lines });
    isOpen = true;
  }
  return hunks;
}

/** The same from the end, which pairs equal lines differently. */
function hunksFromEnd(one: Lines, other: Lines): readonly Hunk[] {
  const { length } = one;
  return hunksOf(one.toReversed(), other.toReversed())
    .map(({ from, to, lines }) => ({
      from: length - to,
      to: length - from,
      lines: lines.toReversed(),
    }))
    .toReversed();
}

interface Group {
  from: number;
  to: number;
  readonly mine: Hunk[];
  readonly theirs: Hunk[];
}

/** Hunks of both sides; those that touch each other are one group, as in git. */
function grouped(mine: readonly Hunk[], theirs: readonly Hunk[]): readonly Group[] {
  const all = [
    ...mine.map((hunk) => ({ side: 'mine' as const, hunk })),
    ...theirs.map((hunk) => ({ side: 'theirs' as const, hunk })),
  ].toSorted((a, b) => a.hunk.from - b.hunk.from || a.hunk.to - b.hunk.to);
  const groups: Group[] = [];
  for (const { side, hunk } of all) {
    const last = groups.at(-1);
    if (last !== undefined && hunk.from <= last.to) {
      last.to = Math.max(last.to, hunk.to);
      last[side].push(hunk);
    } else {
      const { from, to } = hunk;
      const group: Group = { from, to, mine: [], theirs: [] };
      group[side].push(hunk);
      groups.push(group);
    }
  }
  return groups;
}

/** What one side has made of the lines of a group. */
function sideOf(base: Lines, { from, to }: Group, hunks: readonly Hunk[]): Lines {
  const lines: string[] = [];
  let at = from;
  for (const hunk of hunks) {
    lines.push(...base.slice(at, hunk.from), ...hunk.lines);
    at = hunk.to;
  }
  return [...lines, ...base.slice(at, to)];
}

/** Brings together what two sides have made of one text. */
export function mergeLines(base: Lines, mine: Lines, theirs: Lines): ThreeWay {
  const lines: string[] = [];
  const conflicts: Conflict[] = [];
  let at = 0;
  for (const group of grouped(hunksOf(base, mine), hunksOf(base, theirs))) {
    lines.push(...base.slice(at, group.from));
    at = group.to;
    const before = base.slice(group.from, group.to);
    const ours = sideOf(base, group, group.mine);
    const others = sideOf(base, group, group.theirs);
    if (group.theirs.length === 0 || isSame(ours, others)) lines.push(...ours);
    else if (group.mine.length === 0) lines.push(...others);
    else {
      const from = lines.length;
      lines.push(...before);
      conflicts.push({ from, to: lines.length, base: before, mine: ours, theirs: others });
    }
  }
  lines.push(...base.slice(at));
  return { lines, conflicts };
}

const placesOf = (block: Lines, text: Lines): readonly number[] =>
  [...text.keys()].filter((at) => block.every((line, index) => line === text[at + index]));

/** Where a block of lines stands in a text; -1: nowhere. */
const placeOf = (block: Lines, text: Lines): number => placesOf(block, text)[0] ?? -1;

/** Where the base of a conflict still stands in an edited text. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Undefined: something was decided there. */
function openSpan(
  { from, to, base, mine, theirs }: Conflict,
  edited: Lines,
  hunks: readonly Hunk[],
): Span | undefined {
  let [start, end] = [from, to];
  let [shift, growth] = [0, 0];
  let isTouched = false;
  for (const hunk of hunks) {
    const more = hunk.lines.length - (hunk.to - hunk.from);
    const isInsertion = hunk.from === hunk.to;
    const isHere = isInsertion
      ? hunk.from >= from && hunk.from <= to
      : hunk.from < to && hunk.to > from;
    if (isHere) {
      isTouched = true;
      start = Math.min(start, hunk.from);
      end = Math.max(end, hunk.to);
      growth += more;
    } else if (hunk.to <= from) shift += more;
  }
  if (!isTouched) return { from: from + shift, to: to + shift };
  if (base.length === 0) return undefined;
  // The base among what was put there: one of the outcomes may hold it, else nothing says so.
  const whole = edited.slice(start + shift, end + shift + growth);
  const at = placeOf(base, whole);
  if (at < 0) return undefined;
  const outcomes = [mine, theirs, [...mine, ...theirs], [...theirs, ...mine]];
  const isOutcome = outcomes.some(
    (lines) => placeOf(base, lines) >= 0 && placeOf(lines, whole) >= 0,
  );
  if (isOutcome) return undefined;
  return { from: start + shift + at, to: start + shift + at + base.length };
}

/** The base between the lines beside it, as often as before: however the lines are paired. */
function asBefore({ from, to }: Conflict, lines: Lines, edited: Lines): Span | undefined {
  const start = Math.max(0, from - 1);
  // A place that only one line tells is still there when something was put into it.
  if (from === to && (from === 0 || to === lines.length)) return undefined;
  const block = lines.slice(start, to + 1);
  const places = placesOf(block, edited);
  const [first] = places;
  if (first === undefined || places.length < placesOf(block, lines).length) return undefined;
  return { from: first + from - start, to: first + to - start };
}

/**
 * The conflicts of a merge that an edited text of it has not decided: their lines are still those
 * of the base. In doubt a conflict is open. Their places are those in the edited text.
 */
export function openConflicts({ lines, conflicts }: ThreeWay, edited: Lines): readonly Conflict[] {
  if (conflicts.length === 0) return [];
  const readings = [hunksOf(lines, edited), hunksFromEnd(lines, edited)];
  return conflicts.flatMap((conflict) => {
    const span =
      readings.map((hunks) => openSpan(conflict, edited, hunks)).find(Boolean) ??
      asBefore(conflict, lines, edited);
    return span === undefined ? [] : [{ ...conflict, ...span }];
  });
}

/** The edited text with one side in all conflicts that are still open. */
export function withSide(merge: ThreeWay, edited: Lines, side: 'mine' | 'theirs'): Lines {
  const lines = [...edited];
  const open = openConflicts(merge, edited).toSorted((a, b) => b.from - a.from);
  for (const { from, to, [side]: chosen } of open) lines.splice(from, to - from, ...chosen);
  return lines;
}
