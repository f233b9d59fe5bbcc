import * as vscode from 'vscode';
import type { Client, ClientOptions } from '../../core/index.ts';
import type { App } from '../shell/app.ts';
import type { LocalAccess } from '../shell/local-access.ts';
import type { Settings } from '../shell/settings.ts';
import { proxyEnvironment } from './environment.ts';

export interface HostedAccess {
  readonly baseURL: string;
  readonly apiKey: string;
}

type ClientParts = Pick<App, 'log' | 'settings' | 'context'>;

/** The core is loaded with the first client, not at activation. */
async function open(options: ClientOptions): Promise<Client> {
  const core = await import('../../core/index.ts');
  // A run is several calls, and somebody waits for it: an outage is waited for once, not by each.
  return new core.Client({ ...options, retriesWhileUnreachable: false });
}

const userAgent = (context: vscode.ExtensionContext): string => {
  const { version } = context.extension.packageJSON as { readonly version: string };
  return `prompt-tables-vscode/${version} (VS Code ${vscode.version})`;
};

export type Overrides = Pick<
  ClientOptions,
  | 'timeoutMs'
  | 'clock'
  | 'cacheTtlSeconds'
  | 'onCacheChange'
  | 'providerEnvironment'
  | 'allowAddress'
  | 'hostProviders'
  | 'answerStore'
>;

function networkOptions(settings: Settings): Pick<ClientOptions, 'environment' | 'proxy'> {
  const { proxy, noProxy, strictSSL, systemCertificates, ignoreEnvironment } = settings.network();
  return {
    environment: ignoreEnvironment ? {} : proxyEnvironment(),
    proxy: { url: proxy, noProxy, strictSSL, systemCertificates },
  };
}

/**
 * A client of a service, through the proxy and certificates that VS Code is set to. The socket of the
 * local one needs none; the model providers that it runs prompts with may.
 */
export async function openClient(
  { log, settings, context }: ClientParts,
  access: HostedAccess | LocalAccess,
  overrides: Overrides = {},
): Promise<Client> {
  return open({
    ...access,
    timeoutMs: settings.get('requestTimeoutSeconds') * 1000,
    providerTimeoutMs: settings.get('run.providerTimeoutSeconds') * 1000,
    logger: log,
    userAgent: userAgent(context),
    ...networkOptions(settings),
    ...overrides,
  });
}
