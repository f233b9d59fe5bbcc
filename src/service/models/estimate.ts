import type { Mapping } from '../../core/mapping.ts';
import { isMapping } from '../../core/mapping.ts';
import type { Prices } from '../requests/prices.ts';
import { noUsage } from '../requests/usage.ts';

/** A call before it is made. */
export interface PlannedCall {
  readonly provider: string;
  readonly model: string;
  readonly kwargs: Mapping;
  /** Vectors have no output that is paid for. */
  readonly apiType?: string | undefined;
}

/** Fewer bytes make no token in any of the usual vocabularies, but for odd texts. */
const BYTES_A_TOKEN = 3;
/** Of a picture or a file, whatever its size. */
const MEDIA_TOKENS = 2000;
const MEDIA = /^(?:data:[^,]{0,100},|[\w+/=-]{2000})/;
/** Where a call sets no limit to its answer. */
const USUAL_OUTPUT_TOKENS = 1024;

const limitNames = new Set([
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'maxOutputTokens',
  'maxTokens',
  'max_tokens_to_sample',
]);

/** The limit of the answer: at the top, or in the group of settings that some providers have. */
function outputLimit(kwargs: Mapping, depth = 0): number | undefined {
  for (const [name, value] of Object.entries(kwargs)) {
    if (limitNames.has(name) && typeof value === 'number' && value > 0) return value;
    if (depth === 0 && /config/i.test(name) && isMapping(value)) {
      const inner = outputLimit(value, 1);
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}

function inputTokens(value: unknown): number {
  if (typeof value === 'string') {
    return MEDIA.test(value) ? MEDIA_TOKENS : Buffer.byteLength(value) / BYTES_A_TOKEN;
  }
  if (typeof value !== 'object' || value === null) return 2;
  return Object.entries(value).reduce(
    (sum, [name, item]) =>
      sum + inputTokens(item) + (Array.isArray(value) ? 1 : name.length / BYTES_A_TOKEN + 1),
    4,
  );
}

/**
 * USD that a call should cost at most: all of its input, and an answer as long as it may be, or a
 * usual one where nothing limits it. Null when nobody knows the price of the model.
 */
export async function estimateCost(prices: Prices, call: PlannedCall): Promise<number | null> {
  return prices.priceOf(
    { provider: call.provider, model: call.model, at: Date.now() },
    {
      ...noUsage,
      inputTokens: Math.ceil(inputTokens(call.kwargs)),
      outputTokens:
        call.apiType === 'embeddings' ? 0 : (outputLimit(call.kwargs) ?? USUAL_OUTPUT_TOKENS),
    },
  );
}
