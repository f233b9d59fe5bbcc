import type { Database, SqlValue } from './database.ts';

/**
 * Whose waiting work a process takes up: that of these workspaces, or of every one (undefined). A
 * service that computes with the keys of one person's windows leaves the work of others alone.
 */
export type WorkOf = readonly number[] | undefined;

/** What follows the conditions of a query for work, and its parameter; `column` is a workspace. */
export function isWorkOf(
  { dialect }: Pick<Database, 'dialect'>,
  column: string,
  workspaces: WorkOf,
): { readonly sql: string; readonly values: readonly SqlValue[] } {
  if (workspaces === undefined) return { sql: '', values: [] };
  return { sql: ` and ${column} ${dialect.isOneOf}`, values: [JSON.stringify(workspaces)] };
}
