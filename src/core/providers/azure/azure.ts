import { ConfigurationError } from '../../errors.ts';
import type { Mapping } from '../../mapping.ts';
import type { Address } from '../openai/address.ts';
import { completeBase, joinUrl, requestOf } from '../openai/address.ts';
import { openAiApi } from '../openai/apis.ts';
import { textOf } from '../openai/fields.ts';
import type { ModelCall, Provider, ProviderContext } from '../provider.ts';

/** The APIs whose path names the deployment; responses name it in the body. */
const deployed = new Set(['chat/completions', 'completions', 'images/generations']);

/** Arguments that say where, and are no part of the body. */
const settings = new Set(['apiVersion', 'api_version', 'deployment', 'azureDeployment']);

function setting(source: Mapping, ...names: readonly string[]): string | undefined {
  return names
    .map((name) => textOf(source[name]))
    .find((text) => text !== undefined && text !== '');
}

/**
 * The key of the environment counts first. Where the template says the address, its own key does:
 * the other one is not meant for strangers.
 */
async function authOf(
  call: ModelCall,
  context: ProviderContext,
  isElsewhere: boolean,
): Promise<Record<string, string>> {
  const own = isElsewhere ? call.apiKey : undefined;
  const key = own ?? (await context.secret('AZURE_OPENAI_API_KEY')) ?? call.apiKey;
  if (key !== undefined) return { 'api-key': key };
  const token =
    (await context.secret('AZURE_OPENAI_AD_TOKEN')) ??
    setting(call.credentials, 'azure_ad_token', 'azureADToken');
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  return { 'api-key': await context.requireSecret('AZURE_OPENAI_API_KEY') };
}

function endpointOf(call: ModelCall, found: string | undefined): string {
  const endpoint =
    found ?? setting(call.credentials, 'azure_endpoint', 'azureEndpoint') ?? call.baseURL;
  if (endpoint !== undefined) return completeBase(call.provider, endpoint);
  throw new ConfigurationError(`There is no endpoint for ${call.provider}.`, {
    hint: 'Set AZURE_OPENAI_ENDPOINT, such as https://my-resource.openai.azure.com.',
  });
}

/** Where Azure keeps a path: below a deployment and with a version, or in the API without one. */
export function azureUrl(
  endpoint: string,
  path: string,
  { version, deployment }: { readonly version: string | undefined; readonly deployment: string },
): string {
  const url = new URL(endpoint);
  const base = url.pathname.replace(/\/+$/, '');
  const root = /\/openai(?:\/|$)/.test(base) ? base : `${base}/openai`;
  const isUnversioned = root.endsWith('/v1');
  if (version === undefined && !isUnversioned && !root.includes('/deployments/')) {
    url.pathname = joinUrl(`${root}/v1`, path);
  } else if (!deployed.has(path) || isUnversioned || root.includes('/deployments/')) {
    url.pathname = joinUrl(root, path);
  } else {
    url.pathname = joinUrl(`${root}/deployments/${encodeURIComponent(deployment)}`, path);
  }
  if (version !== undefined) url.searchParams.set('api-version', version);
  return url.href;
}

/** Environment first, then what the template brings. */
const azureAddress: Address = async (path, body, call, context) => {
  const found = await context.variable('AZURE_OPENAI_ENDPOINT');
  const auth = await authOf(call, context, found === undefined);
  const version =
    (await context.variable('OPENAI_API_VERSION')) ??
    setting(call.kwargs, 'apiVersion', 'api_version');
  const deployment =
    setting(call.credentials, 'azure_deployment', 'azureDeployment') ??
    setting(call.kwargs, 'deployment', 'azureDeployment') ??
    call.model;
  const url = azureUrl(endpointOf(call, found), path, { version, deployment });
  const sent = Object.entries(body ?? {}).filter(([name]) => !settings.has(name));
  return requestOf(url, auth, Object.fromEntries(sent), call.stream);
};

/** OpenAI's models at Azure. */
export function azureOpenAi(call: ModelCall): Promise<Provider> {
  return openAiApi(call, azureAddress, 'openai.AzureOpenAI');
}
