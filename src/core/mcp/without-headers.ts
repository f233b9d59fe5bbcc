/** A server may say back what it was sent; values of headers are often keys. */
export const withoutHeaders = (text: string, headers: Readonly<Record<string, string>>): string =>
  Object.values(headers)
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .filter((secret) => secret.length >= 6)
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
