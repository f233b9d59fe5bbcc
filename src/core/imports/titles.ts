import { isSeen } from '../../api/seen-text.ts';

/** So long a title may be. */
const longest = 255;

export interface SuggestedTitle {
  readonly title: string;
  /** Why it is not what the file says; null: it is. */
  readonly because: 'empty' | 'repeated' | 'long' | null;
}

/** Titles that a sheet takes: what is empty, repeated or too long in the file is made so that it fits. */
export function suggestTitles(fields: readonly (string | null)[]): readonly SuggestedTitle[] {
  const named = fields.map((field) => (field ?? '').trim());
  const own = new Set(named);
  const given = new Set<string>();
  const free = (base: string, first: number): string => {
    for (let number = first; ; number += 1) {
      const ending = number === 1 ? '' : ` (${String(number)})`;
      const title = `${base.slice(0, longest - ending.length)}${ending}`;
      const isTaken = given.has(title) || (number > 1 && own.has(title));
      if (!isTaken) return title;
    }
  };
  return named.map((name, place) => {
    const because = !isSeen(name)
      ? 'empty'
      : given.has(name)
        ? 'repeated'
        : name.length > longest
          ? 'long'
          : null;
    const title =
      because === null
        ? name
        : because === 'empty'
          ? free(`Column ${String(place + 1)}`, own.has(`Column ${String(place + 1)}`) ? 2 : 1)
          : free(name, because === 'repeated' ? 2 : 1);
    given.add(title);
    return { title, because };
  });
}
