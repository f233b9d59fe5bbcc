import { AwsV4Signer } from 'aws4fetch';
import { pathSegment } from '../../destination/destination.ts';
import { ConfigurationError } from '../../errors.ts';
import { completeBase } from '../openai/address.ts';
import type { ModelCall, ProviderContext, ProviderRequest } from '../provider.ts';

interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const withToken = (sessionToken: string | undefined) =>
  sessionToken === undefined ? {} : { sessionToken };

async function keysOf(call: ModelCall, context: ProviderContext): Promise<AwsKeys> {
  const accessKeyId = await context.secret('AWS_ACCESS_KEY_ID');
  const secretAccessKey = await context.secret('AWS_SECRET_ACCESS_KEY');
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigurationError(
      { kind: 'no-provider-key', provider: call.provider },
      { hint: { kind: 'set-aws-key' } },
    );
  }
  return {
    accessKeyId,
    secretAccessKey,
    ...withToken(await context.secret('AWS_SESSION_TOKEN')),
  };
}

async function regionOf(context: ProviderContext): Promise<string> {
  const region = (await context.variable('AWS_REGION', 'AWS_DEFAULT_REGION')) ?? 'us-east-1';
  if (/^[a-z\d-]+$/.test(region)) return region;
  throw new ConfigurationError({ kind: 'aws-region' }, { hint: { kind: 'set-aws-region' } });
}

function hostOf(region: string): string {
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return `https://bedrock-runtime.${region}.${domain}`;
}

/** `yyyymmddThhmmssZ` */
const stampOf = (ms: number): string => new Date(ms).toISOString().replaceAll(/[:-]|\.\d{3}/g, '');

/**
 * A signed call of Bedrock's runtime. A key for Bedrock (`AWS_BEARER_TOKEN_BEDROCK`, or the one of
 * a custom provider) goes before keys that sign. The address is the one that the
 * workspace has set, else
 * `AWS_ENDPOINT_URL_BEDROCK_RUNTIME` or `AWS_ENDPOINT_URL`, else the one of the region.
 */
export async function bedrockRequest(
  action: string,
  model: string,
  call: ModelCall,
  context: ProviderContext,
  body: Readonly<Record<string, unknown>>,
): Promise<ProviderRequest> {
  const region = await regionOf(context);
  const base =
    call.baseURL ??
    (await context.variable('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'AWS_ENDPOINT_URL')) ??
    hostOf(region);
  const url = `${completeBase(call.provider, base).replace(/\/+$/, '')}/model/${pathSegment(model, 'A model')}/${action}`;
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  const bearer = call.apiKey ?? (await context.secret('AWS_BEARER_TOKEN_BEDROCK'));
  if (bearer !== undefined) {
    return { url, headers: { ...headers, authorization: `Bearer ${bearer}` }, body: text };
  }
  const signed = await new AwsV4Signer({
    method: 'POST',
    url,
    headers,
    body: text,
    ...(await keysOf(call, context)),
    service: 'bedrock',
    region,
    datetime: stampOf(context.clock.now()),
  }).sign();
  return { url, headers: Object.fromEntries(signed.headers), body: text };
}
