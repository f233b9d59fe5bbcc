/** Four models, each in the language of its provider, that repeat the word which they are asked about. */
import type {
  FakeProvider,
  ProviderAnswerScript,
  ProviderRequestSeen,
} from '../../../support/providers/fake-provider.ts';
import { sse, startFakeProvider } from '../../../support/providers/fake-provider.ts';
import { Gate } from './support.ts';

const openai = (text: string): string =>
  sse(
    [
      { choices: [{ index: 0, delta: { role: 'assistant', content: text } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
    ].map((event) => ({ id: 'c', object: 'chat.completion.chunk', model: 'm', ...event })),
    { done: true },
  );

const anthropic = (text: string): string =>
  sse(
    [
      {
        type: 'message_start',
        message: {
          ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', content: [] },
          usage: { input_tokens: 3, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    ],
    { named: true },
  );

const google = (text: string): string =>
  sse([
    {
      candidates: [
        { content: { parts: [{ text }], role: 'model' }, index: 0, finishReason: 'STOP' },
      ],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    },
  ]);

const cohere = (text: string): string =>
  sse(
    [
      { type: 'message-start', id: 'c', delta: { message: { role: 'assistant', content: [] } } },
      {
        ...{ type: 'content-start', index: 0 },
        delta: { message: { content: { type: 'text', text: '' } } },
      },
      { type: 'content-delta', index: 0, delta: { message: { content: { text } } } },
      { type: 'content-end', index: 0 },
      {
        type: 'message-end',
        delta: {
          finish_reason: 'COMPLETE',
          usage: { tokens: { input_tokens: 3, output_tokens: 2 } },
        },
      },
    ],
    { named: true },
  );

interface Dialect {
  readonly provider: string;
  readonly model: string;
  readonly environment: (url: string) => Readonly<Record<string, string>>;
  readonly write: (text: string) => string;
}

export const dialects: readonly Dialect[] = [
  {
    ...{ provider: 'openai', model: 'gpt-test', write: openai },
    environment: (url) => ({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${url}/v1` }),
  },
  {
    ...{ provider: 'anthropic', model: 'claude-test', write: anthropic },
    environment: (url) => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url }),
  },
  {
    ...{ provider: 'google', model: 'gemini-test', write: google },
    environment: (url) => ({ GOOGLE_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: url }),
  },
  {
    ...{ provider: 'cohere', model: 'command-test', write: cohere },
    environment: (url) => ({ CO_API_KEY: 'k', CO_API_URL: url }),
  },
];

/** What a request asks, in whatever language: `Say 2: w17`. */
export const askedIn = ({ text }: ProviderRequestSeen): string =>
  /Say \d+: w\d+/.exec(text)?.[0] ?? 'nothing';

export interface Models {
  readonly environment: Readonly<Record<string, string>>;
  readonly providers: readonly FakeProvider[];
  /** The most that a provider was asked at a time. */
  readonly most: readonly number[];
  close(): Promise<void>;
}

export async function startModels(
  script: (
    answer: ProviderAnswerScript,
    request: ProviderRequestSeen,
  ) => Promise<ProviderAnswerScript>,
  gate = 0,
): Promise<Models> {
  const now = dialects.map(() => 0);
  const most = dialects.map(() => 0);
  const full = dialects.map(() => new Gate());
  const providers = await Promise.all(
    dialects.map(({ write }, at) =>
      startFakeProvider(async (request) => {
        now[at] = (now[at] ?? 0) + 1;
        most[at] = Math.max(most[at] ?? 0, now[at]);
        // The first ones wait for each other, so that it is seen how many are asked at once.
        if (now[at] === gate) full[at]?.open();
        if (gate > 0) await full[at]?.passed();
        const answer = await script({ pieces: [write(askedIn(request))] }, request);
        now[at] -= 1;
        return answer;
      }),
    ),
  );
  const environments = dialects.map(({ environment }, at) => environment(providers[at]?.url ?? ''));
  return {
    ...{ providers, most },
    environment: Object.assign({}, ...environments) as Readonly<Record<string, string>>,
    close: async () => {
      await Promise.all(providers.map((provider) => provider.close()));
    },
  };
}
