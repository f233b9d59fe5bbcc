/** The host of a URL without the brackets of IPv6. */
export const bareHost = (hostname: string): string =>
  hostname.replace(/^\[|\]$/g, '').toLowerCase();

/** Whether a host is this machine. */
export function isLoopback(hostname: string): boolean {
  const host = bareHost(hostname);
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    /^127(?:\.(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3}$/.test(host)
  );
}
