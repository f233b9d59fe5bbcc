export interface PromptFilter {
  readonly name?: string;
  readonly tags?: string[];
}

/** What prompts are looked for by: words that begin with # are tags, the others a part of the name. */
export function promptFilter(text: string | undefined): PromptFilter {
  const words = (text ?? '').split(/\s+/).filter((word) => word !== '');
  const isTag = (word: string): boolean => /^#./.test(word);
  const name = words.filter((word) => !isTag(word)).join(' ');
  const tags = words.filter(isTag).map((word) => word.slice(1));
  return { ...(name !== '' && { name }), ...(tags.length > 0 && { tags }) };
}
