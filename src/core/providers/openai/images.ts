import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import { mediaOf } from '../base64.ts';
import { streamError } from '../provider-error.ts';
import type { Accumulator, ModelCall, Provider, ProviderEvent } from '../provider.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import { jsonEvents } from '../sse.ts';
import type { Address } from './address.ts';
import { argumentsFor } from './arguments.ts';
import { refusalIn } from '../refusal.ts';
import { fetchChecked } from './checked.ts';
import { mappingsOf, numberOf, present, textOf } from './fields.ts';

/** What a made image has of its own, and what all images of an answer share. */
const shared = ['background', 'output_format', 'quality', 'size'] as const;

const sharedOf = (fields: Mapping): Mapping =>
  present(Object.fromEntries(shared.map((name) => [name, fields[name]])));

/** An image as a part; undefined when there is neither address nor picture. */
function partOf(image: Mapping, about: Mapping): Mapping | undefined {
  const given = textOf(image['b64_json']) ?? textOf(image['url']);
  if (given === undefined) return undefined;
  const { url, mimeType } = mediaOf(given);
  const format = textOf(about['output_format']) ?? 'png';
  const facts = { ...present({ revised_prompt: image['revised_prompt'] }), ...sharedOf(about) };
  return {
    type: 'output_media',
    url,
    mime_type: textOf(image['media_type']) ?? mimeType ?? `image/${format}`,
    media_type: 'image',
    ...(Object.keys(facts).length > 0 && { provider_metadata: Object.freeze(facts) }),
  };
}

const pictureOf = (event: Mapping): Mapping =>
  present({ b64_json: event['b64_json'], media_type: event['media_type'] });

/** Streams of images: sketches, each better than the one before, then the image. */
class ImageAccumulator implements Accumulator {
  readonly #provider: string;
  readonly #images: Mapping[] = [];
  readonly #builder = new ReplyBuilder();
  #head: Mapping = {};
  #sketch: Mapping | undefined;

  constructor(provider: string) {
    this.#provider = provider;
  }

  get isWhole(): boolean {
    return this.#images.length > 0 && this.#sketch === undefined;
  }

  add({ name, data }: ProviderEvent): void {
    const refusal = name === 'error' ? data : refusalIn(data);
    if (refusal !== undefined) throw streamError(this.#provider, refusal);
    if (!isMapping(data)) return;
    const type = textOf(data['type']) ?? name ?? '';
    if (type === 'error') throw streamError(this.#provider, data);
    if (Array.isArray(data['data'])) {
      // A server without streams: all images at once.
      for (const image of mappingsOf(data['data'])) this.#take(image, data, false);
    } else if (type.endsWith('.partial_image')) this.#take(pictureOf(data), data, true);
    else if (type.endsWith('.completed')) this.#take(pictureOf(data), data, false);
  }

  #take(image: Mapping, about: Mapping, isSketch: boolean): void {
    const created = numberOf(about['created_at']) ?? numberOf(about['created']);
    const { usage } = about;
    this.#head = { ...this.#head, ...present({ created, usage }), ...sharedOf(about) };
    const part = partOf(image, about);
    if (part !== undefined) this.#builder.part(this.#images.length, part);
    this.#sketch = isSketch ? image : undefined;
    if (!isSketch) this.#images.push(image);
  }

  reply(): Reply {
    return this.#builder.reply();
  }

  response(): unknown {
    const { usage, ...head } = this.#head;
    const sketch = this.#sketch === undefined ? [] : [this.#sketch];
    return { ...head, data: [...this.#images, ...sketch], ...present({ usage }) };
  }
}

/** The reply inside an answer with images. */
export function replyOfImages(response: unknown): Reply {
  const builder = new ReplyBuilder();
  if (!isMapping(response)) return builder.reply();
  for (const [at, image] of mappingsOf(response['data']).entries()) {
    const part = partOf(image, response);
    if (part !== undefined) builder.part(at, part);
  }
  return builder.reply();
}

/** Only the models that are called GPT stream; the ones before take no such argument. */
const canStream = ({ model }: ModelCall): boolean => !/^dall-e/i.test(model);

/** The Images API at an address that speaks it. */
export function images(
  call: ModelCall,
  address: Address,
  { functionName = 'openai.images.generate' }: { readonly functionName?: string } = {},
): Provider {
  const isStreamed = canStream(call);
  const prepare: Provider['prepare'] = (asked, context) => {
    const stream = isStreamed && asked.stream;
    const body = { ...argumentsFor(asked), ...(stream && { stream }) };
    return address('images/generations', body, { ...asked, stream }, context);
  };
  return {
    functionName,
    prepare,
    streaming: isStreamed
      ? { decoder: jsonEvents, accumulator: ({ provider }) => new ImageAccumulator(provider) }
      : undefined,
    complete: async (asked, context) =>
      fetchChecked(await prepare({ ...asked, stream: false }, context), asked, context),
    replyOf: replyOfImages,
  };
}
