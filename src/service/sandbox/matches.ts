/** More matches than this are left out: nobody reads them, and they would fill the database. */
export const MAX_MATCHES = 10_000;

/**
 * A match as a cell shows it: the text of the only group, a list of the groups when there are
 * several, else the whole match. `groups[0]` is the whole match.
 */
export function matchToJson(
  groups: readonly (string | null | undefined)[],
): string | null | (string | null)[] {
  if (groups.length === 1) return groups[0] ?? null;
  if (groups.length === 2) return groups[1] ?? null;
  return groups.slice(1).map((group) => group ?? null);
}
