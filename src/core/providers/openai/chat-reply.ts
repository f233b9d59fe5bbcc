import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import { joinBase64, mediaOf } from '../base64.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import { annotationOf } from './annotations.ts';
import { audioTypeOf } from './audio-types.ts';
import { numbered } from './choice-deltas.ts';
import { thinkingIn } from './content.ts';
import { mappingsOf, numberOf, present, textOf } from './fields.ts';
import { wordsOf } from './reasoning-details.ts';
import { CallOrder, argumentsOf, idOf } from './tool-calls.ts';

/** The reply of a chat completion. A whole message is taken in like one large delta. */
export class ChatReply {
  readonly #builder = new ReplyBuilder();
  readonly #order = new CallOrder();
  /** The calls that have their id. */
  readonly #ids = new Set<number>();
  readonly #audioType: string;
  #contentType: string | undefined;
  #contentCount = 0;
  #annotations: readonly Mapping[] = [];
  #audio = '';
  #audioFacts: Mapping = {};
  #imageCount = 0;
  #hasOldCall = false;

  /** `kwargs` tell the format of the audio that was asked for. */
  constructor(kwargs: Mapping) {
    const { audio } = kwargs;
    this.#audioType = audioTypeOf(isMapping(audio) ? audio['format'] : undefined);
  }

  add(message: Mapping): void {
    this.#reasoning(message);
    const { content } = message;
    if (typeof content === 'string') this.#text(content);
    else for (const part of mappingsOf(isMapping(content) ? [content] : content)) this.#part(part);
    const { refusal } = message;
    if (typeof refusal === 'string' && refusal !== '') this.#builder.text('refusal', refusal);
    this.#annotate(mappingsOf(message['annotations']).map(annotationOf));
    this.#order.begin();
    for (const call of mappingsOf(message['tool_calls'])) this.#toolCall(call);
    const { function_call: old, audio } = message;
    if (isMapping(old)) this.#oldCall(old);
    if (isMapping(audio)) this.#addAudio(audio);
    for (const image of mappingsOf(message['images'])) this.#image(image);
  }

  /** Details say it with more: `reasoning` beside them is the same again. */
  #reasoning(message: Mapping): void {
    const details = mappingsOf(message['reasoning_details']);
    const isReported = details.some((detail) => wordsOf(detail) !== '');
    for (const [at, detail] of details.entries()) {
      const key = `thinking:${numberOf(detail['index']) ?? textOf(detail['id']) ?? at}`;
      const words = wordsOf(detail);
      if (words !== '') this.#builder.thinking(key, words);
      if (this.#builder.has(key)) {
        this.#builder.part(key, present({ signature: detail['signature'] }));
      }
    }
    const text = textOf(message['reasoning']) ?? textOf(message['reasoning_content']) ?? '';
    if (!isReported && text !== '') this.#builder.thinking('thinking', text);
  }

  #key(type: string): string {
    if (type !== this.#contentType) {
      this.#contentType = type;
      this.#contentCount += 1;
    }
    return `content:${this.#contentCount}`;
  }

  #text(more: string): void {
    if (more !== '') this.#builder.text(this.#key('text'), more);
  }

  #part(part: Mapping): void {
    const { type } = part;
    const isText = type === 'text' || type === 'output_text';
    if (isText && typeof part['text'] === 'string') this.#text(part['text']);
    else if (type === 'thinking') {
      const key = this.#key('thinking');
      this.#builder.thinking(key, thinkingIn(part));
      this.#builder.part(key, present({ signature: part['signature'] }));
    } else {
      this.#contentType = undefined;
      this.#builder.part(this.#key(textOf(type) ?? 'part'), part);
      this.#contentType = undefined;
    }
  }

  #annotate(more: readonly Mapping[]): void {
    if (more.length === 0) return;
    this.#annotations = [...this.#annotations, ...more];
    const key = this.#key('text');
    if (!this.#builder.has(key)) this.#builder.text(key, '');
    this.#builder.part(key, { annotations: this.#annotations });
  }

  #toolCall(call: Mapping): void {
    const { function: given, custom } = call;
    const part = isMapping(given) ? given : isMapping(custom) ? custom : {};
    const { at, name } = this.#order.take(call);
    const id = idOf(call);
    this.#builder.toolCall(at, {
      id: this.#ids.has(at) ? undefined : id,
      name,
      arguments: argumentsOf(part['arguments'] ?? part['input']),
    });
    if (id !== undefined) this.#ids.add(at);
  }

  #oldCall(call: Mapping): void {
    const name = textOf(call['name']);
    this.#builder.toolCall('function_call', {
      name: this.#hasOldCall && name === '' ? undefined : name,
      arguments: textOf(call['arguments']),
    });
    this.#hasOldCall = true;
  }

  #addAudio({ data, transcript, ...rest }: Mapping): void {
    if (typeof data === 'string') this.#audio = joinBase64(this.#audio, data);
    const said = textOf(this.#audioFacts['transcript']) ?? '';
    this.#audioFacts = Object.freeze({
      ...this.#audioFacts,
      ...present(rest),
      ...(typeof transcript === 'string' && { transcript: said + transcript }),
    });
    this.#builder.part('audio', {
      type: 'output_media',
      url: this.#audio,
      mime_type: this.#audioType,
      media_type: 'audio',
      provider_metadata: this.#audioFacts,
    });
  }

  #image(image: Mapping): void {
    const { image_url: given } = image;
    const index = numberOf(image['index']) ?? this.#imageCount;
    const address = isMapping(given) ? textOf(given['url']) : textOf(given);
    if (address === undefined) return;
    this.#imageCount += 1;
    const { url, mimeType = 'image/png' } = mediaOf(address);
    this.#builder.part(`image:${index}`, {
      type: 'output_media',
      url,
      mime_type: mimeType,
      media_type: 'image',
    });
  }

  reply(): Reply {
    return this.#builder.reply();
  }
}

/** The reply inside a chat completion: that of its first choice. */
export function replyOfChat(response: unknown, { kwargs }: { readonly kwargs: Mapping }): Reply {
  const reply = new ChatReply(kwargs);
  const choices = isMapping(response) ? mappingsOf(response['choices']) : [];
  const first = choices.find(({ index }) => index === 0) ?? choices[0];
  const message = first?.['message'];
  if (isMapping(message)) reply.add(numbered(message));
  return reply.reply();
}
