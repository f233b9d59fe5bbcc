import type { Mapping } from '../../mapping.ts';
import { present } from '../openai/fields.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import { givenTo } from '../tool-arguments.ts';
import type {
  CohereCitation,
  CohereMessage,
  CoherePart,
  CohereSource,
  CohereToolCall,
} from './schema.ts';

/** A source that Cohere cites -> an annotation: of an address where it has one, else of a file. */
function annotationOf({ start, end, text }: CohereCitation, source: CohereSource): Mapping {
  const title = source.document?.title ?? source.id ?? '';
  const range = { start_index: start, end_index: end, cited_text: text };
  const url = source.document?.url;
  if (url !== undefined) return present({ type: 'url_citation', url, title, ...range });
  return present({
    type: 'file_citation',
    file_id: source.id ?? '',
    filename: title,
    index: start,
    ...range,
  });
}

/** The reply of Cohere's chat. */
export class CohereReply {
  readonly #builder = new ReplyBuilder();
  readonly #annotations = new Map<number, readonly Mapping[]>();

  part(index: number, part: CoherePart | undefined): void {
    if (part === undefined) return;
    const { text, thinking, raw } = part;
    const key = `content:${index}`;
    if (thinking !== undefined) this.#builder.part(key, { type: 'thinking', thinking });
    else if (text !== undefined) this.#builder.part(key, { type: 'text', text });
    else this.#builder.part(key, raw);
  }

  /** What the model means to do with its tools is how it thinks. */
  plan(text: string): void {
    this.#builder.part('plan', { type: 'thinking', thinking: text });
  }

  toolCall(index: number, call: CohereToolCall | undefined): void {
    if (call === undefined) return;
    const { id, function: called } = call;
    this.#builder.toolCall(index, { id, name: called?.name });
    this.#builder.toolArguments(index, givenTo(called) ?? '');
  }

  citation(citation: CohereCitation): void {
    const { content_index: index = 0, type, sources = [] } = citation;
    const isAboutText = (type ?? 'TEXT_CONTENT') === 'TEXT_CONTENT';
    const key = `content:${index}`;
    if (!isAboutText || !this.#builder.has(key)) return;
    const more = sources.map((source) => Object.freeze(annotationOf(citation, source)));
    const annotations = [...(this.#annotations.get(index) ?? []), ...more];
    this.#annotations.set(index, annotations);
    this.#builder.part(key, { annotations });
  }

  /** A whole message. */
  message({ tool_plan: plan, content, tool_calls: calls, citations }: CohereMessage): void {
    if (plan !== undefined) this.plan(plan);
    for (const [at, part] of (content ?? []).entries()) this.part(at, part);
    for (const [at, call] of (calls ?? []).entries()) this.toolCall(at, call);
    for (const citation of citations ?? []) this.citation(citation);
  }

  reply(): Reply {
    return this.#builder.reply();
  }
}
