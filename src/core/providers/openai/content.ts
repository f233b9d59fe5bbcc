import type { Mapping } from '../../mapping.ts';
import type { ChatPart } from './chat-schema.ts';
import { readParts } from './chat-schema.ts';
import { mappingsOf } from './fields.ts';

/**
 * Content that comes in typed parts (Mistral's thinking, references): neighbours of one kind that
 * hold text are one part. Parts are replaced, never changed.
 */
export function withContent(
  parts: readonly Mapping[],
  more: string | readonly Mapping[],
): readonly Mapping[] {
  const after = [...parts];
  const added = typeof more !== 'string' ? more : more === '' ? [] : [{ type: 'text', text: more }];
  for (const part of added) {
    const last = after.at(-1);
    const joined = last === undefined ? undefined : join(last, part);
    if (joined === undefined) after.push(part);
    else after[after.length - 1] = joined;
  }
  return after;
}

function join(before: Mapping, more: Mapping): Mapping | undefined {
  if (before['type'] !== more['type']) return undefined;
  const text = more['text'];
  if (typeof before['text'] === 'string' && typeof text === 'string') {
    return { ...before, ...more, text: before['text'] + text };
  }
  if (Array.isArray(before['thinking']) && Array.isArray(more['thinking'])) {
    const thinking = withContent(mappingsOf(before['thinking']), mappingsOf(more['thinking']));
    return { ...before, ...more, thinking };
  }
  return undefined;
}

/** The text inside a part of Mistral's, or of whoever sends content as a list. */
export function thinkingIn({ thinking }: ChatPart): string {
  if (typeof thinking === 'string') return thinking;
  return (readParts(thinking) ?? []).map(({ text = '' }) => text).join('');
}
