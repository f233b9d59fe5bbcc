import type { Mapping } from '../../mapping.ts';
import { joinBase64, mediaOf } from '../base64.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import { givenTo } from '../tool-arguments.ts';
import { annotationOf } from './annotations.ts';
import { audioTypeOf } from './audio-types.ts';
import type {
  ChatAudio,
  ChatFunctionCall,
  ChatImage,
  ChatMessage,
  ChatPart,
  ChatToolCall,
} from './chat-schema.ts';
import { readChat, readImageAddress, readMessage, readParts } from './chat-schema.ts';
import { numbered } from './choice-deltas.ts';
import { thinkingIn } from './content.ts';
import { present, textOf } from './fields.ts';
import { wordsOf } from './reasoning-details.ts';
import { CallOrder, idOf } from './tool-calls.ts';

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
    this.#audioType = audioTypeOf(readMessage(kwargs)?.audio?.raw['format']);
  }

  add(message: ChatMessage): void {
    this.#reasoning(message);
    const { content, refusal = '', annotations, tool_calls: calls, images } = message;
    if (typeof content === 'string') this.#text(content);
    else
      for (const one of Array.isArray(content) ? (content as unknown[]) : [content]) {
        if (typeof one === 'string') this.#text(one);
        else for (const part of readParts([one]) ?? []) this.#part(part);
      }
    if (refusal !== '') this.#builder.text('refusal', refusal);
    this.#annotate((annotations ?? []).map(annotationOf));
    this.#order.begin();
    for (const call of calls ?? []) this.#toolCall(call);
    const { function_call: old, audio } = message;
    if (old !== undefined) this.#oldCall(old);
    if (audio !== undefined) this.#addAudio(audio);
    for (const image of images ?? []) this.#image(image);
  }

  /** Details say it with more: `reasoning` beside them is the same again. */
  #reasoning(message: ChatMessage): void {
    const details = message.reasoning_details ?? [];
    const isReported = details.some((detail) => wordsOf(detail) !== '');
    for (const [at, detail] of details.entries()) {
      const key = `thinking:${detail.index ?? detail.id ?? at}`;
      const words = wordsOf(detail);
      if (words !== '') this.#builder.thinking(key, words);
      if (this.#builder.has(key)) {
        this.#builder.part(key, present({ signature: detail.signature }));
      }
    }
    const text = message.reasoning ?? message.reasoning_content ?? '';
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

  #part(part: ChatPart): void {
    const { type, text, signature } = part;
    const isText = type === 'text' || type === 'output_text' || type === undefined;
    if (isText && text !== undefined) this.#text(text);
    else if (type === 'thinking') {
      const key = this.#key('thinking');
      this.#builder.thinking(key, thinkingIn(part));
      this.#builder.part(key, present({ signature }));
    } else {
      this.#contentType = undefined;
      this.#builder.part(this.#key(type ?? 'part'), part.raw);
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

  #toolCall(call: ChatToolCall): void {
    const part = call.function ?? call.custom;
    const { at, name } = this.#order.take(call);
    const id = idOf(call);
    this.#builder.toolCall(at, {
      id: this.#ids.has(at) ? undefined : id,
      name,
      arguments: givenTo(part),
    });
    if (id !== undefined) this.#ids.add(at);
  }

  #oldCall(call: ChatFunctionCall): void {
    const { name } = call;
    this.#builder.toolCall('function_call', {
      name: this.#hasOldCall && name === '' ? undefined : name,
      arguments: givenTo(call),
    });
    this.#hasOldCall = true;
  }

  #addAudio({ raw, data, transcript }: ChatAudio): void {
    const { data: _data, transcript: _transcript, ...rest } = raw;
    if (data !== undefined) this.#audio = joinBase64(this.#audio, data);
    const said = textOf(this.#audioFacts['transcript']) ?? '';
    this.#audioFacts = Object.freeze({
      ...this.#audioFacts,
      ...present(rest),
      ...(transcript !== undefined && { transcript: said + transcript }),
    });
    this.#builder.part('audio', {
      type: 'output_media',
      url: this.#audio,
      mime_type: this.#audioType,
      media_type: 'audio',
      provider_metadata: this.#audioFacts,
    });
  }

  #image({ image_url: given, index = this.#imageCount }: ChatImage): void {
    const address = readImageAddress(given)?.url ?? textOf(given);
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
  const choices = readChat(response)?.choices ?? [];
  const first = choices.find(({ index }) => index === 0) ?? choices[0];
  const message = first?.message && readMessage(numbered(first.message));
  if (message !== undefined) reply.add(message);
  return reply.reply();
}
