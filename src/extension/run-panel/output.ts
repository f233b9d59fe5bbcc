import type { OutputChange, OutputPart } from '../../protocol/run.ts';
import type { Mapping } from '../../core/mapping.ts';
import { isMapping, listOf } from '../../core/mapping.ts';

/** Pictures that a page can do no harm with. */
export const imageType = /^image\/(?:png|jpeg|gif|webp|avif)$/;

/** An address on the web as it is, anything else as a data URL; undefined: no picture to show. */
function imageSource(part: Mapping): string | undefined {
  const { type, media_type: media, mime_type: mime, image_url: nested } = part;
  const isImage = type === 'image_url' || (type === 'output_media' && media === 'image');
  if (!isImage) return undefined;
  const url = part['url'] ?? (isMapping(nested) ? nested['url'] : nested);
  if (typeof url !== 'string' || url === '') return undefined;
  if (/^https:\/\//i.test(url)) return url;
  const inside = /^data:([^;,]+);base64,/i.exec(url)?.[1];
  if (inside !== undefined) return imageType.test(inside) ? url : undefined;
  const isBase64 = /^[A-Za-z0-9+/]+=*$/.test(url.slice(0, 1000));
  return isBase64 && typeof mime === 'string' && imageType.test(mime)
    ? `data:${mime};base64,${url}`
    : undefined;
}

function contentPart(part: Mapping): Omit<OutputPart, 'id'> {
  const { type, text, thinking, refusal } = part;
  if (type === 'text' && typeof text === 'string') return { kind: 'text', text };
  if (type === 'thinking' && typeof thinking === 'string') {
    return { kind: 'thinking', text: thinking };
  }
  if (typeof refusal === 'string') return { kind: 'text', text: refusal };
  const source = imageSource(part);
  if (source !== undefined) return { kind: 'image', text: source };
  const title = typeof type === 'string' ? type : 'part';
  return { kind: 'json', title, text: JSON.stringify(part, null, 2) };
}

function toolPart(call: Mapping): Omit<OutputPart, 'id'> {
  const called = isMapping(call['function']) ? call['function'] : {};
  const { name, arguments: given } = called;
  return {
    kind: 'tool',
    ...(typeof name === 'string' && name !== '' && { title: name }),
    text: typeof given === 'string' ? given : JSON.stringify(given ?? {}, null, 2),
  };
}

/** Content and tool calls of what the model has said in a blueprint. */
function replyIn(blueprint: Mapping): { readonly content: unknown; readonly tool_calls: unknown } {
  const prompt = isMapping(blueprint['prompt_template']) ? blueprint['prompt_template'] : {};
  if (prompt['type'] === 'completion') return { content: prompt['content'], tool_calls: [] };
  const last = listOf(prompt['messages']).at(-1);
  const isReply = isMapping(last) && last['role'] === 'assistant';
  return isReply
    ? { content: last['content'], tool_calls: last['tool_calls'] }
    : { content: [], tool_calls: [] };
}

/**
 * What has come of an answer, and what of it the view has been sent. Parts of a blueprint are
 * never changed, so one that is the same object needs no second look.
 */
export class Output {
  #blueprint: Mapping = {};
  #sent = new Map<string, OutputPart>();
  readonly #made = new WeakMap<object, OutputPart>();

  /** The blueprint with all that has come so far. */
  take(blueprint: Mapping): void {
    this.#blueprint = blueprint;
  }

  get isEmpty(): boolean {
    const { content, tool_calls: calls } = replyIn(this.#blueprint);
    if (listOf(calls).length > 0) return false;
    return !listOf(content).some(
      (part) =>
        isMapping(part) &&
        part['text'] !== '' &&
        part['thinking'] !== '' &&
        Object.keys(part).length > 0,
    );
  }

  /** Thoughts alone, or blanks, are no answer. */
  get saysNothing(): boolean {
    const { content, tool_calls: calls } = replyIn(this.#blueprint);
    if (listOf(calls).length > 0) return false;
    return !listOf(content).some((part) => {
      if (!isMapping(part) || part['type'] === 'thinking') return false;
      const { text } = part;
      return part['type'] !== 'text' || (typeof text === 'string' && text.trim() !== '');
    });
  }

  /** Sets what an earlier window has kept. */
  restore(parts: readonly OutputPart[]): void {
    const content = parts.map((part) => Object.freeze({ type: 'kept', part }));
    for (const kept of content) this.#made.set(kept, kept.part);
    this.#blueprint = { prompt_template: { type: 'completion', content } };
  }

  parts(): readonly OutputPart[] {
    const { content, tool_calls: calls } = replyIn(this.#blueprint);
    return [
      ...this.#partsOf(listOf(content), 'c', contentPart),
      ...this.#partsOf(listOf(calls), 't', toolPart),
    ];
  }

  /** Everything, for a page that begins. */
  whole(): readonly OutputPart[] {
    const parts = this.parts();
    this.#sent = new Map(parts.map((part) => [part.id, part]));
    return parts;
  }

  /** What the view does not have yet. */
  changes(): readonly OutputChange[] {
    return this.parts().flatMap((part) => {
      const known = this.#sent.get(part.id);
      this.#sent.set(part.id, part);
      if (known === part || (known?.text === part.text && known.title === part.title)) return [];
      const grows =
        known === undefined || (known.kind === part.kind && part.text.startsWith(known.text));
      const text = grows ? part.text.slice(known?.text.length ?? 0) : part.text;
      return [{ ...part, text, replace: !grows }];
    });
  }

  /** The texts of the answer alone; undefined: it has none, as when it calls tools. */
  get answerText(): string | undefined {
    const texts = this.parts().filter(({ kind, text }) => kind === 'text' && text !== '');
    return texts.length === 0 ? undefined : texts.map(({ text }) => text).join('');
  }

  /** The text of the answer, without its thoughts. */
  get text(): string {
    return this.parts()
      .filter(({ kind }) => kind !== 'thinking')
      .map(({ kind, title, text }) => {
        if (kind === 'tool') return `${title ?? ''} ${text}`.trim();
        return kind === 'image' && text.startsWith('data:') ? '' : text;
      })
      .filter((text) => text !== '')
      .join('\n\n');
  }

  #partsOf(
    list: readonly unknown[],
    prefix: string,
    toPart: (part: Mapping) => Omit<OutputPart, 'id'>,
  ): readonly OutputPart[] {
    return list.flatMap((given, at) => {
      if (!isMapping(given)) return [];
      const known = this.#made.get(given);
      if (known !== undefined) return [known];
      const part = { id: `${prefix}${at}`, ...toPart(given) };
      this.#made.set(given, part);
      return [part];
    });
  }
}
