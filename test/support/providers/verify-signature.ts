/** Checks AWS Signature Version 4 as AWS describes it, from the request that arrived. */
import { createHash, createHmac } from 'node:crypto';
import type { ProviderRequestSeen } from './fake-provider.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/** Every byte but the unreserved ones. The path of an arriving request is encoded once more. */
const encoded = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9\-._~/]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');

export interface SignatureFound {
  readonly accessKeyId: string;
  readonly region: string;
  readonly service: string;
  readonly signedHeaders: readonly string[];
  readonly isValid: boolean;
}

export function verifySignature(request: ProviderRequestSeen, secretKey: string): SignatureFound {
  const { headers, method, path, text } = request;
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (match === null) throw new Error(`No signature: ${headers.authorization ?? 'nothing'}`);
  const [, accessKeyId = '', date = '', region = '', service = '', names = '', signature] = match;
  const signedHeaders = names.split(';');
  const canonical = [
    method,
    encoded(path),
    '',
    ...signedHeaders.map((name) => `${name}:${String(headers[name]).trim().replace(/\s+/g, ' ')}`),
    '',
    names,
    sha256(text),
  ].join('\n');
  const scope = `${date}/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(
    (before, part) => hmac(before, part),
    `AWS4${secretKey}`,
  );
  const isValid = hmac(key, toSign).toString('hex') === signature;
  return { accessKeyId, region, service, signedHeaders, isValid };
}
