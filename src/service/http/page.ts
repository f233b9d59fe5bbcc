import type { CursorScope } from './cursor.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { JsonText, jsonObject } from './json-text.ts';

export interface PageRequest {
  readonly scope: CursorScope;
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** The sort keys after which the page starts, or undefined on the first page. */
export function pageStart(request: PageRequest, length: number): number[] | undefined {
  return request.cursor === undefined
    ? undefined
    : decodeCursor(request.scope, request.cursor, length);
}

/** Statements ask for one item more than the page holds: it tells whether there is a next page. */
export function splitPage<Item>(found: readonly Item[], limit: number): [Item[], boolean] {
  return [found.slice(0, limit), found.length > limit];
}

/** Both envelopes at once: flat fields and `pagination` (clients read one or the other). */
export function pageAnswer(
  request: PageRequest,
  data: readonly JsonText[] | JsonText,
  count: number,
  last: readonly number[] | undefined,
  extra: Readonly<Record<string, unknown>> = {},
): JsonText {
  const next = last === undefined ? null : encodeCursor(request.scope, last);
  return nestedPageAnswer(request, data, count, last, {
    ...extra,
    next_cursor: next,
    has_more: next !== null,
  });
}

/** With `pagination` alone, for the list whose description allows no more fields. */
export function nestedPageAnswer(
  request: PageRequest,
  data: readonly JsonText[] | JsonText,
  count: number,
  last: readonly number[] | undefined,
  extra: Readonly<Record<string, unknown>> = {},
): JsonText {
  const next = last === undefined ? null : encodeCursor(request.scope, last);
  return jsonObject({
    success: true,
    data: data instanceof JsonText || data.length > 0 ? data : [],
    ...extra,
    pagination: {
      next_cursor: next,
      prev_cursor: null,
      has_more: next !== null,
      limit: request.limit,
    },
    filters: request.scope.filters ?? {},
    count,
  });
}
