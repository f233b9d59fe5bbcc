import type { Mapping } from '../../mapping.ts';
import type { ReasoningDetail } from './chat-schema.ts';

/** Fields of a detail that continue what came before. */
const growing = ['text', 'summary', 'data'] as const;

const isSame = (a: Mapping, b: Mapping): boolean =>
  a['type'] === b['type'] &&
  (typeof a['index'] === 'number' && typeof b['index'] === 'number'
    ? a['index'] === b['index']
    : (b['id'] ?? a['id']) === a['id']);

/** Reasoning as OpenRouter hands it on: pieces of one block (its index, or its id) are one detail. */
export function withDetails(
  details: readonly Mapping[],
  more: readonly Mapping[],
): readonly Mapping[] {
  const after = [...details];
  for (const piece of more) {
    const at = after.findLastIndex((known) => isSame(known, piece));
    const known = after[at];
    if (known === undefined) after.push(piece);
    else after[at] = join(known, piece);
  }
  return after;
}

function join(known: Mapping, piece: Mapping): Mapping {
  const joined: Record<string, unknown> = { ...known };
  for (const [name, value] of Object.entries(piece)) {
    if (value === null || value === undefined) continue;
    const before = known[name];
    const grows = (growing as readonly string[]).includes(name);
    joined[name] =
      grows && typeof before === 'string' && typeof value === 'string' ? before + value : value;
  }
  return joined;
}

/** What a detail says in words; encrypted ones say nothing. */
export const wordsOf = ({ type, summary, text }: ReasoningDetail): string =>
  (type === 'reasoning.summary' ? summary : text) ?? '';
