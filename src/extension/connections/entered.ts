/** Reading what people type or paste. No VS Code in here. */

/** What comes along with a pasted key: blanks, line breaks, quotes, the name of a variable or header. */
export function cleanKey(pasted: string): string {
  return pasted
    .trim()
    .replace(/^(?:export\s+)?(?:PROMPTLAYER_API_KEY|X-API-KEY)\s*[:=]\s*/i, '')
    .replace(/^(["'`])(.*)\1$/s, '$2')
    .replace(/\s+/g, '');
}

export type KeyProblem = 'empty' | 'character' | 'short';

const shortestKey = 8;

export function keyProblem(pasted: string): KeyProblem | undefined {
  const key = cleanKey(pasted);
  if (key === '') return 'empty';
  if (!/^[\x21-\x7e]+$/.test(key)) return 'character';
  return key.length < shortestKey ? 'short' : undefined;
}

export type AddressProblem = 'address' | 'scheme' | 'parts';

export function addressProblem(text: string): AddressProblem | undefined {
  const address = text.trim();
  if (!URL.canParse(address)) return 'address';
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme';
  const hasMore =
    url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '';
  return hasMore ? 'parts' : undefined;
}

export const cleanAddress = (text: string): string => text.trim().replace(/\/+$/, '');
