import { Problem } from './problem.ts';

const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

export const isLocalHost = (host: string | null | undefined): boolean =>
  host !== null && host !== undefined && LOCAL_HOST.test(host);

/**
 * A page in a browser may reach a local port, through a name of its own that it points at
 * 127.0.0.1. Such requests carry that name as Host, or an Origin: both are refused before anything
 * else is looked at.
 */
export function refuseForeignPages(headers: Headers): void {
  if (!isLocalHost(headers.get('host'))) {
    throw new Problem(
      403,
      'forbidden_host',
      'This service answers to localhost only. Use the address that it printed when it started.',
    );
  }
  if (headers.get('origin') !== null || headers.get('sec-fetch-site') === 'cross-site') {
    throw new Problem(403, 'forbidden_origin', "Web pages can't call this service.");
  }
}
