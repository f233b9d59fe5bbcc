import { toBase64 } from '#platform';

const mask = '[redacted]';
const maxDepth = 6;

/** Names of fields whose value is never shown, whatever it is. */
const secretName =
  /^(?:x-)?api[-_]?key$|authorization$|cookie$|password$|secret$|^(?:access|auth)?[-_]?token$/i;

const patterns: readonly (readonly [RegExp, string])[] = [
  // Whatever the scheme is: to look for its beginning would look through long words again and again.
  [/:\/\/[^\s/@]+@/g, `://${mask}@`],
  [
    /\b((?:proxy-)?authorization["']?\s*[:=]\s*["']?)(?:(?:basic|bearer)\s+)?[^\s"',;]+/gi,
    `$1${mask}`,
  ],
  [/\b((?:x-)?api[-_]?key["']?\s*[:=]\s*["']?)[^\s"',;&]+/gi, `$1${mask}`],
  [/\b(bearer\s+)[\w.~+/=-]{8,}/gi, `$1${mask}`],
  [/\b(?:pl|sk)[-_][A-Za-z0-9_-]{16,}/g, mask],
];

/** Replaces secrets that are known by value. */
export function replaceSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret !== '') clean = clean.replaceAll(secret, mask);
  }
  return clean;
}

/** Replaces secrets in a text: the ones known by value, then whatever looks like one. */
export function redactText(text: string, secrets: readonly string[]): string {
  let clean = replaceSecrets(text, secrets);
  for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
  return clean;
}

/** The same for anything a log line may carry. Returns a copy; bounded in depth. */
export function redactValue(value: unknown, secrets: readonly string[], depth = 0): unknown {
  if (typeof value === 'string') return redactText(value, secrets);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return redactText(value.stack ?? String(value), secrets);
  if (depth >= maxDepth) return '[...]';
  if (Array.isArray(value)) return value.map((item) => redactValue(item, secrets, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, unknown]) => [
      name,
      secretName.test(name) ? mask : redactValue(item, secrets, depth + 1),
    ]),
  );
}

/** Every form in which a secret may turn up in a text. */
export function formsOf(secret: string): readonly string[] {
  if (secret === '') return [];
  const forms = [
    secret,
    encodeURIComponent(secret),
    toBase64(new TextEncoder().encode(secret)),
    // As it stands inside JSON.
    JSON.stringify(secret).slice(1, -1),
  ];
  // Short values would blank out ordinary words; they are still never written by us.
  return [...new Set(forms)].filter((form) => form.length >= 6);
}
