import { ResponseFormatError } from '../errors.ts';

interface NumberedPage<Item> {
  readonly items: readonly Item[];
  readonly pages?: number | undefined;
  readonly has_next?: boolean | undefined;
  readonly next_num?: number | null | undefined;
}

/** A list that moves while it is read may repeat an item: each is given once. */
export async function* walkPages<Item extends { readonly id: number }>(
  read: (page: number) => Promise<NumberedPage<Item>>,
  { name, firstPage }: { readonly name: string; readonly firstPage: number },
): AsyncGenerator<Item, void, undefined> {
  const given = new Set<number>();
  let page = firstPage;
  for (;;) {
    const answer = await read(page);
    let isNews = false;
    for (const item of answer.items) {
      if (given.has(item.id)) continue;
      given.add(item.id);
      isNews = true;
      yield item;
    }
    const { has_next: hasNext, pages, next_num: next } = answer;
    if (!(hasNext ?? (pages !== undefined && page < pages))) return;
    if (!isNews) {
      throw new ResponseFormatError(
        { kind: 'list-page-repeats', list: name, page },
        { hint: { kind: 'list-incomplete' } },
      );
    }
    page = next !== undefined && next !== null && next > page ? next : page + 1;
  }
}
