import type { Mapping } from '../../mapping.ts';
import { mediaOf } from '../base64.ts';
import { streamError } from '../provider-error.ts';
import type { Accumulator, ModelCall, Provider, ProviderEvent } from '../provider.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import { jsonEvents } from '../sse.ts';
import type { Address } from './address.ts';
import { argumentsFor } from './arguments.ts';
import { failureIn } from '../refusal.ts';
import { fetchChecked } from './checked.ts';
import { present } from './fields.ts';
import type { MadeImage, MadeImages } from './image-schema.ts';
import { readImage, readImages } from './image-schema.ts';

/** What a made image has of its own, and what all images of an answer share. */
const shared = ['background', 'output_format', 'quality', 'size'] as const;

const sharedOf = ({ raw }: MadeImages): Mapping =>
  present(Object.fromEntries(shared.map((name) => [name, raw[name]])));

/** An image as a part; undefined when there is neither address nor picture. */
function partOf(image: MadeImage | undefined, about: MadeImages): Mapping | undefined {
  const given = image?.b64_json ?? image?.url;
  if (image === undefined || given === undefined) return undefined;
  const { url, mimeType } = mediaOf(given);
  const { output_format: format = 'png' } = about;
  const facts = { ...present({ revised_prompt: image.revised_prompt }), ...sharedOf(about) };
  return {
    type: 'output_media',
    url,
    mime_type: image.media_type ?? mimeType ?? `image/${format}`,
    media_type: 'image',
    ...(Object.keys(facts).length > 0 && { provider_metadata: Object.freeze(facts) }),
  };
}

const pictureOf = ({ b64_json, media_type }: MadeImages): Mapping =>
  present({ b64_json, media_type });

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
    const refusal = failureIn({ name, data });
    if (refusal !== undefined) throw streamError(this.#provider, refusal);
    const event = readImages(data);
    if (event === undefined) return;
    const type = event.type ?? name ?? '';
    if (type === 'error') throw streamError(this.#provider, data);
    if (event.data !== undefined) {
      // A server without streams: all images at once.
      for (const { raw } of event.data) this.#take(raw, event, false);
    } else if (type.endsWith('.partial_image')) this.#take(pictureOf(event), event, true);
    else if (type.endsWith('.completed')) this.#take(pictureOf(event), event, false);
  }

  #take(image: Mapping, about: MadeImages, isSketch: boolean): void {
    const { usage, created_at: createdAt } = about;
    const created = createdAt ?? about.created;
    this.#head = { ...this.#head, ...present({ created, usage }), ...sharedOf(about) };
    const part = partOf(readImage(image), about);
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
  const images = readImages(response);
  for (const [at, image] of (images?.data ?? []).entries()) {
    const part = images && partOf(image, images);
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
