import type { GraphNode } from '../../protocol/workflow.ts';

/** In pixels. */
export const nodeSize = { width: 240, height: 48 } as const;
const gap = { across: 20, down: 36 } as const;
/** Room for an edge that passes a row of nodes. */
const laneWidth = 12;
const margin = 12;
/** Each sweep brings nodes nearer to those that they are joined with. */
const sweeps = 4;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedNode {
  readonly node: GraphNode;
  /** Row from the top, place in it from the left. */
  readonly row: number;
  readonly place: number;
  /** Its upper left corner. */
  readonly at: Point;
}

export interface PlacedEdge {
  readonly from: string;
  readonly to: string;
  readonly isConditional: boolean;
  readonly points: readonly Point[];
}

export interface Layout {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

/** A node in its row, or the place where a long edge passes it. */
interface Slot {
  readonly node: GraphNode | undefined;
  readonly row: number;
  readonly above: Slot[];
  readonly below: Slot[];
  x: number;
}

/** Row of each node: below all that it waits for. A circle, which no service allows, is cut. */
function rowsOf(nodes: readonly GraphNode[]): ReadonlyMap<string, number> {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const rows = new Map<string, number>();
  const visit = (node: GraphNode, open: ReadonlySet<string>): number => {
    const known = rows.get(node.name);
    if (known !== undefined) return known;
    const inside = new Set([...open, node.name]);
    const before = node.after.flatMap((name) => {
      const one = byName.get(name);
      return one === undefined || inside.has(name) ? [] : [visit(one, inside)];
    });
    const row = before.length === 0 ? 0 : Math.max(...before) + 1;
    rows.set(node.name, row);
    return row;
  };
  for (const node of nodes) visit(node, new Set());
  return rows;
}

const widthOf = ({ node }: Slot): number => (node === undefined ? laneWidth : nodeSize.width);

/** Puts the slots of a row side by side; `x` is the middle of each. */
function spread(row: readonly Slot[], width: number): void {
  const needed =
    row.reduce((sum, slot) => sum + widthOf(slot), 0) + gap.across * Math.max(0, row.length - 1);
  let x = (width - needed) / 2;
  for (const slot of row) {
    slot.x = x + widthOf(slot) / 2;
    x += widthOf(slot) + gap.across;
  }
}

const middleOf = (slots: readonly Slot[], otherwise: number): number =>
  slots.length === 0 ? otherwise : slots.reduce((sum, { x }) => sum + x, 0) / slots.length;

/** From top to bottom, every node below those that it waits for, with few crossings. */
export function layOut(nodes: readonly GraphNode[]): Layout {
  const rowOf = rowsOf(nodes);
  const rows: Slot[][] = [];
  const put = (node: GraphNode | undefined, row: number): Slot => {
    const slot: Slot = { node, row, above: [], below: [], x: 0 };
    (rows[row] ??= []).push(slot);
    return slot;
  };
  for (let row = 0; row <= Math.max(0, ...rowOf.values()); row += 1) rows[row] = [];
  const slots = new Map(nodes.map((node) => [node.name, put(node, rowOf.get(node.name) ?? 0)]));
  const chains: { readonly from: string; readonly node: GraphNode; readonly chain: Slot[] }[] = [];
  for (const node of nodes) {
    const end = slots.get(node.name);
    for (const from of node.after) {
      const start = slots.get(from);
      if (start === undefined || end === undefined || start.row >= end.row) continue;
      const chain = [start];
      for (let row = start.row + 1; row < end.row; row += 1) chain.push(put(undefined, row));
      chain.push(end);
      for (const [at, slot] of chain.entries()) {
        const next = chain[at + 1];
        if (next === undefined) break;
        slot.below.push(next);
        next.above.push(slot);
      }
      chains.push({ from, node, chain });
    }
  }
  const widths = rows.map(
    (row) => row.reduce((sum, slot) => sum + widthOf(slot) + gap.across, 0) - gap.across,
  );
  const width = Math.max(nodeSize.width, ...widths);
  for (const row of rows) spread(row, width);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isDown = sweep % 2 === 0;
    for (const row of isDown ? rows : [...rows].reverse()) {
      const goal = new Map(
        row.map((slot) => [slot, middleOf(isDown ? slot.above : slot.below, slot.x)]),
      );
      row.sort((a, b) => (goal.get(a) ?? 0) - (goal.get(b) ?? 0));
      spread(row, width);
    }
  }
  const top = (row: number): number => margin + row * (nodeSize.height + gap.down);
  const placed = rows.flatMap((row, rowAt) =>
    row
      .filter((slot) => slot.node !== undefined)
      .flatMap(({ node, x }, place): PlacedNode[] => {
        const at = { x: margin + x - nodeSize.width / 2, y: top(rowAt) };
        return node === undefined ? [] : [{ node, row: rowAt, place, at }];
      }),
  );
  const edges = chains.map(({ from, node, chain }): PlacedEdge => {
    const points = chain.flatMap(({ x, row }, at): Point[] => {
      const left = margin + x;
      if (at === 0) return [{ x: left, y: top(row) + nodeSize.height }];
      if (at === chain.length - 1) return [{ x: left, y: top(row) }];
      return [
        { x: left, y: top(row) },
        { x: left, y: top(row) + nodeSize.height },
      ];
    });
    return { from, to: node.name, isConditional: node.onlyIf.includes(from), points };
  });
  return {
    nodes: placed,
    edges,
    width: width + 2 * margin,
    height: top(rows.length - 1) + nodeSize.height + margin,
  };
}

/** A line through the points: bent between rows, straight past one. */
export function pathOf([first, ...rest]: readonly Point[]): string {
  if (first === undefined) return '';
  let from = first;
  const steps = rest.map((to) => {
    const bend = (to.y - from.y) / 2;
    const step =
      from.x === to.x
        ? `L ${to.x} ${to.y}`
        : `C ${from.x} ${from.y + bend} ${to.x} ${to.y - bend} ${to.x} ${to.y}`;
    from = to;
    return step;
  });
  return [`M ${first.x} ${first.y}`, ...steps].join(' ');
}
