import type { Mapping } from '../../mapping.ts';
import type { Provider } from '../provider.ts';
import { chatCompletions } from '../openai/chat.ts';
import { requestOf } from '../openai/address.ts';

/**
 * Models that the program around the client has itself: the body of a request in the words of
 * OpenAI's chat API -> chunks of its streams (`chat.completion.chunk`). What it throws is what the
 * run throws, a ProviderError by preference. It ends soon after its signal was aborted.
 */
export type HostProvider = (body: Mapping, signal: AbortSignal) => AsyncIterable<Mapping>;

/** By the provider's name in a template's metadata or in the options of a run. */
export type HostProviders = Readonly<Record<string, HostProvider>>;

/** Its connections open none: no key, no address and no proxy are asked for. */
export const hostProvider = (): Provider =>
  chatCompletions(
    (path, body, call) =>
      Promise.resolve(requestOf(`http://${call.provider}/${path}`, {}, body, call.stream)),
    { functionName: 'host.chat.completions' },
  );
