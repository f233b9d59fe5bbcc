import type { Page } from '../../api/page.ts';
import type { ErrorReason } from '../errors.ts';
import { ResponseFormatError, hasErrorCode } from '../errors.ts';
import type { Logger } from '../logger.ts';

/** A service that sends empty pages for ever must not keep us for ever. */
const maxEmptyPages = 100;

/** What a walk over pages adds to each. */
export interface PageMark {
  /** The cursor had become invalid, so this is page one again: drop what came before. */
  readonly restarted: boolean;
}

interface PagingContext {
  /** "rows", "tables": for messages. */
  readonly name: string;
  readonly logger: Logger;
  /** Cursor to begin with; page one when absent. */
  readonly cursor?: string | undefined;
}

/**
 * Walks a cursor list. Stops with an error on a repeated cursor or on "more" without a cursor;
 * begins again, once, when the service no longer knows a cursor it gave.
 */
export async function* pagesOf<P extends Page<unknown>>(
  fetchPage: (cursor: string | undefined, isFirst: boolean) => Promise<P>,
  { name, logger, cursor: start }: PagingContext,
): AsyncGenerator<P & PageMark, void, undefined> {
  const seen = new Set<string>(start === undefined ? [] : [start]);
  let cursor = start;
  let isFirst = true;
  let hasRestarted = false;
  let restarted = false;
  let emptyPages = 0;
  for (;;) {
    let page: P;
    try {
      page = await fetchPage(cursor, isFirst);
    } catch (error) {
      // Only a cursor that the service itself gave is worth a second try.
      if (isFirst || hasRestarted || !hasErrorCode(error, 'invalid_cursor')) throw error;
      logger.warn(
        `The list of ${name} is read again from its start: its cursor is no longer valid.`,
      );
      hasRestarted = true;
      restarted = true;
      isFirst = true;
      cursor = start;
      seen.clear();
      if (start !== undefined) seen.add(start);
      continue;
    }
    yield { ...page, restarted };
    restarted = false;
    isFirst = false;
    if (!page.hasMore) return;
    const next = page.nextCursor;
    emptyPages = page.items.length === 0 ? emptyPages + 1 : 0;
    if (next === undefined) throw brokenList({ kind: 'list-without-cursor', list: name });
    if (seen.has(next)) throw brokenList({ kind: 'list-cursor-repeats', list: name });
    if (emptyPages >= maxEmptyPages)
      throw brokenList({ kind: 'list-of-empty-pages', list: name, count: maxEmptyPages });
    seen.add(next);
    cursor = next;
  }
}

const brokenList = (reason: ErrorReason): ResponseFormatError =>
  new ResponseFormatError(reason, { hint: { kind: 'list-incomplete' } });

/** The items of all pages. After a restart, items already given are left out by their id. */
export async function* itemsOf<Item extends { readonly id: string }>(
  pages: AsyncIterable<Page<Item> & PageMark>,
): AsyncGenerator<Item, void, undefined> {
  const given = new Set<string>();
  for await (const page of pages) {
    for (const item of page.items) {
      if (given.has(item.id)) continue;
      given.add(item.id);
      yield item;
    }
  }
}
