import assert from 'node:assert/strict';
import {
  mergeLines,
  openConflicts,
  withSide,
} from '../../../../src/extension/prompts/text/three-way.ts';

/** Numbers that are the same in each run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Few words, so that equal lines stand in many places. */
const words = ['a', 'b', 'c', '', 'd'];

function edited(lines: readonly string[], roll: (sides: number) => number, own: string): string[] {
  const result: string[] = [];
  for (const line of lines) {
    const what = roll(8);
    if (what === 0) continue;
    if (what === 1) result.push(`${own}${roll(3)}`);
    else if (what === 2) result.push(line, roll(2) === 0 ? `${own}+` : (words[roll(5)] ?? ''));
    else result.push(line);
  }
  return result;
}

const triples = (count: number) =>
  Array.from({ length: count }, (_, seed) => {
    const roll = dice(seed + 1);
    const base = Array.from({ length: 1 + roll(14) }, () => words[roll(5)] ?? '');
    return { seed, roll, base, mine: edited(base, roll, 'M'), theirs: edited(base, roll, 'T') };
  });

describe('three texts brought together', () => {
  it('take time that grows with their length, and keep what they have in common', () => {
    const numbered = (word: string): string[] =>
      Array.from({ length: 8000 }, (_, at) => `${word} ${String(at)}`);
    const framed = (word: string): string[] => ['first', ...numbered(word), 'last'];
    const began = process.cpuUsage();
    const merge = mergeLines(framed('a'), framed('b'), framed('c'));
    assert.deepEqual([merge.conflicts[0]?.from, merge.conflicts[0]?.to], [1, 8001]);
    assert.equal(openConflicts(merge, [...merge.lines, 'more']).length, 1);
    assert.deepEqual(withSide(merge, merge.lines, 'theirs'), framed('c'));
    openConflicts(merge, numbered('d'));
    const { user, system } = process.cpuUsage(began);
    // With four times the edits it took a minute and more, which VS Code waited for.
    assert.ok((user + system) / 1000 < 8000, `${String((user + system) / 1000)} ms`);
  });

  it('are the base where both have changed the same lines, and each change else', () => {
    const merge = mergeLines(
      ['one', 'two', 'three', 'four', 'five', 'six'],
      ['one', 'TWO', 'three', 'four', 'mine', 'six'],
      ['one', 'two', 'three', 'four', 'theirs', 'six', 'seven'],
    );
    assert.deepEqual(merge.lines, ['one', 'TWO', 'three', 'four', 'five', 'six', 'seven']);
    assert.deepEqual(merge.conflicts, [
      { from: 4, to: 5, base: ['five'], mine: ['mine'], theirs: ['theirs'] },
    ]);
  });

  it('are a conflict where both have put other lines in the same place', () => {
    const merge = mergeLines(['a', 'b'], ['a', 'mine', 'b'], ['a', 'theirs', 'b']);
    assert.equal(merge.conflicts.length, 1);
    assert.equal(openConflicts(merge, merge.lines).length, 1);
    assert.equal(openConflicts(merge, ['a', 'mine', 'theirs', 'b']).length, 0);
  });

  it('leave a conflict open when only a line beside it was changed or put in', () => {
    const merge = mergeLines(['x', 'five', 'y'], ['x', 'mine', 'y'], ['x', 'theirs', 'y']);
    for (const text of [
      ['X', 'five', 'y'],
      ['x', 'five', 'Y'],
      ['x', 'note', 'five', 'y'],
      ['x', 'five', 'note', 'y'],
      ['five'],
      ['x', 'five'],
    ]) {
      assert.equal(openConflicts(merge, text).length, 1, text.join(' '));
    }
    for (const text of [
      ['x', 'mine', 'y'],
      ['x', 'theirs', 'y'],
      ['x', 'mine', 'theirs', 'y'],
      ['x', 'something else', 'y'],
      ['x', 'y'],
    ]) {
      assert.equal(openConflicts(merge, text).length, 0, text.join(' '));
    }
  });

  it('begin with all conflicts open, lose no line of one side alone, and are decided by a side', () => {
    let conflicts = 0;
    for (const { seed, base, mine, theirs } of triples(5000)) {
      const merge = mergeLines(base, mine, theirs);
      conflicts += merge.conflicts.length;
      const what = JSON.stringify({ seed, base, mine, theirs });
      assert.equal(openConflicts(merge, merge.lines).length, merge.conflicts.length, what);
      for (const side of ['mine', 'theirs'] as const) {
        const text = withSide(merge, merge.lines, side);
        const whole = [...merge.lines];
        for (const { from, to, [side]: chosen } of merge.conflicts.toReversed()) {
          whole.splice(from, to - from, ...chosen);
        }
        assert.deepEqual(text, whole, what);
      }
      if (merge.conflicts.length === 0) {
        // What nobody else has touched is in the outcome.
        const own = (lines: readonly string[]) => lines.filter((line) => /^[MT]/.test(line));
        for (const line of [...own(mine), ...own(theirs)]) {
          assert.ok(merge.lines.includes(line), what);
        }
      }
      assert.deepEqual(mergeLines(base, mine, mine).lines, mine, what);
      assert.deepEqual(mergeLines(base, base, theirs).lines, theirs, what);
    }
    assert.ok(conflicts > 2500, `${conflicts} conflicts`);
  });

  it('count a conflict as decided only where its own lines were changed', () => {
    let decided = 0;
    for (const { seed, roll, base, mine, theirs } of triples(5000)) {
      const merge = mergeLines(base, mine, theirs);
      if (merge.conflicts.length === 0) continue;
      // Some are decided, in words that stand nowhere else; the others must stay open.
      const chosen = merge.conflicts.map(() => roll(2) === 0);
      const text = [...merge.lines];
      merge.conflicts.forEach((_, index) => {
        const at = merge.conflicts.length - 1 - index;
        const conflict = merge.conflicts[at];
        if (conflict === undefined || chosen[at] !== true) return;
        text.splice(conflict.from, conflict.to - conflict.from, `decided ${at}`);
      });
      const open = openConflicts(merge, text);
      const wanted = chosen.filter((isDecided) => !isDecided).length;
      const what = JSON.stringify({ seed, base, mine, theirs, chosen, text });
      assert.ok(open.length >= wanted, what);
      decided += merge.conflicts.length - open.length;
    }
    assert.ok(decided > 1000, `${decided} were seen as decided`);
  });
});
