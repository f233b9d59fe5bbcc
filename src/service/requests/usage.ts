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
  /** Counts that have prices of their own, as the price list calls them. Those of tokens are in the above. */
  readonly priced: Readonly<Record<string, number>>;
  /** Whether it was done at a price that is not the usual one: in a batch, with priority. */
  readonly isSpecialTier: boolean;
}

export const noUsage: Usage = {
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  thinkingTokens: null,
  price: null,
  priced: {},
  isSpecialTier: false,
};

const inside = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (isMapping(at) ? at[name] : undefined), value);

/** Models of VS Code: their extension has counted the tokens, not the provider. */
export const hasEstimatedUsage = (response: unknown): boolean =>
  inside(response, 'usage', 'estimated') === true;

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

/** Only what is there at all. */
const some = (counts: Readonly<Record<string, number | null>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(counts).flatMap(([name, value]) =>
      value === null || value === 0 ? [] : [[name, value]],
    ),
  );

/** Tokens of one kind, as Google lists them. */
function modality(usage: Mapping, kind: string, ...lists: readonly string[]): number | null {
  const list = lists.map((name) => usage[name]).find(Array.isArray) ?? [];
  const counts = list.filter(isMapping).filter(({ modality: name }) => name === kind);
  return sum(...counts.map((one) => count(one, 'tokenCount', 'token_count')));
}

const google = (usage: Mapping): Usage => {
  const thinking = count(usage, 'thoughtsTokenCount', 'thoughts_token_count');
  const prompt = ['promptTokensDetails', 'prompt_tokens_details'] as const;
  const reply = ['candidatesTokensDetails', 'candidates_tokens_details'] as const;
  return {
    ...noUsage,
    priced: some({
      input_audio_tokens: modality(usage, 'AUDIO', ...prompt),
      output_audio_tokens: modality(usage, 'AUDIO', ...reply),
      output_image_tokens: modality(usage, 'IMAGE', ...reply),
    }),
    inputTokens: sum(
      count(usage, 'promptTokenCount', 'prompt_token_count'),
      count(usage, 'toolUsePromptTokenCount', 'tool_use_prompt_token_count'),
    ),
    outputTokens: sum(count(usage, 'candidatesTokenCount', 'candidates_token_count'), thinking),
    cachedTokens: count(usage, 'cachedContentTokenCount', 'cached_content_token_count'),
    thinkingTokens: thinking,
  };
};

/** Anthropic and Amazon count what came from a cache beside the input, not in it. */
const besideCache = (usage: Mapping): Usage => {
  const cached = count(usage, 'cache_read_input_tokens', 'cacheReadInputTokens');
  const written = count(usage, 'cache_creation_input_tokens', 'cacheWriteInputTokens');
  return {
    ...noUsage,
    inputTokens: sum(count(usage, 'input_tokens', 'inputTokens'), cached, written),
    outputTokens: count(usage, 'output_tokens', 'outputTokens'),
    cachedTokens: cached,
    cacheWriteTokens: written,
    priced: some({
      cache_write_1h_tokens: count(usage, 'cache_creation.ephemeral_1h_input_tokens'),
      web_searches: count(usage, 'server_tool_use.web_search_requests'),
    }),
  };
};

/** A price in USD, where a provider tells it. Who pays a model's maker himself pays that beside it. */
function ownPrice(usage: Mapping): number | null {
  const cost = inside(usage, 'cost', 'total_cost') ?? usage['cost'];
  if (typeof cost !== 'number' || cost < 0) return null;
  if (usage['is_byok'] !== true) return cost;
  const upstream = inside(usage, 'cost_details', 'upstream_inference_cost');
  return typeof upstream === 'number' && upstream >= 0 ? cost + upstream : null;
}

const openAi = (usage: Mapping): Usage => ({
  ...noUsage,
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
  priced: some({
    input_audio_tokens: count(usage, 'prompt_tokens_details.audio_tokens'),
    output_audio_tokens: count(usage, 'completion_tokens_details.audio_tokens'),
    input_image_tokens: count(usage, 'input_tokens_details.image_tokens'),
    output_image_tokens: count(usage, 'completion_tokens_details.image_tokens'),
  }),
  thinkingTokens: count(
    usage,
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
  ),
  price: ownPrice(usage),
});

/**
 * Some leave out a count that is the rest of the total, or count thoughts in the total alone. That
 * nothing at all was sent is no count: some servers fill in zeros.
 */
function settled(usage: Usage, total: number | null): Usage {
  const { inputTokens: input, outputTokens: output } = usage;
  if (input === 0) return settled({ ...usage, inputTokens: null }, total === 0 ? null : total);
  if (input === null && output === 0 && total === null) return { ...usage, outputTokens: null };
  if (total === null) return usage;
  if (input === null) {
    const rest = output === null ? null : total - output;
    return { ...usage, inputTokens: rest !== null && rest > 0 ? rest : null };
  }
  return total >= input && total - input > (output ?? -1)
    ? { ...usage, outputTokens: total - input }
    : usage;
}

/** Searches of OpenAI's own tool, which are paid for each. */
const searchesIn = ({ output }: Mapping): number =>
  Array.isArray(output)
    ? output.filter((item) => isMapping(item) && item['type'] === 'web_search_call').length
    : 0;

const isSpecial = (tier: unknown): boolean =>
  typeof tier === 'string' && /^(?:batch|flex|priority)$/.test(tier);

/** Tokens as the answer of any of the providers counts them; null for what it does not say. */
export function usageOf(response: unknown): Usage {
  if (!isMapping(response)) return noUsage;
  const ofGoogle = response['usageMetadata'] ?? response['usage_metadata'];
  if (isMapping(ofGoogle)) {
    const total = count(ofGoogle, 'totalTokenCount', 'total_token_count');
    return settled(google(ofGoogle), total);
  }
  const { usage } = response;
  if (!isMapping(usage)) return noUsage;
  const isBesideCache =
    'inputTokens' in usage ||
    'cache_read_input_tokens' in usage ||
    'cache_creation_input_tokens' in usage;
  const found = settled(
    isBesideCache ? besideCache(usage) : openAi(usage),
    // What is counted beside a cache is not in every total.
    isBesideCache ? null : count(usage, 'total_tokens', 'totalTokens'),
  );
  const searches = searchesIn(response);
  return {
    ...found,
    isSpecialTier: isSpecial(response['service_tier']) || isSpecial(usage['service_tier']),
    ...(searches > 0 && { priced: { ...found.priced, web_searches: searches } }),
  };
}
