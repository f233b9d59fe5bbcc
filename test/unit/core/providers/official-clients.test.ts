/** The makers' own clients, asked on the same wire, and ours: they must come to the same. */
import assert from 'node:assert/strict';
import { Mistral } from '@mistralai/mistralai';
import { OpenRouter } from '@openrouter/sdk';
import { CohereClientV2 } from 'cohere-ai';
import Groq from 'groq-sdk';
import OpenAI, { AzureOpenAI } from 'openai';
import { recordings } from '../../../support/providers/recordings/all.ts';
import type { Recording } from '../../../support/providers/recordings/recording.ts';
import type { Stage } from '../../../support/providers/stage.ts';
import { setStage, streamed } from '../../../support/providers/stage.ts';

interface Maker {
  /** The answer that is not streamed. */
  readonly whole: (url: string, kwargs: object) => Promise<unknown>;
  /** What the stream brings, one after another. */
  readonly events: (url: string, kwargs: object) => Promise<unknown>;
  /** The stream put together, where the client can do it. */
  readonly final?: (url: string, kwargs: object) => Promise<unknown>;
}

async function all(stream: unknown): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of (await stream) as AsyncIterable<unknown>) items.push(item);
  return items;
}

const apiKey = 'test-provider-key';
const openAi = (url: string): OpenAI => new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });
const azure = (url: string): AzureOpenAI =>
  new AzureOpenAI({ apiKey, endpoint: url, apiVersion: '2025-04-01-preview', maxRetries: 0 });

const chatOf = (client: (url: string) => OpenAI): Maker => ({
  whole: (url, kwargs) => client(url).chat.completions.create(kwargs as never),
  events: (url, kwargs) =>
    all(client(url).chat.completions.create({ ...kwargs, stream: true } as never)),
  final: (url, kwargs) =>
    client(url)
      .chat.completions.stream(kwargs as never)
      .finalChatCompletion(),
});

const camel = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(camel)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value).map(([name, item]) => [
            name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
            camel(item),
          ]),
        )
      : value;

const mistral = (url: string): Mistral => new Mistral({ apiKey, serverURL: url });
const router = (url: string): OpenRouter => new OpenRouter({ apiKey, serverURL: `${url}/api/v1` });
const cohere = (url: string): CohereClientV2 => new CohereClientV2({ token: apiKey, baseUrl: url });
const groq = (url: string): Groq => new Groq({ apiKey, baseURL: url, maxRetries: 0 });

const completions: Maker = {
  whole: (url, kwargs) => openAi(url).completions.create(kwargs as never),
  events: (url, kwargs) =>
    all(openAi(url).completions.create({ ...kwargs, stream: true } as never)),
};

const responses: Maker = {
  whole: (url, kwargs) => openAi(url).responses.create(kwargs as never),
  events: (url, kwargs) => all(openAi(url).responses.create({ ...kwargs, stream: true } as never)),
  final: (url, kwargs) =>
    openAi(url)
      .responses.stream(kwargs as never)
      .finalResponse(),
};

const images: Maker = {
  whole: (url, kwargs) => openAi(url).images.generate(kwargs as never),
  events: (url, kwargs) => all(openAi(url).images.generate({ ...kwargs, stream: true } as never)),
};

/** OpenAI's client, at the address of somebody who speaks its language. */
function relative(path: string): Maker {
  const client = (url: string): OpenAI =>
    new OpenAI({ apiKey, baseURL: url + path, maxRetries: 0 });
  const { whole, events } = chatOf(client);
  return { whole, events };
}

const makers: Readonly<Record<string, Maker>> = {
  '/chat/completions': chatOf(openAi),
  '/completions': completions,
  '/responses': responses,
  '/images/generations': images,
  'openai.azure': chatOf(azure),
  xai: relative('/v1'),
  deepseek: relative(''),
  ollama: relative('/v1'),
  lmstudio: relative('/v1'),
  vllm: relative('/v1'),
  mistral: {
    whole: (url, kwargs) => mistral(url).chat.complete(camel(kwargs) as never),
    events: async (url, kwargs) => {
      const events = await all(mistral(url).chat.stream(camel(kwargs) as never));
      return events.map((event) => (event as { readonly data: unknown }).data);
    },
  },
  openrouter: {
    whole: (url, kwargs) => router(url).chat.send({ chatRequest: camel(kwargs) as never }),
    events: (url, kwargs) =>
      all(
        router(url).chat.send({
          chatRequest: { ...(camel(kwargs) as object), stream: true } as never,
        }),
      ),
  },
  groq: {
    whole: (url, kwargs) => groq(url).chat.completions.create(kwargs as never),
    events: (url, kwargs) =>
      all(groq(url).chat.completions.create({ ...kwargs, stream: true } as never)),
  },
  cohere: {
    whole: (url, kwargs) => cohere(url).chat(camel(kwargs) as never),
    events: (url, kwargs) => all(cohere(url).chatStream(camel(kwargs) as never)),
  },
};

