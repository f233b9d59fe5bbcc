/** Nearest rank: a value that was measured, not one in between. Null: there are none. */
export function percentile(sorted: ArrayLike<number>, share: number): number | null {
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? null;
}
