import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import { mappingsOf, numberOf, present, textOf } from '../openai/fields.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';

/** A source that Cohere cites -> an annotation: of an address where it has one, else of a file. */
function annotationOf(citation: Mapping, source: Mapping): Mapping {
  const document = isMapping(source['document']) ? source['document'] : {};
  const title = textOf(document['title']) ?? textOf(source['id']) ?? '';
  const range = {
    start_index: citation['start'],
    end_index: citation['end'],
    cited_text: citation['text'],
  };
  const url = textOf(document['url']);
  if (url !== undefined) return present({ type: 'url_citation', url, title, ...range });
  return present({
    type: 'file_citation',
    file_id: textOf(source['id']) ?? '',
    filename: title,
    index: citation['start'],
    ...range,
  });
}

/** The reply of Cohere's chat. */
export class CohereReply {
  readonly #builder = new ReplyBuilder();
  readonly #annotations = new Map<number, readonly Mapping[]>();

  part(index: number, part: Mapping): void {
    const text = textOf(part['text']);
    const thinking = textOf(part['thinking']);
    const key = `content:${index}`;
    if (thinking !== undefined) this.#builder.part(key, { type: 'thinking', thinking });
    else if (text !== undefined) this.#builder.part(key, { type: 'text', text });
    else this.#builder.part(key, part);
  }

  /** What the model means to do with its tools is how it thinks. */
  plan(text: string): void {
    this.#builder.part('plan', { type: 'thinking', thinking: text });
  }

  toolCall(index: number, call: Mapping): void {
    const given = isMapping(call['function']) ? call['function'] : {};
    this.#builder.toolCall(index, { id: textOf(call['id']), name: textOf(given['name']) });
    this.#builder.toolArguments(index, textOf(given['arguments']) ?? '');
  }

  citation(citation: Mapping): void {
    const index = numberOf(citation['content_index']) ?? 0;
    const isAboutText = (citation['type'] ?? 'TEXT_CONTENT') === 'TEXT_CONTENT';
    const key = `content:${index}`;
    if (!isAboutText || !this.#builder.has(key)) return;
    const more = mappingsOf(citation['sources']).map((source) =>
      Object.freeze(annotationOf(citation, source)),
    );
    const annotations = [...(this.#annotations.get(index) ?? []), ...more];
    this.#annotations.set(index, annotations);
    this.#builder.part(key, { annotations });
  }

  /** A whole message. */
  message(message: Mapping): void {
    const plan = textOf(message['tool_plan']);
    if (plan !== undefined) this.plan(plan);
    for (const [at, part] of mappingsOf(message['content']).entries()) this.part(at, part);
    for (const [at, call] of mappingsOf(message['tool_calls']).entries()) this.toolCall(at, call);
    for (const citation of mappingsOf(message['citations'])) this.citation(citation);
  }

  reply(): Reply {
    return this.#builder.reply();
  }
}
