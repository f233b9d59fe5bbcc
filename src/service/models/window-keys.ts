import { setTimeout as pause } from 'node:timers/promises';
import type { LookUp } from '../../core/options.ts';
import { ownEnvironment } from '../../core/options.ts';
import { providerVariables } from '../../core/providers/variables.ts';

/** Keys and addresses of model providers, by the name of their variable. */
export type Variables = Readonly<Record<string, string>>;

/** What a window hands over. */
export interface KeySet {
  readonly variables: Variables;
  /** What work of windows in Restricted Mode may use of it: nothing of an environment. */
  readonly restricted: Variables;
  /** How many requests cells may make to its language models at the same time. */
  readonly modelRequests?: number | undefined;
}

/** What windows have handed over, for another thread. */
export interface HandedKeys {
  /** One set for each window, the newest last. */
  readonly sets: readonly KeySet[];
  /** Whether any window has been there. Until then, nobody says that there is no key. */
  readonly isSettled: boolean;
}

/** As many as the window says that allows most: they all ask the same account. */
export const modelRequestsOf = ({ sets }: HandedKeys): number =>
  Math.max(0, ...sets.map(({ modelRequests = 0 }) => modelRequests));

/** Work of an earlier service is taken up at once; the window that started this one is on its way. */
const FIRST_WINDOW_MS = 15_000;

/** All variables of the provider that a variable belongs to. */
const familyOf = new Map<string, readonly string[]>(
  Object.values(providerVariables).flatMap((names) =>
    names.map((name): [string, readonly string[]] => [name, names]),
  ),
);

interface Options {
  /** How long the keys of a window outlive it: a window that reloads is back before. */
  readonly lingerMs?: number;
  readonly onChange?: (keys: HandedKeys) => void;
}

/**
 * The variables that windows have handed to a service that has none of its own. Those of a window
 * count for as long as it holds the service, and are in memory only. Key and address of a provider
 * always come from one window: a key never goes to an address that somebody else has chosen.
 */
export class WindowKeys {
  readonly #lingerMs: number;
  readonly #onChange: (keys: HandedKeys) => void;
  readonly #settled = Promise.withResolvers<undefined>();
  #keys: HandedKeys = { sets: [], isSettled: false };

  constructor({ lingerMs = 0, onChange = () => undefined }: Options = {}) {
    this.#lingerMs = lingerMs;
    this.#onChange = onChange;
  }

  /** Answers what takes them away again. */
  add(set: KeySet): () => void {
    // An object of its own: two windows may hand over the same.
    const own = { ...set };
    const without = (): readonly KeySet[] => this.#keys.sets.filter((each) => each !== own);
    this.replace({ sets: [...this.#keys.sets, own], isSettled: true });
    return () => {
      const drop = (): void => this.replace({ sets: without(), isSettled: true });
      // No reason to stay: with the last window the service ends in the same time.
      setTimeout(drop, this.#lingerMs).unref();
    };
  }

  /** What another thread was given. */
  replace(keys: HandedKeys): void {
    this.#keys = keys;
    if (keys.isSettled) this.#settled.resolve(undefined);
    this.#onChange(keys);
  }

  get keys(): HandedKeys {
    return this.#keys;
  }

  /** Variables of providers from a window; all others, which are no keys, from the environment. */
  readonly lookUp: LookUp = (name) => this.#find(name, 'variables');

  /** The same for work that a window in Restricted Mode has begun. */
  readonly restrictedLookUp: LookUp = (name) => this.#find(name, 'restricted');

  async #find(name: string, part: 'variables' | 'restricted'): Promise<string | undefined> {
    const family = familyOf.get(name);
    if (family === undefined) return ownEnvironment()[name];
    if (!this.#keys.isSettled) {
      await Promise.race([
        this.#settled.promise,
        pause(FIRST_WINDOW_MS, undefined, { ref: false }),
      ]);
    }
    const found = this.#keys.sets.findLast(({ [part]: each }) =>
      family.some((one) => each[one] !== undefined),
    );
    return found?.[part][name];
  }
}
