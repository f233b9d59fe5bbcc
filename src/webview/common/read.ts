import type { Check } from './checks.ts';
import { t } from './language.ts';

/** What kind of page did not understand what it was sent. */
type Reader = 'charts' | 'form' | 'page' | 'panel';

function misfit(reader: Reader, what: string): Error {
  switch (reader) {
    case 'charts':
      return new Error(
        t('The extension sent {0} that the charts do not understand. Reload the window.', what),
      );
    case 'form':
      return new Error(
        t('The extension sent {0} that the form does not understand. Reload the window.', what),
      );
    case 'page':
      return new Error(
        t('The extension sent {0} that the page does not understand. Reload the window.', what),
      );
    case 'panel':
      return new Error(
        t('The extension sent {0} that the panel does not understand. Reload the window.', what),
      );
  }
}

/** For a page: makes a function that takes an answer when it has its shape. `what`: in words. */
export const readerOf =
  (reader: Reader) =>
  <Value>(check: Check<Value>, what: () => string) =>
  (value: unknown): Value => {
    if (check(value)) return value;
    throw misfit(reader, what());
  };

type Checks = Readonly<Record<string, Check>>;

/** For a page: takes a request or an event of the extension when it is known and has its shape. */
export const incomingOf =
  (reader: Reader, checks: { readonly events?: Checks; readonly requests?: Checks }) =>
  (kind: 'request' | 'event', name: string, payload: unknown): unknown => {
    const known = (kind === 'event' ? checks.events : checks.requests) ?? {};
    if (!Object.hasOwn(known, name) || known[name]?.(payload) !== true) {
      throw misfit(reader, `"${name}"`);
    }
    return payload;
  };
