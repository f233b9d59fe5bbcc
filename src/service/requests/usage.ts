import type { Mapping } from '../../core/mapping.ts';
import { isMapping } from '../../core/mapping.ts';

/** Tokens of one request. Cached and thinking ones are counted in input and output too. */
export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly thinkingTokens: number | null;
  /** What the provider itself says it cost, in USD. */
  readonly price: number | null;
}

export const noUsage: Usage = {
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  thinkingTokens: null,
  price: null,
};

const inside = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (isMapping(at) ? at[name] : undefined), value);

/** The first of these places that holds a count. */
function count(usage: Mapping, ...places: readonly string[]): number | null {
  for (const place of places) {
    const value = inside(usage, ...place.split('.'));
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return Math.round(value);
  }
  return null;
}

const sum = (...counts: readonly (number | null)[]): number | null =>
  counts.every((one) => one === null)
    ? null
    : counts.reduce<number>((total, one) => total + (one ?? 0), 0);

const google = (usage: Mapping): Usage => {
  const thinking = count(usage, 'thoughtsTokenCount', 'thoughts_token_count');
  return {
    inputTokens: sum(
      count(usage, 'promptTokenCount', 'prompt_token_count'),
      count(usage, 'toolUsePromptTokenCount', 'tool_use_prompt_token_count'),
    ),
    outputTokens: sum(count(usage, 'candidatesTokenCount', 'candidates_token_count'), thinking),
    cachedTokens: count(usage, 'cachedContentTokenCount', 'cached_content_token_count'),
    cacheWriteTokens: null,
    thinkingTokens: thinking,
    price: null,
  };
};

/** Anthropic and Amazon count what came from a cache beside the input, not in it. */
const besideCache = (usage: Mapping): Usage => {
  const cached = count(usage, 'cache_read_input_tokens', 'cacheReadInputTokens');
  const written = count(usage, 'cache_creation_input_tokens', 'cacheWriteInputTokens');
  return {
    inputTokens: sum(count(usage, 'input_tokens', 'inputTokens'), cached, written),
    outputTokens: count(usage, 'output_tokens', 'outputTokens'),
    cachedTokens: cached,
    cacheWriteTokens: written,
    thinkingTokens: null,
    price: null,
  };
};

const openAi = (usage: Mapping): Usage => ({
  inputTokens: count(
    usage,
    'prompt_tokens',
    'promptTokens',
    'input_tokens',
    'tokens.input_tokens',
    'billed_units.input_tokens',
  ),
  outputTokens: count(
    usage,
    'completion_tokens',
    'completionTokens',
    'output_tokens',
    'tokens.output_tokens',
    'billed_units.output_tokens',
  ),
  cachedTokens: count(
    usage,
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
    'prompt_cache_hit_tokens',
  ),
  cacheWriteTokens: null,
  thinkingTokens: count(
    usage,
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
  ),
  price: typeof usage['cost'] === 'number' && usage['cost'] >= 0 ? usage['cost'] : null,
});

/** Tokens as the answer of any of the providers counts them; null for what it does not say. */
export function usageOf(response: unknown): Usage {
  if (!isMapping(response)) return noUsage;
  const ofGoogle = response['usageMetadata'] ?? response['usage_metadata'];
  if (isMapping(ofGoogle)) return google(ofGoogle);
  const { usage } = response;
  if (!isMapping(usage)) return noUsage;
  const isBesideCache =
    'inputTokens' in usage ||
    'cache_read_input_tokens' in usage ||
    'cache_creation_input_tokens' in usage;
  return isBesideCache ? besideCache(usage) : openAi(usage);
}
