import * as z from 'zod';
import { ConfigurationError } from '../../core/errors.ts';
import type { LookUp } from '../../core/options.ts';
import { fetchProviderJson } from '../../core/providers/exchange.ts';
import type { OpenAiHost } from '../../core/providers/openai/address.ts';
import { bearerAddress } from '../../core/providers/openai/address.ts';
import { openAiHosts } from '../../core/providers/openai/openai.ts';
import type { ModelCall } from '../../core/providers/provider.ts';
import type { CallEnvironment } from '../../core/run/provider-context.ts';
import type { FoundModel } from './default-model.ts';
import { modelsOf, servers, modelOf } from './default-model.ts';

const modelVariable = 'PROMPT_TABLES_EMBEDDING_MODEL';

/** Whose embeddings are asked for in OpenAI's language. */
const hosts: Readonly<Record<string, OpenAiHost>> = {
  ...openAiHosts,
  mistral: {
    baseURL: 'https://api.mistral.ai/v1',
    baseVariables: ['MISTRAL_BASE_URL'],
    keyVariables: ['MISTRAL_API_KEY'],
    basePath: 'v1',
  },
  google: {
    baseURL: 'https://generativelanguage.googleapis.com/v1beta/openai',
    baseVariables: ['GOOGLE_OPENAI_BASE_URL'],
    keyVariables: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
  },
};

const keys: readonly (FoundModel & { readonly variables: readonly string[] })[] = [
  { variables: ['OPENAI_API_KEY'], provider: 'openai', name: 'text-embedding-3-small' },
  { variables: ['MISTRAL_API_KEY'], provider: 'mistral', name: 'mistral-embed' },
  {
    variables: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
    provider: 'google',
    name: 'gemini-embedding-001',
  },
];

/**
 * The model that turns texts into vectors: the one that is asked for, else one on this machine, else
 * one that a key opens. Throws a ConfigurationError that says how to get one.
 */
export async function findEmbeddingModel(lookUp: LookUp): Promise<FoundModel> {
  const wanted = modelOf(
    modelVariable,
    await lookUp(modelVariable),
    'openai/text-embedding-3-small',
  );
  if (wanted !== undefined) {
    if (Object.hasOwn(hosts, wanted.provider)) return wanted;
    throw new ConfigurationError(`${modelVariable} names the provider "${wanted.provider}".`, {
      hint: `Use one of ${Object.keys(hosts).join(', ')}.`,
    });
  }
  const found = await Promise.all(
    servers.map(async ({ provider, variable, url }) => {
      const models = await modelsOf((await lookUp(variable))?.trim() || url);
      const name = models.find((id) => /embed/i.test(id));
      return name === undefined ? undefined : { provider, name };
    }),
  );
  const local = found.find((model) => model !== undefined);
  if (local !== undefined) return local;
  for (const { variables, provider, name } of keys) {
    for (const variable of variables) {
      if ((await lookUp(variable))?.trim()) return { provider, name };
    }
  }
  throw new ConfigurationError('There is no model that compares text.', {
    hint: `Pull an embedding model into Ollama or LM Studio on this machine (for example: ollama pull nomic-embed-text), or set OPENAI_API_KEY, MISTRAL_API_KEY or GEMINI_API_KEY: in VS Code with Set Provider Key, elsewhere in the environment that the service is started with. ${modelVariable}=provider/model selects one.`,
  });
}

export const embeddingCall = ({ provider, name }: FoundModel, texts: readonly string[]) =>
  ({
    provider,
    apiType: 'embeddings',
    templateType: 'chat',
    model: name,
    kwargs: { model: name, input: texts },
    stream: false,
    baseURL: undefined,
    apiKey: undefined,
  }) satisfies ModelCall;

const Answer = z.looseObject({
  data: z.array(z.looseObject({ index: z.int().nullish(), embedding: z.array(z.number()) })),
  usage: z.looseObject({}).nullish(),
});

export interface EmbeddingAnswer {
  /** In the order of the texts. */
  readonly vectors: readonly (readonly number[])[];
  /** The answer without its vectors: what is logged. */
  readonly response: { readonly model: string; readonly usage: object };
}

/** Asks for the vectors of some texts. Throws what the provider's client would throw. */
export async function fetchEmbeddings(
  call: ReturnType<typeof embeddingCall>,
  { provider, exchange }: CallEnvironment,
): Promise<EmbeddingAnswer> {
  const host = hosts[call.provider];
  if (host === undefined) throw new Error(`Unknown provider "${call.provider}".`);
  const request = await bearerAddress(host)('embeddings', call.kwargs, call, provider);
  const answer = Answer.safeParse(await fetchProviderJson(request, exchange));
  const vectors: (readonly number[])[] = [];
  for (const [at, { index, embedding }] of (answer.data?.data ?? []).entries()) {
    vectors[index ?? at] = embedding;
  }
  const isWhole = call.kwargs.input.every((_text, at) => (vectors[at]?.length ?? 0) > 0);
  if (!answer.success || !isWhole) {
    throw new Error(
      `${call.provider} did not answer with a vector for each text. Is "${call.model}" an embedding model?`,
    );
  }
  return { vectors, response: { model: call.model, usage: answer.data.usage ?? {} } };
}
