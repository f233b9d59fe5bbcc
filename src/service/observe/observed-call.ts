import { usageOf } from '../requests/usage.ts';
import type { Observer } from './observer.ts';

interface Answered {
  readonly outcome: { readonly kind: string; readonly response?: unknown };
}

/** A request to a provider, as a span and as a number. */
export async function observedCall<Result extends Answered>(
  observer: Observer,
  { provider, model }: { readonly provider: string; readonly model: string },
  attempt: () => Promise<Result>,
): Promise<Result> {
  const started = performance.now();
  let result: Result | undefined;
  const usage = () => usageOf(result?.outcome.response);
  const span = {
    name: `ask ${model}`,
    kind: 'client',
    attributes: { 'gen_ai.provider.name': provider, 'gen_ai.request.model': model },
    ended: () => {
      const { inputTokens, outputTokens } = usage();
      return {
        'prompt_tables.outcome': result?.outcome.kind ?? 'not sent',
        ...(inputTokens !== null && { 'gen_ai.usage.input_tokens': inputTokens }),
        ...(outputTokens !== null && { 'gen_ai.usage.output_tokens': outputTokens }),
      };
    },
  } as const;
  const answered = await observer.inSpan(span, async () => (result = await attempt()));
  const { inputTokens, outputTokens } = usage();
  observer.modelAsked({
    provider,
    model,
    outcome: answered.outcome.kind === 'whole' ? 'completed' : 'failed',
    seconds: (performance.now() - started) / 1000,
    inputTokens,
    outputTokens,
  });
  return answered;
}
