import { pathSegment } from '../../destination/destination.ts';
import { ConfigurationError } from '../../errors.ts';
import type { Address } from '../openai/address.ts';
import { completeBase, joinUrl, requestOf } from '../openai/address.ts';
import { openAiApi } from '../openai/apis.ts';
import type { ModelCall, Provider, ProviderContext } from '../provider.ts';

/** The APIs whose path names the deployment; responses name it in the body. */
const deployed = new Set(['chat/completions', 'completions', 'images/generations']);

/** The key of the environment counts first; a stranger finds none there, and has its own. */
async function authOf(call: ModelCall, context: ProviderContext): Promise<Record<string, string>> {
  const key = (await context.secret('AZURE_OPENAI_API_KEY')) ?? call.apiKey;
  if (key !== undefined) return { 'api-key': key };
  const token = await context.secret('AZURE_OPENAI_AD_TOKEN');
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  return { 'api-key': await context.requireSecret('AZURE_OPENAI_API_KEY') };
}

/** The environment first, as in the public client; but a custom provider is meant, and no other. */
async function endpointOf(call: ModelCall, context: ProviderContext): Promise<string> {
  const found = await context.variable('AZURE_OPENAI_ENDPOINT');
  const endpoint = call.isCustom === true ? (call.baseURL ?? found) : (found ?? call.baseURL);
  if (endpoint !== undefined) return completeBase(call.provider, endpoint);
  throw new ConfigurationError(
    { kind: 'no-endpoint', provider: call.provider },
    { hint: { kind: 'set-azure-endpoint' } },
  );
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
    url.pathname = joinUrl(`${root}/deployments/${pathSegment(deployment, 'A deployment')}`, path);
  }
  if (version !== undefined) url.searchParams.set('api-version', version);
  return url.href;
}

const azureAddress: Address = async (path, body, call, context) => {
  const auth = await authOf(call, context);
  const endpoint = await endpointOf(call, context);
  const version = await context.variable('OPENAI_API_VERSION');
  const url = azureUrl(endpoint, path, { version, deployment: call.model });
  return requestOf(url, auth, body, call.stream);
};

/** OpenAI's models at Azure. */
export function azureOpenAi(call: ModelCall): Promise<Provider> {
  return openAiApi(call, azureAddress, 'openai.AzureOpenAI');
}
