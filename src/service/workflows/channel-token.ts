import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';

/** As long as clients wait for a workflow, and a little. */
const LIFE_MS = 2 * 3_600_000;

const Claims = z.object({
  executionId: z.int(),
  workspaceId: z.int(),
  until: z.number(),
});
type Claims = z.output<typeof Claims>;

const sign = (secret: string, text: string): Buffer =>
  createHmac('sha256', `channel.${secret}`).update(text).digest();

/** A token that opens the realtime channel of one execution for a while. */
export function channelToken(
  secret: string,
  { executionId, workspaceId }: Omit<Claims, 'until'>,
): string {
  const claims: Claims = { executionId, workspaceId, until: Date.now() + LIFE_MS };
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${text}.${sign(secret, text).toString('base64url')}`;
}

/** What a token opens; undefined for one that is not ours or too old. */
export function readChannelToken(secret: string, token: unknown): Claims | undefined {
  if (typeof token !== 'string' || token.length > 1000) return undefined;
  const [text = '', signature = ''] = token.split('.');
  const given = Buffer.from(signature, 'base64url');
  const right = sign(secret, text);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  const claims = Claims.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  return claims.until > Date.now() ? claims : undefined;
}
