import { Problem } from './problem.ts';

/** Without parameters, in lower case; empty when there is none. */
export const mediaTypeOf = (headers: Headers): string =>
  (headers.get('content-type') ?? '').replace(/;.*$/s, '').trim().toLowerCase();

export const unsupported = (message: string): Problem =>
  new Problem(415, 'unsupported_media_type', message);

/** Throws a 415 for a body of another type than JSON and the one given. */
export function checkMediaType(mediaType: string, other: string): void {
  if (mediaType === 'application/json' || mediaType === other) return;
  throw unsupported(`Send the body as application/json or ${other}, not as "${mediaType}".`);
}
