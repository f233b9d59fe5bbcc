import { ConfigurationError } from '../errors.ts';
import type { ExchangeSettings } from '../providers/exchange.ts';
import { fetchProvider, fetchProviderJson } from '../providers/exchange.ts';
import type { ModelCall, ProviderContext } from '../providers/provider.ts';
import type { RunContext } from './context.ts';
import { hostProviderOf } from './host-template.ts';

export interface CallEnvironment {
  readonly exchange: ExchangeSettings;
  readonly provider: ProviderContext;
}

/** The service says where some providers are. A key of the environment is not for itself. */
const isService = (address: string | undefined, { baseURL }: RunContext['settled']): boolean =>
  address !== undefined && URL.canParse(address) && new URL(address).origin === baseURL.origin;

/** What the module of a provider works with, for one call. */
export function callEnvironmentOf(
  {
    settled,
    connections,
    leavesRateLimits,
    reach,
  }: Pick<RunContext, 'settled' | 'connections'> &
    Pick<ExchangeSettings, 'leavesRateLimits' | 'reach'>,
  call: ModelCall,
  signal: AbortSignal | undefined,
): CallEnvironment {
  const { clock, logger, redact, hide, lookUp } = settled;
  const host = hostProviderOf(settled.hostProviders, call.provider);
  const exchange: ExchangeSettings = {
    connections:
      host === undefined
        ? connections
        : {
            open: async (request, until) =>
              (await import('../providers/host/host-connections.ts')).openHost(
                ...([host, call, request, until] as const),
              ),
          },
    clock,
    logger,
    redact,
    timeoutMs: settled.providerTimeoutMs,
    maxBodyBytes: settled.maxBodyBytes,
    provider: call.provider,
    leavesRateLimits,
    reach,
    signal,
  };
  const isStranger = call.isCustom === true || isService(call.baseURL, settled);
  if (call.apiKey !== undefined) hide(call.apiKey);
  const variable = async (...names: readonly string[]): Promise<string | undefined> => {
    for (const name of names) {
      const value = (await lookUp(name))?.trim();
      if (value !== undefined && value !== '') return value;
    }
    return undefined;
  };
  const secret = async (...names: readonly string[]): Promise<string | undefined> => {
    if (isStranger) return undefined;
    const value = await variable(...names);
    if (value !== undefined) hide(value);
    return value;
  };
  return {
    exchange,
    provider: {
      clock,
      logger,
      signal,
      variable,
      isStranger,
      secret,
      hide,
      requireSecret: async (...names) => {
        const value = await secret(...names);
        if (value !== undefined) return value;
        throw new ConfigurationError(
          { kind: 'no-provider-key', provider: call.provider },
          { hint: isStranger ? { kind: 'set-custom-key' } : { kind: 'set-variable', names } },
        );
      },
      fetchJson: (request) => fetchProviderJson(request, exchange),
      fetchBytes: (request) => fetchProvider(request, exchange),
    },
  };
}
