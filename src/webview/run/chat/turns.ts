import type { ChatTurn, ChatView } from '../../../protocol/chat.ts';

/** Turns that another one has taken the place of, with all that followed them. */
export interface Superseded {
  /** The turn that stood there. */
  readonly root: number;
  readonly turns: readonly ChatTurn[];
}

/** What is shown, from the first turn on: what is said, and before each turn what it has superseded. */
type Shown =
  | { readonly kind: 'turn'; readonly turn: ChatTurn }
  | { readonly kind: 'superseded'; readonly branch: Superseded };

/** In one pass over the turns and their branches. */
export function shownTurns({ turns, head }: Pick<ChatView, 'turns' | 'head'>): readonly Shown[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const path: ChatTurn[] = [];
  for (let at = head; at !== null;) {
    const turn = byId.get(at);
    if (turn === undefined) break;
    path.push(turn);
    at = turn.parent;
  }
  path.reverse();
  const isSaid = new Set(path.map(({ id }) => id));
  // Parents stand before their children: each branch is known when its turns come.
  const branches = new Map<number, ChatTurn[]>();
  const rootOf = new Map<number, number>();
  for (const turn of turns) {
    if (isSaid.has(turn.id)) continue;
    const root = (turn.parent !== null && rootOf.get(turn.parent)) || turn.id;
    rootOf.set(turn.id, root);
    const branch = branches.get(root);
    if (branch === undefined) branches.set(root, [turn]);
    else branch.push(turn);
  }
  const after = new Map<number | null, Shown[]>();
  for (const [root, list] of branches) {
    const parent = byId.get(root)?.parent ?? null;
    const shown: Shown = { kind: 'superseded', branch: { root, turns: list } };
    const others = after.get(parent);
    if (others === undefined) after.set(parent, [shown]);
    else others.push(shown);
  }
  return [
    ...(after.get(null) ?? []),
    ...path.flatMap((turn): Shown[] => [{ kind: 'turn', turn }, ...(after.get(turn.id) ?? [])]),
  ];
}
