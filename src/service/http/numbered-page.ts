/** A page of a list that counts its pages, as templates, workflows and requests have them. */
export interface NumberedPage {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
}

/** Fields around the items. Where there is no next page, `none` stands for its number. */
export function numberedFields(
  { page, perPage, total }: NumberedPage,
  none: null | 'same',
): Record<string, unknown> {
  const pages = Math.ceil(total / perPage);
  const hasNext = page < pages;
  const hasPrevious = page > 1;
  return {
    page,
    per_page: perPage,
    pages,
    total,
    has_next: hasNext,
    has_prev: hasPrevious,
    next_num: hasNext ? page + 1 : none === null ? null : page,
    prev_num: hasPrevious ? page - 1 : none === null ? null : page,
  };
}

/** Pages beyond this are asked for by mistake, and their first item has no number of ours. */
const MAX_OFFSET = 2 ** 50;

export const offsetOf = ({ page, perPage }: Omit<NumberedPage, 'total'>): number =>
  Math.min((page - 1) * perPage, MAX_OFFSET);
