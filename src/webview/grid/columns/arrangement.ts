import type { GridColumn, GridLayout } from '../../../protocol/grid-sheet.ts';

/** A column as it stands on screen. `left` counts from the left edge of the row. */
export interface ShownColumn {
  readonly column: GridColumn;
  readonly width: number;
  readonly left: number;
  readonly isPinned: boolean;
}

export const narrowestColumn = 48;
export const widestColumn = 1200;

export const emptyLayout: GridLayout = { widths: {}, hidden: [], pinned: [], order: [] };

/** Wide enough for the title beside its icons, as long as the title is of a usual length. */
function usualWidth({ numeric, title }: GridColumn): number {
  const usual = numeric ? 110 : 180;
  return Math.max(usual, Math.min(240, 66 + 8 * title.length));
}

export function orderedColumns(
  columns: readonly GridColumn[],
  layout: GridLayout,
): readonly GridColumn[] {
  const place = new Map(layout.order.map((id, index) => [id, index]));
  const placed = columns.filter(({ id }) => place.has(id));
  placed.sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
  // A column that was put between two others goes beside them; the rest follows.
  const isPlaced = (column: GridColumn | undefined): boolean =>
    column === undefined || place.has(column.id);
  const others: GridColumn[] = [];
  for (const [at, column] of columns.entries()) {
    if (place.has(column.id)) continue;
    const next = columns[at + 1];
    const isBetween = next !== undefined && isPlaced(columns[at - 1]) && isPlaced(next);
    if (isBetween) placed.splice(placed.indexOf(next), 0, column);
    else others.push(column);
  }
  return [...placed, ...others];
}

/** Pinned columns first, each group in the user's order, hidden ones left out. */
export function arrange(
  columns: readonly GridColumn[],
  layout: GridLayout,
  gutter: number,
): readonly ShownColumn[] {
  const hidden = new Set(layout.hidden);
  const pinned = new Set(layout.pinned);
  const visible = orderedColumns(columns, layout).filter(({ id }) => !hidden.has(id));
  const inOrder = [
    ...visible.filter(({ id }) => pinned.has(id)),
    ...visible.filter(({ id }) => !pinned.has(id)),
  ];
  let left = gutter;
  return inOrder.map((column) => {
    const width = layout.widths[column.id] ?? usualWidth(column);
    const shown = { column, width, left, isPinned: pinned.has(column.id) };
    left += width;
    return shown;
  });
}

export function rightEdge(shown: readonly ShownColumn[], gutter: number): number {
  const last = shown.at(-1);
  return last === undefined ? gutter : last.left + last.width;
}

/** Width that stays in view at the left: row numbers and pinned columns. */
export function stickyWidth(shown: readonly ShownColumn[], gutter: number): number {
  return rightEdge(
    shown.filter(({ isPinned }) => isPinned),
    gutter,
  );
}

/**
 * Indices of the columns in view beside the first `pinned` ones, which stand still over `sticky`
 * pixels; `to` is the last one. Empty when `to < from`.
 */
export function columnsInView(
  shown: readonly ShownColumn[],
  at: {
    readonly pinned: number;
    readonly scrollLeft: number;
    readonly viewWidth: number;
    readonly sticky: number;
  },
): { readonly from: number; readonly to: number } {
  const { pinned, scrollLeft, viewWidth, sticky } = at;
  if (pinned >= shown.length) return { from: shown.length, to: shown.length - 1 };
  const start = scrollLeft + sticky;
  let from = pinned;
  for (let next = shown[from]; next && next.left + next.width <= start; next = shown[from]) from++;
  let to = from;
  const end = scrollLeft + viewWidth;
  for (let next = shown[to + 1]; next && next.left < end; next = shown[to + 1]) to++;
  return { from: Math.min(from, shown.length - 1), to: Math.min(to, shown.length - 1) };
}

export function withWidth(layout: GridLayout, columnId: string, width: number): GridLayout {
  const whole = Math.round(Math.max(narrowestColumn, Math.min(widestColumn, width)));
  return { ...layout, widths: { ...layout.widths, [columnId]: whole } };
}

export function withPinned(layout: GridLayout, columnId: string, pin: boolean): GridLayout {
  const others = layout.pinned.filter((id) => id !== columnId);
  return { ...layout, pinned: pin ? [...others, columnId] : others };
}

export function withHidden(layout: GridLayout, columnId: string, hide: boolean): GridLayout {
  const others = layout.hidden.filter((id) => id !== columnId);
  return { ...layout, hidden: hide ? [...others, columnId] : others };
}

/** Moves a shown column to stand before `beforeId` (at the end when undefined). */
export function withMoved(
  columns: readonly GridColumn[],
  layout: GridLayout,
  { columnId, beforeId }: { columnId: string; beforeId: string | undefined },
): GridLayout {
  const order = orderedColumns(columns, layout)
    .map(({ id }) => id)
    .filter((id) => id !== columnId);
  const at = beforeId === undefined ? -1 : order.indexOf(beforeId);
  order.splice(at < 0 ? order.length : at, 0, columnId);
  return { ...layout, order };
}

/** Where a column goes when it moves one place on screen; undefined at the end of its group. */
export function neighbour(
  shown: readonly ShownColumn[],
  columnId: string,
  step: -1 | 1,
): { readonly beforeId: string | undefined } | undefined {
  const at = shown.findIndex(({ column }) => column.id === columnId);
  const here = shown[at];
  const there = shown[at + step];
  if (here === undefined || there === undefined || here.isPinned !== there.isPinned) {
    return undefined;
  }
  return { beforeId: step === -1 ? there.column.id : shown[at + 2]?.column.id };
}
