import { AwsV4Signer } from 'aws4fetch';
import { ConfigurationError } from '../../errors.ts';
import type { ModelCall, ProviderContext, ProviderRequest } from '../provider.ts';

interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** A setting that the template holds under one of these names. */
function given({ credentials }: ModelCall, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = credentials[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return undefined;
}

const withToken = (sessionToken: string | undefined) =>
  sessionToken === undefined ? {} : { sessionToken };

async function keysOf(call: ModelCall, context: ProviderContext): Promise<AwsKeys> {
  const id = given(call, 'aws_access_key', 'aws_access_key_id');
  const secret = given(call, 'aws_secret_key', 'aws_secret_access_key');
  if (id !== undefined && secret !== undefined) {
    return {
      accessKeyId: id,
      secretAccessKey: secret,
      ...withToken(given(call, 'aws_session_token')),
    };
  }
  if (id !== undefined || secret !== undefined) {
    throw new ConfigurationError('The template holds one half of a pair of AWS keys.', {
      hint: 'Give it both aws_access_key and aws_secret_key, or none and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    });
  }
  const accessKeyId = await context.secret('AWS_ACCESS_KEY_ID');
  const secretAccessKey = await context.secret('AWS_SECRET_ACCESS_KEY');
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigurationError(`There is no key for ${call.provider}.`, {
      hint: 'Set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    });
  }
  return {
    accessKeyId,
    secretAccessKey,
    ...withToken(await context.secret('AWS_SESSION_TOKEN')),
  };
}

async function regionOf(call: ModelCall, context: ProviderContext): Promise<string> {
  const region =
    given(call, 'aws_region', 'aws_region_name') ??
    (await context.variable('AWS_REGION', 'AWS_DEFAULT_REGION')) ??
    'us-east-1';
  if (/^[a-z\d-]+$/.test(region)) return region;
  throw new ConfigurationError('The AWS region is not the name of a region.', {
    hint: 'Set AWS_REGION to a name such as us-east-1.',
  });
}

function hostOf(region: string): string {
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return `https://bedrock-runtime.${region}.${domain}`;
}

/** `yyyymmddThhmmssZ` */
const stampOf = (ms: number): string => new Date(ms).toISOString().replaceAll(/[:-]|\.\d{3}/g, '');

/** As the path of a model wants it: also `:` and the `/` of an ARN are encoded. */
const segment = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * A signed call of Bedrock's runtime. A key for Bedrock (`AWS_BEARER_TOKEN_BEDROCK`, or the one of
 * a custom provider) goes before keys that sign. The address is the template's, else
 * `AWS_ENDPOINT_URL_BEDROCK_RUNTIME` or `AWS_ENDPOINT_URL`, else the one of the region.
 */
export async function bedrockRequest(
  action: string,
  model: string,
  call: ModelCall,
  context: ProviderContext,
  body: Readonly<Record<string, unknown>>,
): Promise<ProviderRequest> {
  const region = await regionOf(call, context);
  const base =
    call.baseURL ??
    (await context.variable('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'AWS_ENDPOINT_URL')) ??
    hostOf(region);
  const url = `${base.replace(/\/+$/, '')}/model/${segment(model)}/${action}`;
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  const bearer = call.apiKey ?? (await bearerOf(call, context));
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

/** Keys that the template itself holds are meant, whatever the environment says. */
async function bearerOf(call: ModelCall, context: ProviderContext): Promise<string | undefined> {
  const own = given(call, 'aws_bearer_token', 'aws_bearer_token_bedrock');
  if (own !== undefined) return own;
  if (given(call, 'aws_access_key', 'aws_access_key_id') !== undefined) return undefined;
  return context.secret('AWS_BEARER_TOKEN_BEDROCK');
}
