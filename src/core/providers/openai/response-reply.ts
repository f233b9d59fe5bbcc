import type { Mapping } from '../../mapping.ts';
import { mediaOf } from '../base64.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import { givenTo } from '../tool-arguments.ts';
import { annotationOf } from './annotations.ts';
import { audioTypeOf } from './audio-types.ts';
import { present, textOf } from './fields.ts';
import type { ResponseEvent, ResponseItem, ResponsePart } from './response-schema.ts';
import { readItem } from './response-schema.ts';

/** Facts about a made image that go with it. */
const imageFacts = ['revised_prompt', 'size', 'quality', 'background', 'output_format'] as const;

const withId = ({ id }: ResponseItem): Mapping => present({ id });

/** The reply of a response: its output items as parts and tool calls. */
export class ResponseReply {
  readonly #builder = new ReplyBuilder();
  /** What each part was made of: as long as that is the same, so is the part. */
  readonly #made = new Map<string, unknown>();

  item(at: number, item: ResponseItem): void {
    switch (item.type) {
      case 'message':
        this.#each(`${at}`, item.content, (part, key) => this.#message(key, part, item));
        break;
      case 'reasoning':
        this.#reasoning(at, item);
        break;
      case 'function_call':
      case 'custom_tool_call':
        this.#toolCall(at, item);
        break;
      case 'code_interpreter_call':
        this.#code(at, item);
        break;
      case 'image_generation_call':
        this.#image(at, item, item.result);
        break;
      case 'web_search_call':
        this.#serverTool(at, item, 'web_search', item.action);
        break;
      case 'file_search_call':
        this.#serverTool(at, item, 'file_search', present({ queries: item.queries }));
        break;
      case undefined:
        break;
      default:
        // Calls of MCP servers, shells and patches, and what is new: as they are.
        this.#builder.part(`${at}`, item.raw);
    }
  }

  /** A picture that is not finished yet. */
  partialImage(at: number, { raw, item_id: id, partial_image_b64: picture }: ResponseEvent): void {
    const item = readItem({ ...raw, id });
    if (item !== undefined) this.#image(at, item, picture);
  }

  #each(
    scope: string,
    list: readonly ResponsePart[] | undefined,
    make: (part: ResponsePart, key: string) => void,
  ): void {
    for (const [index, part] of (list ?? []).entries()) {
      const key = `${scope}:${index}`;
      if (this.#made.get(key) === part.raw) continue;
      this.#made.set(key, part.raw);
      make(part, key);
    }
  }

  #message(key: string, part: ResponsePart, item: ResponseItem): void {
    const { type = 'output_text' } = part;
    if (type === 'output_audio') {
      this.#builder.part(key, {
        type: 'output_media',
        url: part.data ?? '',
        mime_type: audioTypeOf(undefined),
        media_type: 'audio',
        ...withId(item),
        provider_metadata: present({ transcript: part.transcript }),
      });
      return;
    }
    if (type !== 'output_text' && type !== 'refusal' && type !== 'text') {
      // A kind that is newer than this.
      this.#builder.part(key, part.raw);
      return;
    }
    const annotations = (part.annotations ?? []).map(annotationOf);
    this.#builder.part(key, {
      type: 'text',
      text: part.text ?? part.refusal ?? '',
      ...withId(item),
      ...(annotations.length > 0 && { annotations }),
    });
  }

  #reasoning(at: number, item: ResponseItem): void {
    for (const list of ['summary', 'content'] as const) {
      this.#each(`${at}:${list}`, item[list], (part, key) => {
        this.#builder.part(key, {
          type: 'thinking',
          thinking: part.text ?? '',
          ...withId(item),
        });
      });
    }
  }

  #toolCall(at: number, item: ResponseItem): void {
    const { id, call_id: callId, name } = item;
    this.#builder.toolCall(at, {
      id: callId ?? textOf(id),
      name,
      ...(id !== undefined && { tool_id: id }),
    });
    this.#builder.toolArguments(at, givenTo(item) ?? '');
  }

  #code(at: number, item: ResponseItem): void {
    this.#builder.part(`${at}`, {
      type: 'code',
      code: item.code ?? '',
      ...present({ id: item.id, container_id: item.container_id }),
    });
    for (const [index, { type, url = '', logs = '' }] of (item.outputs ?? []).entries()) {
      const key = `${at}:${index}`;
      if (type === 'image') this.#media(key, url, {});
      else if (type === 'logs') {
        this.#builder.part(key, {
          type: 'code_execution_result',
          output: logs,
          outcome: item.status === 'failed' ? 'OUTCOME_FAILED' : 'OUTCOME_OK',
        });
      }
    }
  }

  #image(at: number, item: ResponseItem, picture: string | undefined): void {
    if (picture === undefined) return;
    const facts = present(Object.fromEntries(imageFacts.map((name) => [name, item.raw[name]])));
    const { output_format: format = 'png' } = item;
    this.#media(`${at}`, picture, {
      mime_type: `image/${format}`,
      ...withId(item),
      provider_metadata: Object.freeze(facts),
    });
  }

  #media(key: string, address: string, extra: Mapping): void {
    const { url, mimeType = 'image/png' } = mediaOf(address);
    this.#builder.part(key, {
      type: 'output_media',
      url,
      mime_type: mimeType,
      media_type: 'image',
      ...extra,
    });
  }

  #serverTool(at: number, { id }: ResponseItem, name: string, input: Mapping = {}): void {
    this.#builder.part(`${at}`, { type: 'server_tool_use', id: textOf(id) ?? '', name, input });
  }

  reply(): Reply {
    return this.#builder.reply();
  }
}
