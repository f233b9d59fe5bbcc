import { ExactNumber } from '../../api/exact-number.ts';
import { ownValue } from '../../api/own-value.ts';
import type { Mapping } from '../../core/mapping.ts';
import { textOf } from '../../core/mapping.ts';
import type { LoggedCall } from '../requests/logged-call.ts';
import type { Prices } from '../requests/prices.ts';
import type { Usage } from '../requests/usage.ts';
import { noUsage } from '../requests/usage.ts';
import { messagesOfSpan } from './gen-ai-messages.ts';
import type { NewSpan } from './span.ts';

/** What `gen_ai.operation.name` says of a request to a model; agents and tools are none. */
const operations: Readonly<Record<string, string>> = {
  chat: 'chat-completions',
  generate_content: 'generate-content',
  text_completion: 'completions',
  embeddings: 'embeddings',
};

/** Well-known values of `gen_ai.provider.name` (and of `gen_ai.system` before it), as we call them. */
const providers: Readonly<Record<string, string>> = {
  'aws.bedrock': 'amazon.bedrock',
  aws_bedrock: 'amazon.bedrock',
  'azure.ai.openai': 'openai.azure',
  'az.ai.openai': 'openai.azure',
  'azure.ai.inference': 'openai.azure',
  'gcp.gemini': 'google',
  'gcp.gen_ai': 'google',
  gemini: 'google',
  'gcp.vertex_ai': 'vertexai',
  vertex_ai: 'vertexai',
  mistral_ai: 'mistral',
  x_ai: 'xai',
};

/** Arguments of a request, by what their attribute is called after `gen_ai.request.`. */
const parameterNames = [
  'temperature',
  'top_p',
  'top_k',
  'max_tokens',
  'frequency_penalty',
  'presence_penalty',
  'stop_sequences',
  'seed',
];

const MOST_MESSAGE_CHARACTERS = 1024;

function countIn(attributes: Mapping, ...names: readonly string[]): number | null {
  for (const name of names) {
    const sent = attributes[`gen_ai.usage.${name}`];
    const isDigits = typeof sent === 'string' && /^\d{1,15}$/.test(sent.trim());
    const value = isDigits || sent instanceof ExactNumber ? Number(sent.valueOf()) : sent;
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) {
      return Math.min(Math.round(value), Number.MAX_SAFE_INTEGER);
    }
  }
  return null;
}

const usageIn = (attributes: Mapping): Usage => ({
  ...noUsage,
  inputTokens: countIn(attributes, 'input_tokens', 'prompt_tokens'),
  outputTokens: countIn(attributes, 'output_tokens', 'completion_tokens'),
  cachedTokens: countIn(attributes, 'cache_read.input_tokens', 'cache_read_input_tokens'),
  cacheWriteTokens: countIn(
    attributes,
    'cache_creation.input_tokens',
    'cache_write.input_tokens',
    'cache_creation_input_tokens',
  ),
  thinkingTokens: countIn(attributes, 'reasoning.output_tokens'),
});

/** One of the categories of the request log, from the `error.type` of a span that failed. */
function errorTypeOf(type: string): string {
  if (/429|rate.?limit/i.test(type)) return 'PROVIDER_RATE_LIMIT';
  if (/quota/i.test(type)) return 'PROVIDER_QUOTA_LIMIT';
  if (/time.?out/i.test(type)) return 'PROVIDER_TIMEOUT';
  if (/40[13]|authenti|permission/i.test(type)) return 'PROVIDER_AUTH_ERROR';
  return /^[45]\d\d$/.test(type) ? 'PROVIDER_ERROR' : 'UNKNOWN_ERROR';
}

function errorOf({ status, statusMessage, attributes }: Omit<NewSpan, 'call'>) {
  if (status !== 'ERROR') return { status: 'SUCCESS', errorType: null, errorMessage: null };
  const type = textOf(attributes['error.type']);
  const message = statusMessage ?? type;
  return {
    status: 'ERROR',
    errorType: errorTypeOf(type),
    errorMessage: message === '' ? null : message.slice(0, MOST_MESSAGE_CHARACTERS),
  };
}

/**
 * The request to a model that a span is about, by the semantic conventions of OpenTelemetry for
 * generative AI (attributes `gen_ai.*`, present names and those before them). Undefined for any
 * other span.
 */
export async function modelCallOf(
  prices: Prices,
  span: Omit<NewSpan, 'call'>,
): Promise<LoggedCall | undefined> {
  const { attributes } = span;
  // A client that logs the request itself says so, with the span that it logs it by.
  if (attributes['promptlayer.request_log.managed'] === true) return undefined;
  const operation = textOf(attributes['gen_ai.operation.name']);
  const asked = textOf(attributes['gen_ai.request.model']);
  const model = asked || textOf(attributes['gen_ai.response.model']);
  const apiType = operation === '' ? null : ownValue(operations, operation);
  if (model === '' || apiType === undefined) return undefined;
  const named = textOf(attributes['gen_ai.provider.name']) || textOf(attributes['gen_ai.system']);
  const provider = ownValue(providers, named.toLowerCase()) ?? (named || 'unknown');
  const counted = usageIn(attributes);
  // Vectors are no tokens.
  const usage =
    operation === 'embeddings' ? { ...counted, outputTokens: counted.outputTokens ?? 0 } : counted;
  const startedAt = span.startedAt.ms;
  const parameters = Object.fromEntries(
    parameterNames
      .map((name) => [name, attributes[`gen_ai.request.${name}`]] as const)
      .filter(([, value]) => value !== undefined && value !== null),
  );
  const conversation = textOf(attributes['gen_ai.conversation.id']);
  return {
    provider,
    model,
    functionName: span.name,
    apiType,
    named: {},
    ...errorOf(span),
    ...messagesOfSpan(span),
    parameters,
    response: undefined,
    variables: {},
    metadata: conversation !== '' ? { conversation_id: conversation } : {},
    tags: [],
    scores: {},
    usage,
    price: await prices.priceOf({ provider, model, at: startedAt }, usage),
    startedAt,
    endedAt: span.endedAt.ms,
    groupId: null,
    traceId: null,
    spanId: null,
  };
}
