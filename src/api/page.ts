import * as z from 'zod';

/** One page of a cursor list, whatever envelope it came in. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Opaque; undefined when this was the last page. */
  readonly nextCursor: string | undefined;
  readonly hasMore: boolean;
}

const Pagination = z.looseObject({
  next_cursor: z.string().nullish(),
  has_more: z.boolean().nullish(),
  limit: z.number().nullish(),
  prev_cursor: z.string().nullish(),
});

/**
 * The fields around the items of a cursor list. The specification (4.1) puts `next_cursor` and
 * `has_more` at the top level in its schema and inside `pagination` in its text: both are accepted,
 * and the local service emits both.
 */
export const pageFields = {
  success: z.boolean().optional(),
  next_cursor: z.string().nullish(),
  has_more: z.boolean().nullish(),
  pagination: Pagination.nullish(),
  filters: z.looseObject({}).nullish(),
  count: z.number().nullish(),
} as const;

interface SentPage {
  readonly next_cursor?: string | null | undefined;
  readonly has_more?: boolean | null | undefined;
  readonly pagination?:
    | {
        readonly next_cursor?: string | null | undefined;
        readonly has_more?: boolean | null | undefined;
      }
    | null
    | undefined;
}

/**
 * The cursor and the "more" flag of either envelope, as sent: "more" without a cursor is a fault
 * that whoever walks the list must see. An empty cursor means none.
 */
export function pagePosition(sent: SentPage): { nextCursor: string | undefined; hasMore: boolean } {
  const nextCursor = (sent.next_cursor ?? sent.pagination?.next_cursor) || undefined;
  const hasMore = sent.has_more ?? sent.pagination?.has_more ?? nextCursor !== undefined;
  return { nextCursor, hasMore };
}

/** Answer schema of a cursor list: `data`, or the list's own name, or `items` (facts differ). */
export function pageOf<Item extends z.ZodType>(
  item: Item,
  name: string,
): z.ZodType<Page<z.output<Item>>> {
  const list = z.array(item);
  return z
    .looseObject({
      ...pageFields,
      data: list.optional(),
      items: list.optional(),
      [name]: list.optional(),
    })
    .transform((sent, context): Page<z.output<Item>> => {
      const items = (sent['data'] ?? sent[name] ?? sent['items']) as z.output<Item>[] | undefined;
      if (items === undefined) {
        context.addIssue({ code: 'custom', message: 'no list in the answer', path: ['data'] });
        return z.NEVER;
      }
      return { items, ...pagePosition(sent) };
    });
}

/** Query parameters of a cursor list. */
export const cursorQuery = (defaults: { readonly limit: number; readonly order: 'asc' | 'desc' }) =>
  ({
    cursor: z.string().min(1).optional(),
    limit: z.coerce.number().int().min(1).max(100).default(defaults.limit),
    order: z.enum(['asc', 'desc']).default(defaults.order),
  }) as const;

/** A boolean in a query string. */
export const queryFlag = (): z.ZodType<boolean> =>
  z.union([z.boolean(), z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })]);
