import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatTurn } from '../../../src/protocol/chat.ts';
import { shownTurns } from '../../../src/webview/run/chat/turns.ts';

const turn = (id: number, parent: number | null): ChatTurn => ({
  ...{ id, parent, results: [], parts: [], calls: [], isUsable: true },
  status: { runId: 1, state: 'done', elapsedMs: 1 },
});

describe('webview: turns of a conversation', () => {
  it('shows every turn once: what is said in its order, the rest where it was superseded', () => {
    const trees = fc.array(fc.nat(), { minLength: 1, maxLength: 40 }).map((parents) =>
      // Each follows one that was there before it, or begins.
      parents.map((nth, at) => turn(at + 1, nth % (at + 1) || null)),
    );
    fc.assert(
      fc.property(trees, fc.nat(), (turns, nth) => {
        const head = (nth % turns.length) + 1;
        const shown = shownTurns({ turns, head });
        const said = shown.flatMap((one) => (one.kind === 'turn' ? [one.turn] : []));
        assert.equal(said.at(-1)?.id, head);
        for (const [at, { parent }] of said.entries()) {
          assert.equal(parent, said[at - 1]?.id ?? null);
        }
        let before: number | null = null;
        const all: number[] = [];
        for (const one of shown) {
          if (one.kind === 'turn') {
            before = one.turn.id;
            all.push(one.turn.id);
            continue;
          }
          const { root, turns: branch } = one.branch;
          assert.equal(turns[root - 1]?.parent ?? null, before);
          assert.equal(branch[0]?.id, root);
          all.push(...branch.map(({ id }) => id));
        }
        assert.deepEqual(
          all.toSorted((a, b) => a - b),
          turns.map(({ id }) => id),
        );
      }),
    );
  });
});
