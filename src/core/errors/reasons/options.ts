import type { Entries } from '../texts.ts';

/** What a client is made with. */
export const optionReasons = {
  'no-api-key': { text: 'There is no API key.' },
  'bad-api-key': { text: 'The API key holds a character that no key has.' },
  'base-url-unreadable': { sdk: '{name} is not a URL.' },
  'base-url-not-http': { sdk: '{name} is neither http nor https.' },
  'base-url-too-long': { sdk: '{name} holds more than a host and a path.' },
  'proxy-unreadable': { text: 'The proxy address is not a URL.' },
  'proxy-protocol': { text: 'The proxy address uses {protocol}, which is not supported.' },
  'options-together': { program: "dispatcher and {other} can't be given together." },
  'not-above-zero': { program: '{name} must be a number above zero.' },
  'cache-below-zero': { program: 'cacheTtlSeconds must be a number, and not below zero.' },
  'only-node': { program: "{name} can't be used here: only Node can do that." },
} as const satisfies Entries;
