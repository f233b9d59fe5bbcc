import type { Mapping } from '../../mapping.ts';
import { streamError } from '../provider-error.ts';
import type { Accumulator, ProviderEvent } from '../provider.ts';
import type { Reply } from '../reply.ts';
import { failureIn } from '../refusal.ts';
import { changeBy, newItem } from './response-items.ts';
import { ResponseReply } from './response-reply.ts';
import type { ResponseEvent } from './response-schema.ts';
import { readEvent, readItem, readNamed, readResponse } from './response-schema.ts';

const beginnings = new Set(['response.created', 'response.queued', 'response.in_progress']);
const endings = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** Streams of the Responses API. */
export class ResponseAccumulator implements Accumulator {
  readonly #provider: string;
  readonly #items = new Map<number, Mapping>();
  readonly #reply = new ResponseReply();
  #response: Mapping = { object: 'response' };
  #isWhole = false;

  constructor(provider: string) {
    this.#provider = provider;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  add({ name, data }: ProviderEvent): void {
    const event = readEvent(data);
    if (event === undefined) return;
    const type = event.type ?? name ?? '';
    const response = event.response?.raw;
    if (type === '' && event.object === 'response') {
      // A server without streams: the whole response at once.
      this.#end(`response.${event.status ?? 'completed'}`, event.raw);
      return;
    }
    const failure = this.#isWhole ? undefined : failureIn({ name: type, data });
    if (failure !== undefined) throw streamError(this.#provider, failure);
    if (endings.has(type) && response !== undefined) this.#end(type, response);
    else if (beginnings.has(type) && response !== undefined) {
      this.#response = { ...this.#response, ...response };
    } else if (!this.#isWhole) this.#change(type, event);
  }

  #end(type: string, response: Mapping): void {
    // What has ended is not in progress any more, also where nobody says so again.
    const status = type.replace('response.', '');
    this.#response = { ...this.#response, status, ...response };
    this.#isWhole = type !== 'response.failed';
    const output = readResponse(response)?.output ?? [];
    // Some servers that speak this language leave the output of the last event empty.
    if (output.length > 0) {
      this.#items.clear();
      for (const [at, item] of output.entries()) this.#set(at, readNamed(item));
    }
    if (type === 'response.failed') throw streamError(this.#provider, response);
  }

  #change(type: string, event: ResponseEvent): void {
    const at = event.output_index ?? this.#find(event.item_id);
    if (type === 'response.output_item.added' && event.item !== undefined) {
      this.#set(at, event.item);
      return;
    }
    if (type === 'response.image_generation_call.partial_image') {
      this.#reply.partialImage(at, event);
      return;
    }
    const change = changeBy(type);
    if (change !== undefined)
      this.#set(at, change(this.#items.get(at) ?? newItem(type, event), event));
  }

  #find(id: unknown): number {
    for (const [at, item] of this.#items) if (id !== undefined && item['id'] === id) return at;
    return this.#items.size;
  }

  #set(at: number, item: Mapping | undefined): void {
    const read = readItem(item);
    if (item === undefined || read === undefined) return;
    this.#items.set(at, item);
    this.#reply.item(at, read);
  }

  reply(): Reply {
    return this.#reply.reply();
  }

  response(): unknown {
    const output = [...this.#items].sort(([a], [b]) => a - b).map(([, item]) => item);
    return { ...this.#response, output };
  }
}

/** The reply inside a whole response. */
export function replyOfResponse(response: unknown): Reply {
  const reply = new ResponseReply();
  const output = (readResponse(response)?.output ?? []).flatMap((item) => readItem(item) ?? []);
  for (const [at, item] of output.entries()) reply.item(at, item);
  return reply.reply();
}
