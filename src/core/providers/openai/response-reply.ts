import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import { mediaOf } from '../base64.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import { annotationOf } from './annotations.ts';
import { audioTypeOf } from './audio-types.ts';
import { mappingsOf, present, textOf } from './fields.ts';

/** Facts about a made image that go with it. */
const imageFacts = ['revised_prompt', 'size', 'quality', 'background', 'output_format'] as const;

const withId = (item: Mapping): Mapping => present({ id: item['id'] });

/** The reply of a response: its output items as parts and tool calls. */
export class ResponseReply {
  readonly #builder = new ReplyBuilder();
  /** What each part was made of: as long as that is the same, so is the part. */
  readonly #made = new Map<string, unknown>();

  item(at: number, item: Mapping): void {
    switch (item['type']) {
      case 'message':
        this.#each(`${at}`, item['content'], (part, key) => this.#message(key, part, item));
        break;
      case 'reasoning':
        this.#reasoning(at, item);
        break;
      case 'function_call':
        this.#toolCall(at, item, item['arguments']);
        break;
      case 'custom_tool_call':
        this.#toolCall(at, item, item['input']);
        break;
      case 'code_interpreter_call':
        this.#code(at, item);
        break;
      case 'image_generation_call':
        this.#image(at, item, textOf(item['result']));
        break;
      case 'web_search_call':
        this.#serverTool(at, item, 'web_search', item['action']);
        break;
      case 'file_search_call':
        this.#serverTool(at, item, 'file_search', present({ queries: item['queries'] }));
        break;
      case undefined:
        break;
      default:
        // Calls of MCP servers, shells and patches, and what is new: as they are.
        this.#builder.part(`${at}`, item);
    }
  }

  /** A picture that is not finished yet. */
  partialImage(at: number, event: Mapping): void {
    this.#image(at, { ...event, id: event['item_id'] }, textOf(event['partial_image_b64']));
  }

  #each(scope: string, list: unknown, make: (part: Mapping, key: string) => void): void {
    for (const [index, part] of mappingsOf(list).entries()) {
      const key = `${scope}:${index}`;
      if (this.#made.get(key) === part) continue;
      this.#made.set(key, part);
      make(part, key);
    }
  }

  #message(key: string, part: Mapping, item: Mapping): void {
    const { type = 'output_text' } = part;
    if (type === 'output_audio') {
      this.#builder.part(key, {
        type: 'output_media',
        url: textOf(part['data']) ?? '',
        mime_type: audioTypeOf(undefined),
        media_type: 'audio',
        ...withId(item),
        provider_metadata: present({ transcript: part['transcript'] }),
      });
      return;
    }
    if (type !== 'output_text' && type !== 'refusal' && type !== 'text') {
      // A kind that is newer than this.
      this.#builder.part(key, part);
      return;
    }
    const annotations = mappingsOf(part['annotations']).map(annotationOf);
    this.#builder.part(key, {
      type: 'text',
      text: textOf(part['text']) ?? textOf(part['refusal']) ?? '',
      ...withId(item),
      ...(annotations.length > 0 && { annotations }),
    });
  }

  #reasoning(at: number, item: Mapping): void {
    for (const list of ['summary', 'content']) {
      this.#each(`${at}:${list}`, item[list], (part, key) => {
        this.#builder.part(key, {
          type: 'thinking',
          thinking: textOf(part['text']) ?? '',
          ...withId(item),
        });
      });
    }
  }

  #toolCall(at: number, item: Mapping, given: unknown): void {
    const id = textOf(item['call_id']) ?? textOf(item['id']);
    this.#builder.toolCall(at, {
      id,
      name: textOf(item['name']),
      ...(item['id'] !== undefined && { tool_id: item['id'] }),
    });
    this.#builder.toolArguments(at, textOf(given) ?? '');
  }

  #code(at: number, item: Mapping): void {
    this.#builder.part(`${at}`, {
      type: 'code',
      code: textOf(item['code']) ?? '',
      ...present({ id: item['id'], container_id: item['container_id'] }),
    });
    for (const [index, output] of mappingsOf(item['outputs']).entries()) {
      const key = `${at}:${index}`;
      if (output['type'] === 'image') this.#media(key, textOf(output['url']) ?? '', {});
      else if (output['type'] === 'logs') {
        this.#builder.part(key, {
          type: 'code_execution_result',
          output: textOf(output['logs']) ?? '',
          outcome: item['status'] === 'failed' ? 'OUTCOME_FAILED' : 'OUTCOME_OK',
        });
      }
    }
  }

  #image(at: number, item: Mapping, picture: string | undefined): void {
    if (picture === undefined) return;
    const facts = present(Object.fromEntries(imageFacts.map((name) => [name, item[name]])));
    const format = textOf(item['output_format']) ?? 'png';
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

  #serverTool(at: number, item: Mapping, name: string, input: unknown): void {
    this.#builder.part(`${at}`, {
      type: 'server_tool_use',
      id: textOf(item['id']) ?? '',
      name,
      input: isMapping(input) ? input : {},
    });
  }

  reply(): Reply {
    return this.#builder.reply();
  }
}
