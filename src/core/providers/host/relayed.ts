import type { Mapping } from '../../mapping.ts';
import { ConfigurationError, isPromptTablesError } from '../../errors.ts';
import type { HostProvider } from './host-provider.ts';
import { ProviderError } from '../provider-error.ts';
import type { RelayAnswer } from './relay-messages.ts';
import { notAsked } from './relay-messages.ts';

const errorTypes = ['PROVIDER_AUTH_ERROR', 'PROVIDER_QUOTA_LIMIT', 'PROVIDER_TIMEOUT'] as const;

/** What becomes of a request to a model of this program. Throws what ends by its signal. */
export async function relayedAnswer(
  ask: HostProvider,
  body: Mapping,
  signal: AbortSignal,
): Promise<RelayAnswer> {
  const chunks: Mapping[] = [];
  try {
    for await (const chunk of ask(body, signal)) chunks.push(chunk);
    signal.throwIfAborted();
    return { chunks };
  } catch (error) {
    signal.throwIfAborted();
    const { message, hint } = isPromptTablesError(error)
      ? error
      : { message: error instanceof Error ? error.message : String(error), hint: undefined };
    const type = error instanceof ProviderError ? error.errorType : undefined;
    return { error: { message, hint, type } };
  }
}

/** The other side of it: an answer as the chunks that it is, or its error. */
export function chunksOf(answer: RelayAnswer, provider: string): readonly Mapping[] {
  if ('chunks' in answer) return answer.chunks;
  const { message, hint, type } = answer.error;
  if (type === notAsked) throw new ConfigurationError(message, { hint });
  throw new ProviderError(message, {
    provider,
    hint,
    errorType: errorTypes.find((known) => known === type),
  });
}
