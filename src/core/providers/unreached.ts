import type { ErrorAdvice } from '../errors.ts';
import { NetworkError } from '../errors.ts';
import { isLoopback } from '../http/loopback.ts';
import { connectFaultOf } from '../http/reach.ts';

/** How to start the servers that people run themselves. */
const starts: Readonly<Record<string, ErrorAdvice>> = {
  ollama: { kind: 'start-ollama' },
  lmstudio: { kind: 'start-lmstudio' },
  vllm: { kind: 'start-vllm' },
};
/** Where they listen by default, whatever provider the address was given for. */
const ports: Readonly<Record<string, string>> = { '11434': 'ollama', '1234': 'lmstudio' };

function hintOf({ hostname, port }: URL, provider: string): ErrorAdvice {
  if (!isLoopback(hostname)) return { kind: 'check-address' };
  return starts[ports[port] ?? provider] ?? { kind: 'start-server' };
}

const kinds = {
  ENOTFOUND: 'no-server-known',
  EAI_AGAIN: 'no-name-server',
  UND_ERR_CONNECT_TIMEOUT: 'no-server-in-time',
} as const;
const kindOf = (code: string) =>
  code in kinds ? kinds[code as keyof typeof kinds] : ('no-server' as const);

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
  return new NetworkError(
    { kind: kindOf(fault.code), origin: url.origin },
    { hint: hintOf(url, provider), isUnsent: true, cause: error },
  );
}

/** Whether no connection was made, so that nothing was sent and nothing can have been paid for. */
export const isUnreached = (error: unknown): boolean =>
  error instanceof Error && 'isUnsent' in error && error.isUnsent === true;