const makerOf = ({ provider, path }: Recording): Maker | undefined =>
  makers[provider] ?? (provider === 'openai' ? makers[path] : undefined);

/** What clients add of their own. */
const conveniences = new Set([
  'output_text',
  'output_parsed',
  'parsed',
  'parsed_arguments',
  'obfuscation',
  '_request_id',
  // A default of Mistral's client.
  'prefix',
]);

/** Names without their spelling, so that `finishReason` is `finish_reason`. */
function plain(value: unknown, keepsNull = false): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, keepsNull));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, item]) => !conveniences.has(name) && item !== undefined)
      .filter(([, item]) => keepsNull || item !== null)
      .map(([name, item]) => [name.replaceAll('_', '').toLowerCase(), plain(item, keepsNull)]),
  );
}

/** All that `theirs` says, `ours` says too. Some clients drop fields that they don't know. */
function assertHolds(ours: unknown, theirs: unknown, path = ''): void {
  if (Array.isArray(theirs)) {
    assert.ok(Array.isArray(ours) && ours.length === theirs.length, `${path}: as many items`);
    for (const [at, item] of theirs.entries()) assertHolds(ours[at], item, `${path}[${at}]`);
  } else if (typeof theirs === 'object' && theirs !== null) {
    assert.ok(typeof ours === 'object' && ours !== null, `${path}: an object`);
    for (const [name, item] of Object.entries(theirs)) {
      assertHolds((ours as Record<string, unknown>)[name], item, `${path}.${name}`);
    }
  } else assert.deepEqual(ours, theirs, path);
}

/** Clients that keep every field. */
const isComplete = ({ provider }: Recording): boolean =>
  !['mistral', 'openrouter', 'cohere'].includes(provider);

function assertAgree(recording: Recording, ours: unknown, theirs: unknown): void {
  const keepsNull = recording.provider === 'openai';
  if (isComplete(recording)) assert.deepEqual(plain(ours, keepsNull), plain(theirs, keepsNull));
  else assertHolds(plain(ours), plain(theirs));
}

/**
 * Its own client glues base64 texts together, which no decoder reads when one ends in padding; and
 * it throws at events of shells and patches.
 */
const isBeyondFinal = ({ title }: Recording): boolean =>
  title.includes('sound, in pieces') || title.includes('a patch, a shell');

describe("core: the makers' own clients", () => {
  let stage: Stage;
  afterEach(() => stage.close());

  for (const recording of recordings) {
    const maker = makerOf(recording);
    if (maker === undefined) continue;
    const { title, kwargs } = recording;

    it(`${title}: the same answer`, async () => {
      stage = await setStage(recording);
      const ours = await stage.client.run({ promptName: 'greeting' });
      const theirs = await maker.whole(stage.provider.url, kwargs);
      assertAgree(recording, ours.raw_response, theirs);
      const [first, second] = stage.provider.requests;
      assert.equal(first?.path, second?.path);
      const ignored = { stream: undefined, stream_options: undefined, usage: undefined };
      assertHolds(plain({ ...first?.json, ...ignored }), plain({ ...second?.json, ...ignored }));
    });

    it(`${title}: the same stream`, async () => {
      stage = await setStage(recording);
      const chunks = await streamed(stage.client);
      const theirs = await maker.events(stage.provider.url, kwargs);
      const events = chunks.slice(0, -1).map(({ raw_response: event }) => event);
      assertAgree(recording, events, theirs);
      assert.equal(stage.provider.requests[0]?.path, stage.provider.requests[1]?.path);
    });

    const { final } = maker;
    if (final === undefined || isBeyondFinal(recording)) continue;
    it(`${title}: the same end`, async () => {
      stage = await setStage(recording);
      const chunks = await streamed(stage.client);
      const theirs = await final(stage.provider.url, kwargs);
      assertAgree(recording, chunks.at(-1)?.raw_response, theirs);
    });
  }
});
