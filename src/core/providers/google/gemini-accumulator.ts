import type { Mapping } from '../../mapping.ts';
import { laterReason } from '../ending-kinds.ts';
import { streamError } from '../provider-error.ts';
import type { Accumulator, ProviderEvent } from '../provider.ts';
import { failureIn } from '../refusal.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import { annotationsOf } from './annotations.ts';
import { GeminiParts } from './gemini-parts.ts';
import type { GeminiCandidate } from './schema.ts';
import { readNamed, readResponse } from './schema.ts';

type Fields = Record<string, unknown>;

/** Metadata whose lists come a piece with each chunk; all other metadata comes whole. */
const growing = new Set(['citationMetadata', 'logprobsResult']);

function grown(before: unknown, more: Mapping): Mapping {
  const result: Fields = { ...readNamed(before) };
  for (const [name, value] of Object.entries(more)) {
    const known = result[name];
    if (!Array.isArray(value) || !Array.isArray(known)) result[name] = value;
    else {
      const list = known as readonly unknown[];
      const have = new Set(list.map((item) => JSON.stringify(item)));
      // Each chunk repeats the citations; the tokens of logprobs may well be equal.
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

  add({ raw, content }: GeminiCandidate): void {
    const { content: _content, ...rest } = raw;
    if (content !== undefined) {
      const { parts: _parts, ...fields } = content.raw;
      this.#content = { ...this.#content, ...fields };
      this.#hasParts ||= content.parts !== undefined;
      for (const part of content.parts ?? []) this.#parts.add(part);
    }
    for (const [name, value] of Object.entries(rest)) {
      if (value === null || value === undefined) continue;
      const more = growing.has(name) ? readNamed(value) : undefined;
      const before = this.#fields[name];
      if (name === 'finishReason') this.#fields[name] = laterReason(before, value);
      else this.#fields[name] = more === undefined ? value : grown(before, more);
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
    if (readResponse(this.#top)?.promptFeedback?.blockReason !== undefined) return true;
    const candidates = [...this.#candidates.values()];
    return candidates.length > 0 && candidates.every(({ isOver }) => isOver);
  }

  add({ name, data }: ProviderEvent): void {
    const first: unknown = Array.isArray(data) ? data[0] : data;
    const answer = readResponse(first);
    if (answer === undefined) return;
    const failure = failureIn({ name, data: first });
    if (failure !== undefined) throw streamError(this.#provider, failure);
    for (const [field, value] of Object.entries(answer.raw)) {
      if (field === 'candidates' && answer.candidates !== undefined) {
        for (const candidate of answer.candidates) this.#candidate(candidate);
      } else if (value !== null) this.#top[field] = value;
    }
  }

  #candidate(candidate: GeminiCandidate): void {
    const { index = 0 } = candidate;
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
  const candidates = readResponse(response)?.raw['candidates'];
  accumulator.add({ name: undefined, data: { candidates } });
  return accumulator.reply();
}
