import { readFileSync } from 'node:fs';
import type { calcPrice } from '@pydantic/genai-prices';
import * as z from 'zod';
import type { Usage } from './usage.ts';
import { ownValue } from '../../api/own-value.ts';

/** USD for a million tokens. */
const OwnPrice = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  cached_input: z.number().min(0).optional(),
});
const OwnPrices = z.record(z.string(), OwnPrice);
export type OwnPrices = z.output<typeof OwnPrices>;

const MILLION = 1e6;

/** Counts that cost what others of their side cost, unless the list says otherwise. */
const usualPrice: ReadonlySet<string> = new Set(['input_image_tokens', 'cache_write_1h_tokens']);

/** How the list calls the price of a count: `input_audio_tokens` -> `input_audio_mtok`. */
const priceKey = (name: string): string =>
  name.endsWith('_tokens') ? name.replace(/_tokens$/, '_mtok') : `${name}_kcount`;

/** The names of providers in the price list. */
const listed: Readonly<Record<string, string>> = {
  'openai.azure': 'azure',
  vertexai: 'google',
  'amazon.bedrock': 'aws',
  'anthropic.bedrock': 'aws',
  xai: 'x-ai',
};

/** Reads a file such as `{"openai/my-model": {"input": 1.5, "output": 6}}`. */
export function readOwnPrices(file: string): OwnPrices {
  const explain = (reason: string, cause: unknown): Error =>
    new Error(
      `The file of prices ${file} ${reason}. It holds {"provider/model": {"input": USD, "output": USD}}, for a million tokens each.`,
      { cause },
    );
  let sent: unknown;
  try {
    sent = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw explain("can't be read as JSON", cause);
  }
  const parsed = OwnPrices.safeParse(sent);
  if (!parsed.success) {
    throw explain(`isn't valid: ${z.prettifyError(parsed.error)}`, parsed.error);
  }
  return parsed.data;
}

/** Counts that contradict each other have no price. */
function calculate<Price>(price: () => Price): Price | null {
  try {
    return price();
  } catch {
    return null;
  }
}

/** Half a megabyte of list: only for those who log. Asking for it again costs as much as a statement. */
let listedPrices: Promise<{ readonly calcPrice: typeof calcPrice }> | undefined;

/** Prices of models: one's own first, then a public list that is dated. */
export class Prices {
  readonly #own: OwnPrices;

  constructor(own: OwnPrices = {}) {
    this.#own = own;
  }

  /**
   * USD for a request; null when the model's price or its tokens are not known. An unknown price is
   * never 0.
   */
  async priceOf(
    {
      provider,
      model,
      at,
    }: { readonly provider: string; readonly model: string; readonly at: number },
    usage: Usage,
  ): Promise<number | null> {
    if (usage.price !== null) return usage.price;
    const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens, priced } = usage;
    // Half of the tokens are half of a price.
    if (inputTokens === null || outputTokens === null) return null;
    const own = this.#ownPrice(provider, model);
    if (own !== undefined) {
      const cached = Math.min(cachedTokens ?? 0, inputTokens);
      return (
        ((inputTokens - cached) * own.input +
          cached * (own.cached_input ?? own.input) +
          outputTokens * own.output) /
        MILLION
      );
    }
    // The list has the usual prices alone.
    if (usage.isSpecialTier) return null;
    const list = await (listedPrices ??= import('@pydantic/genai-prices'));
    const calculated = calculate(() =>
      list.calcPrice(
        {
          input_tokens: inputTokens,
          output_tokens: outputTokens,
          ...(cachedTokens !== null &&
            cachedTokens <= inputTokens && { cache_read_tokens: cachedTokens }),
          ...(cacheWriteTokens !== null &&
            cacheWriteTokens + (cachedTokens ?? 0) <= inputTokens && {
              cache_write_tokens: cacheWriteTokens,
            }),
          ...priced,
        },
        model,
        { providerId: ownValue(listed, provider) ?? provider, timestamp: new Date(at) },
      ),
    );
    if (calculated === null) return null;
    const isListed = Object.keys(priced).every(
      (name) => usualPrice.has(name) || priceKey(name) in calculated.model_price,
    );
    return isListed ? calculated.total_price : null;
  }

  #ownPrice(provider: string, model: string): OwnPrices[string] | undefined {
    for (const name of [`${provider}/${model}`, model]) {
      if (Object.hasOwn(this.#own, name)) return this.#own[name];
    }
    return undefined;
  }
}
