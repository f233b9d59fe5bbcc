import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import { streamError } from '../provider-error.ts';
import type { Accumulator, ProviderEvent } from '../provider.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import { annotationsOf } from './annotations.ts';
import { GeminiParts } from './gemini-parts.ts';

type Fields = Record<string, unknown>;

/** Metadata whose lists come a piece with each chunk; all other metadata comes whole. */
const growing = new Set(['citationMetadata', 'logprobsResult']);

function grown(before: unknown, more: Mapping): Mapping {
  const result: Fields = { ...(isMapping(before) && before) };
  for (const [name, value] of Object.entries(more)) {
    const known = result[name];
    if (!Array.isArray(value) || !Array.isArray(known)) result[name] = value;
    else {
      const list = known as readonly unknown[];
      const have = new Set(list.map((item) => JSON.stringify(item)));
      // Citations are told again with each chunk; the tokens of logprobs may well be equal.
      const isCitation = name.startsWith('citation');
      const fresh = isCitation ? value.filter((item) => !have.has(JSON.stringify(item))) : value;
      result[name] = [...list, ...(fresh as readonly unknown[])];
    }
  }
  return result;
}

class Candidate {
  readonly #fields: Fields = {};
  readonly #parts: GeminiParts;
  #content: Fields | undefined;
  #hasParts = false;

  constructor(builder: ReplyBuilder | undefined) {
    this.#parts = new GeminiParts(builder);
  }

  get isOver(): boolean {
    const { finishReason } = this.#fields;
    return (
      typeof finishReason === 'string' &&
      finishReason !== '' &&
      finishReason !== 'FINISH_REASON_UNSPECIFIED'
    );
  }

  add({ content, ...rest }: Mapping): void {
    if (isMapping(content)) {
      const { parts, ...fields } = content;
      this.#content = { ...this.#content, ...fields };
      if (Array.isArray(parts)) {
        this.#hasParts = true;
        for (const part of parts) if (isMapping(part)) this.#parts.add(part);
      }
    }
    for (const [name, value] of Object.entries(rest)) {
      if (value === null || value === undefined) continue;
      this.#fields[name] =
        growing.has(name) && isMapping(value) ? grown(this.#fields[name], value) : value;
    }
    if ('groundingMetadata' in rest || 'citationMetadata' in rest) {
      for (const [part, annotations] of annotationsOf(this.#fields)) {
        this.#parts.annotate(annotations, part);
      }
    }
  }

  whole(): Fields {
    if (this.#content === undefined) return { ...this.#fields };
    const parts = this.#hasParts && { parts: this.#parts.whole() };
    return { content: { ...this.#content, ...parts }, ...this.#fields };
  }
}

/** Streams of Gemini, from the Gemini API or Vertex AI. A whole answer is a stream of one event. */
export class GeminiAccumulator implements Accumulator {
  readonly #provider: string;
  readonly #top: Fields = {};
  readonly #candidates = new Map<number, Candidate>();
  readonly #builder = new ReplyBuilder();

  constructor(provider: string) {
    this.#provider = provider;
  }

  get isWhole(): boolean {
    const { promptFeedback } = this.#top;
    if (isMapping(promptFeedback) && promptFeedback['blockReason'] !== undefined) return true;
    const candidates = [...this.#candidates.values()];
    return candidates.length > 0 && candidates.every(({ isOver }) => isOver);
  }

  add({ data }: ProviderEvent): void {
    const first: unknown = Array.isArray(data) ? data[0] : data;
    if (!isMapping(first)) return;
    if (isMapping(first['error'])) throw streamError(this.#provider, first);
    for (const [name, value] of Object.entries(first)) {
      if (name === 'candidates' && Array.isArray(value)) {
        for (const candidate of value) if (isMapping(candidate)) this.#candidate(candidate);
      } else if (value !== null) this.#top[name] = value;
    }
  }

  #candidate(candidate: Mapping): void {
    const index = typeof candidate['index'] === 'number' ? candidate['index'] : 0;
    let known = this.#candidates.get(index);
    if (known === undefined) {
      known = new Candidate(index === 0 ? this.#builder : undefined);
      this.#candidates.set(index, known);
    }
    known.add(candidate);
  }

  reply(): Reply {
    return this.#builder.reply();
  }

  response(): unknown {
    if (this.#candidates.size === 0) return { ...this.#top };
    const candidates = [...this.#candidates]
      .sort(([a], [b]) => a - b)
      .map(([, candidate]) => candidate.whole());
    return { candidates, ...this.#top };
  }
}

/** The reply inside an answer of `generateContent`. */
export function replyOfGemini(response: unknown): Reply {
  const accumulator = new GeminiAccumulator('google');
  const { candidates } = isMapping(response) ? response : {};
  accumulator.add({ name: undefined, data: { candidates } });
  return accumulator.reply();
}
