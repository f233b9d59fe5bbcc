import { unprocessable } from './problem.ts';

/** More are a mistake, and a statement that databases refuse. */
const MOST_TAGS = 50;

/** One tag that is asked for, and what it stands for where a client has joined several with commas. */
export interface WantedTag {
  readonly tag: string;
  readonly parts: readonly string[];
}

function wantedTag(tag: string): WantedTag {
  const parts = tag.split(',').map((part) => part.trim());
  return { tag, parts: parts.every((part) => part !== '') ? parts : [tag] };
}

/** All of which a thing must have. */
export function wantedTags(sent: string | readonly string[] | undefined): readonly WantedTag[] {
  const wanted = [sent ?? []].flat().map(wantedTag);
  if (wanted.flatMap(({ parts }) => parts).length > MOST_TAGS) {
    throw unprocessable(['query', 'tags'], `Give at most ${String(MOST_TAGS)} tags.`);
  }
  return wanted;
}
