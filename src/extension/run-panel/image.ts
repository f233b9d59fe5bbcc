import { ServerError, ValidationError } from '../../core/errors.ts';
import type { Translate } from '../shell/translate.ts';
import { imageType } from './output.ts';

const largestBytes = 20 * 1024 * 1024;
const limitMs = 30_000;

/** A picture on the web as a data URL. Only raster formats; followed nowhere but to https. */
export async function fetchImage(
  address: string,
  signal: AbortSignal,
  t: Translate,
): Promise<string> {
  if (!/^https:\/\//i.test(address)) throw new ValidationError(t("This isn't an https address."));
  const response = await fetch(address, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  });
  const { host } = new URL(address);
  if (!response.ok || !response.url.startsWith('https://')) {
    throw new ServerError(t("{0} didn't return the image: status {1}.", host, response.status), {
      hint: t('Addresses of generated images expire; run the prompt again.'),
    });
  }
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!imageType.test(type))
    throw new ValidationError(t('{0} returned {1} instead of an image.', host, type));
  const pieces: Uint8Array[] = [];
  let size = 0;
  const body = response.body as AsyncIterable<Uint8Array> | null;
  for await (const piece of body ?? []) {
    size += piece.byteLength;
    if (size > largestBytes) throw new ValidationError(t('The image is larger than 20 MB.'));
    pieces.push(piece);
  }
  return `data:${type};base64,${Buffer.concat(pieces).toString('base64')}`;
}
