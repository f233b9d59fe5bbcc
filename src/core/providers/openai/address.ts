import { ConfigurationError } from '../../errors.ts';
import type { ModelCall, ProviderContext, ProviderRequest } from '../provider.ts';
import type { ProviderVariable } from '../variables.ts';

/** Where an API that speaks OpenAI's language lives, and whose key opens it. */
export interface OpenAiHost {
  readonly baseURL: string;
  /** Variables that may hold another address. */
  readonly baseVariables: readonly ProviderVariable[];
  readonly keyVariables: readonly ProviderVariable[];
  /** A server of one's own: a key is sent if there is one. */
  readonly needsNoKey?: boolean;
  /** What an address that names no more than a host goes on with. */
  readonly basePath?: string;
  /** Headers whose value a variable may hold: `{ 'openai-project': 'OPENAI_PROJECT_ID' }`. */
  readonly headerVariables?: Readonly<Record<string, ProviderVariable>>;
}

/** Body for one path of an API -> the request. */
export type Address = (
  path: string,
  body: Readonly<Record<string, unknown>> | undefined,
  call: ModelCall,
  context: ProviderContext,
) => Promise<ProviderRequest>;

export const joinUrl = (base: string, path: string): string =>
  `${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;

/**
 * Checks an address and adds `path` to one that is a mere host. Errors: ConfigurationError when it
 * is no address of the web.
 */
export function completeBase(provider: string, base: string, path = ''): string {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ConfigurationError(
      { kind: 'provider-address', provider },
      { hint: { kind: 'write-address' } },
    );
  }
  return path !== '' && url.pathname === '/' ? joinUrl(base, path) : base;
}

/** Method, headers and text of a request with a body, or of one that only asks. */
export function requestOf(
  url: string,
  auth: Readonly<Record<string, string>>,
  body: Readonly<Record<string, unknown>> | undefined,
  isStream: boolean,
): ProviderRequest {
  const accept = isStream ? 'text/event-stream' : 'application/json';
  return body === undefined
    ? { method: 'GET', url, headers: { accept, ...auth } }
    : {
        url,
        headers: { 'content-type': 'application/json', accept, ...auth },
        body: JSON.stringify(body),
      };
}

/** The address of a host whose key travels as a bearer token. */
export function bearerAddress(host: OpenAiHost): Address {
  return async (path, body, call, context) => {
    const own = call.baseURL ?? (await context.variable(...host.baseVariables));
    const key = await keyFor(host, own !== undefined, call, context);
    const headers: Record<string, string> = {};
    for (const [name, variable] of Object.entries(host.headerVariables ?? {})) {
      // As a key: whose organization it is, is no stranger's business.
      const value = await context.secret(variable);
      if (value !== undefined) headers[name] = value;
    }
    if (key !== undefined) headers['authorization'] = `Bearer ${key}`;
    const base = own === undefined ? host.baseURL : completeBase(call.provider, own, host.basePath);
    return requestOf(joinUrl(base, path), headers, body, call.stream);
  };
}

/** A server of one's own (Ollama, vLLM, LM Studio) often wants no key at all. */
async function keyFor(
  host: OpenAiHost,
  isElsewhere: boolean,
  call: ModelCall,
  context: ProviderContext,
): Promise<string | undefined> {
  if (call.apiKey !== undefined) return call.apiKey;
  const found = await context.secret(...host.keyVariables);
  if (found !== undefined || isElsewhere || host.needsNoKey === true) return found;
  return context.requireSecret(...host.keyVariables);
}
