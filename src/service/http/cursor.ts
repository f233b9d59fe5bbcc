import { createHash } from 'node:crypto';
import { Problem } from './problem.ts';

/** What a cursor belongs to: it is refused when any part of it differs. */
export interface CursorScope {
  readonly workspaceId: number;
  /** The list and its parent, for example `rows:<sheet id>`. */
  readonly resource: string;
  readonly sort: string;
  readonly order: 'asc' | 'desc';
  readonly filters?: Readonly<Record<string, unknown>>;
}

const FORMAT = 1;

const refused = (why: string): Problem => new Problem(400, 'invalid_cursor', `The cursor ${why}.`);

function scopeHash(scope: CursorScope): string {
  const filters = Object.entries(scope.filters ?? {})
    .filter(([, value]) => value !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([scope.workspaceId, scope.resource, filters]))
    .digest('base64url')
    .slice(0, 16);
}

/** `position` holds the sort keys of the last item of the page. */
export function encodeCursor(scope: CursorScope, position: readonly number[]): string {
  return Buffer.from(
    JSON.stringify([FORMAT, scope.sort, scope.order, position, scopeHash(scope)]),
  ).toString('base64url');
}

export function decodeCursor(scope: CursorScope, cursor: string, length: number): number[] {
  const [format, sort, order, position, hash] = parse(cursor);
  if (format !== FORMAT) throw refused('is malformed');
  if (sort !== scope.sort || order !== scope.order) {
    throw refused('belongs to another sort or order');
  }
  if (hash !== scopeHash(scope)) throw refused('belongs to another list or other filters');
  if (
    !Array.isArray(position) ||
    position.length !== length ||
    !position.every((key) => typeof key === 'number' && Number.isFinite(key))
  ) {
    throw refused('is malformed');
  }
  return position as number[];
}

function parse(cursor: string): unknown[] {
  const bytes = Buffer.from(cursor, 'base64url');
  // The decoder skips what it does not know and stray bits at the end.
  if (bytes.toString('base64url') !== cursor) throw refused('is malformed');
  try {
    const parsed: unknown = JSON.parse(bytes.toString('utf8'));
    if (Array.isArray(parsed) && parsed.length === 5) return parsed as unknown[];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw refused('is malformed');
}
