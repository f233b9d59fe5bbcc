import { NetworkError } from '../errors.ts';
import { isLoopback } from '../http/loopback.ts';
import { connectFaultOf } from '../http/reach.ts';

/** How to start the servers that people run themselves. */
const starts: Readonly<Record<string, string>> = {
  ollama: 'Start Ollama (ollama serve), then run this again.',
  lmstudio: 'Start the server of LM Studio (lms server start), then run this again.',
  vllm: 'Start vLLM (vllm serve), then run this again.',
};
/** Where they listen by default, whatever provider the address was given for. */
const ports: Readonly<Record<string, string>> = { '11434': 'ollama', '1234': 'lmstudio' };

function hintOf({ hostname, port }: URL, provider: string): string {
  if (!isLoopback(hostname)) return 'Check the address and the network connection.';
  return (
    starts[ports[port] ?? provider] ??
    'Start the server there or correct its address, then run this again.'
  );
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: ': its name is not known',
  EAI_AGAIN: ': the name server does not answer',
  UND_ERR_CONNECT_TIMEOUT: ' in time',
};

/** The error for a provider that could not be connected to; undefined for any other fault. */
export function unreachedError(
  error: unknown,
  url: URL,
  provider: string,
): NetworkError | undefined {
  const fault = connectFaultOf(error);
  if (fault === undefined) return undefined;
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  // The proxy could not be reached, which says nothing about the provider.
  if (fault.port !== undefined && fault.port !== port) return undefined;
  if (fault.host !== undefined && fault.host !== url.hostname) return undefined;
  return new NetworkError(`No server answers at ${url.origin}${reasons[fault.code] ?? ''}.`, {
    hint: hintOf(url, provider),
    isUnsent: true,
    cause: error,
  });
}

/** Whether no connection was made, so that nothing was sent and nothing can have been paid for. */
export const isUnreached = (error: unknown): boolean =>
  error instanceof Error && 'isUnsent' in error && error.isUnsent === true;
