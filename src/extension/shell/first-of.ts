/** The first items of a list, no more of it being asked for. */
export async function firstOf<Item>(
  items: AsyncIterable<Item>,
  most: number,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length >= most) break;
  }
  return found;
}
