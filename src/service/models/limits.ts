import { ownValue } from '../../api/own-value.ts';

/** Plain data: it travels to the worker thread. */
export interface ModelLimits {
  /** Requests to one provider at the same time, of all processes together; `*` is any other one. */
  readonly concurrency: Readonly<Record<string, number>>;
}

export const concurrencyVariable = 'PROMPT_TABLES_CONCURRENCY';
const costVariable = 'PROMPT_TABLES_COST_CEILING';

const USUAL_CONCURRENCY = 16;
const MOST_CONCURRENCY = 1000;

export const usualLimits: ModelLimits = { concurrency: { '*': USUAL_CONCURRENCY } };

export const concurrencyOf = ({ concurrency }: ModelLimits, provider: string): number =>
  ownValue(concurrency, provider) ?? concurrency['*'] ?? USUAL_CONCURRENCY;

/** The largest limit of any provider. */
export const mostAtOnce = ({ concurrency }: ModelLimits): number =>
  Math.max(...Object.values(concurrency));

/** Reads `8`, or `openai=4,ollama=1,*=8`. Throws an Error that says what is wrong. */
export function readConcurrency(text: string | undefined): ModelLimits['concurrency'] {
  const entries = (text ?? '').split(',').map((entry) => entry.trim());
  const found: Record<string, number> = { ...usualLimits.concurrency };
  for (const entry of entries) {
    if (entry === '') continue;
    const [, name = '*', digits = ''] = /^(?:([\w.*-]+)\s*=\s*)?(\d+)$/.exec(entry) ?? [];
    const number = Number(digits);
    if (digits === '' || number < 1 || number > MOST_CONCURRENCY) {
      throw new Error(
        `${concurrencyVariable}: "${entry}" isn't a limit. Write a number from 1 to ${String(MOST_CONCURRENCY)}, or one for each provider: openai=4,ollama=1,*=8.`,
      );
    }
    found[name] = number;
  }
  return found;
}

/** USD that an operation may cost, or undefined. Throws an Error for what is no amount. */
export function readCostCeiling(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return undefined;
  const usd = Number(trimmed.replace(/^\$/, ''));
  if (Number.isFinite(usd) && usd >= 0) return usd;
  throw new Error(`${costVariable}: "${trimmed}" is not an amount in USD. Write one such as 2.50.`);
}
