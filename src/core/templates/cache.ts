import type { Template } from '../../api/template.ts';
import type { CallOptions } from '../http/call.ts';
import type { Clock } from '../http/delay.ts';
import { abortedBy, hasErrorCode, isPromptTablesError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { stringifyJson } from '../http/json.ts';
import { deepFreeze } from '../mapping.ts';
import type { Plan, planOf } from './plan.ts';

const maxEntries = 1_000;
const maxBytes = 64 * 1024 * 1024;
/** How long a template that only the service can render is not tried again. */
const refusalMs = 60_000;

/** What the value of an entry depends on. Input variables are filled in afterwards. */
export interface TemplateKey {
  readonly name: string;
  readonly version?: number | null | undefined;
  readonly label?: string | null | undefined;
  readonly provider?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly workspaceId?: number | null | undefined;
}

interface Entry {
  readonly template: Template;
  readonly plan: Plan;
  readonly bytes: number;
  readonly refreshedAt: number;
  /** Whether its being served stale was said. */
  reportedStale: boolean;
}

/**
 * What is in memory of a template: `fresh`, `stale` (asked for again at the next use), or `served`
 * (stale, and used all the same, because the service could not be reached).
 */
export type CachedState = 'fresh' | 'stale' | 'served';

/** A template in memory, unrendered, and what it was asked for by. */
export interface CachedTemplate extends TemplateKey {
  readonly template: Template;
}

interface Flight {
  readonly key: TemplateKey;
  readonly name: string;
  readonly result: Promise<Entry | undefined>;
  readonly stop: AbortController;
  waiting: number;
  /** The template changed meanwhile: the result is for those who wait, for nobody after. */
  outdated: boolean;
}

interface CacheSettings {
  readonly ttlMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Marks the base URL and the key: entries of one workspace are not for another. */
  readonly workspace: string;
  /** What `stateOf` says may have changed. */
  readonly onChange?: (() => void) | undefined;
  readonly maxEntries?: number | undefined;
  readonly maxBytes?: number | undefined;
}

/** A template may be asked for by name or by id. */
const isId = (name: string): boolean => /^\d+$/.test(name);

const concerns = (template: Template, name: string): boolean =>
  template.prompt_name === name || String(template.id) === name;

/** Unrendered templates in memory, with plans to render them. */
export class TemplateCache {
  readonly #settings: CacheSettings;
  /** Oldest refresh first. */
  readonly #entries = new Map<string, { readonly key: TemplateKey; readonly entry: Entry }>();
  readonly #flights = new Map<string, Flight>();
  readonly #refused = new Map<string, { readonly name: string; readonly until: number }>();
  #bytes = 0;

  constructor(settings: CacheSettings) {
    this.#settings = settings;
  }

  get size(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#entries.size, bytes: this.#bytes };
  }

  /** Of the entries of this name or id (versions, labels) the one that needs most attention. */
  stateOf(name: string): CachedState | undefined {
    const states = [...this.#entries.values()]
      .filter(({ key, entry }) => key.name === name || concerns(entry.template, name))
      .map(({ entry }): CachedState => {
        if (this.#isFresh(entry)) return 'fresh';
        return entry.reportedStale ? 'served' : 'stale';
      });
    return (['served', 'stale', 'fresh'] as const).find((state) => states.includes(state));
  }

  /** All there is, or what there is of this name or id; the one that was refreshed last comes last. */
  list(name?: string): readonly CachedTemplate[] {
    return [...this.#entries.values()]
      .filter(
        ({ key, entry }) =>
          name === undefined || key.name === name || concerns(entry.template, name),
      )
      .map(({ key, entry: { template } }) => ({ ...key, template }));
  }

  #isFresh({ refreshedAt }: Entry): boolean {
    const age = this.#settings.clock.now() - refreshedAt;
    return age >= 0 && age < this.#settings.ttlMs;
  }

  /**
   * The plan of a template: a fresh one, else one made of what `fetch` gives, else, after a
   * transient failure, a stale one. Undefined when the service has to render it.
   */
  async plan(
    key: TemplateKey,
    fetch: (signal: AbortSignal) => Promise<Template>,
    { signal }: CallOptions = {},
  ): Promise<Plan | undefined> {
    if (signal?.aborted === true) throw abortedBy(signal, `Getting the template ${key.name}`);
    const id = this.#idOf(key);
    const now = this.#settings.clock.now();
    const kept = this.#entries.get(id)?.entry;
    if (kept !== undefined && this.#isFresh(kept)) return kept.plan;
    const refusal = this.#refused.get(id);
    if (refusal !== undefined && now < refusal.until) return undefined;
    const flight = this.#flights.get(id) ?? this.#takeOff(id, key, fetch);
    try {
      return (await this.#wait(flight, signal, key.name))?.plan;
    } catch (error) {
      // What is gone there is not served here, also not when the service is away the next time.
      if (hasErrorCode(error, 'not_found') && !flight.outdated) this.#drop(id);
      // What is there now: an invalidation in between has taken away what may not be served.
      const stale = this.#entries.get(id)?.entry;
      if (stale === undefined || !isPromptTablesError(error) || !error.retryable) throw error;
      if (!stale.reportedStale) {
        stale.reportedStale = true;
        this.#settings.onChange?.();
        this.#settings.logger.warn(
          `The template "${key.name}" could not be refreshed, so the copy in memory is used. ${error.message}`,
        );
      }
      return stale.plan;
    }
  }

  /** Forgets the template with this name or id; without a name, everything. */
  invalidate(name?: string): void {
    const all = name === undefined || name === '';
    for (const [id, { key, entry }] of this.#entries) {
      if (all || key.name === name || concerns(entry.template, name)) this.#drop(id);
    }
    for (const [id, { name: asked }] of this.#refused) {
      if (all || asked === name || isId(asked) || isId(name)) this.#refused.delete(id);
    }
    for (const [id, flight] of this.#flights) {
      if (!all && flight.name !== name && !isId(flight.name) && !isId(name)) continue;
      flight.outdated = true;
      this.#flights.delete(id);
    }
  }

  #idOf({ name, version, label, provider, model, workspaceId }: TemplateKey): string {
    const { workspace } = this.#settings;
    return JSON.stringify([
      workspace,
      name,
      version ?? null,
      label ?? null,
      provider ?? null,
      model ?? null,
      workspaceId ?? null,
    ]);
  }

  #takeOff(
    id: string,
    key: TemplateKey,
    fetch: (signal: AbortSignal) => Promise<Template>,
  ): Flight {
    const stop = new AbortController();
    const land = async (): Promise<Entry | undefined> => {
      try {
        // What renders is loaded while the first template is on its way.
        const [renderer, fetched] = await Promise.all([import('./plan.ts'), fetch(stop.signal)]);
        return this.#keep(id, flight, { fetched, planOf: renderer.planOf });
      } finally {
        if (this.#flights.get(id) === flight) this.#flights.delete(id);
      }
    };
    const flight: Flight = {
      key,
      name: key.name,
      stop,
      waiting: 0,
      outdated: false,
      // One turn later, so that `land` finds its flight.
      result: Promise.resolve().then(land),
    };
    this.#flights.set(id, flight);
    return flight;
  }

  /** Waits for a flight, which ends when nobody waits for it any more. */
  async #wait(
    flight: Flight,
    signal: AbortSignal | undefined,
    name: string,
  ): Promise<Entry | undefined> {
    flight.waiting += 1;
    try {
      if (signal === undefined) return await flight.result;
      let onAbort = (): void => undefined;
      const aborted = new Promise<never>((_resolve, reject) => {
        onAbort = () => reject(abortedBy(signal, `Getting the template ${name}`));
        signal.addEventListener('abort', onAbort, { once: true });
      });
      try {
        return await Promise.race([flight.result, aborted]);
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) {
        for (const [id, other] of this.#flights) if (other === flight) this.#flights.delete(id);
        flight.stop.abort();
      }
    }
  }

  /** Makes an entry of what was fetched, and keeps it unless it is outdated already. */
  #keep(
    id: string,
    flight: Flight,
    { fetched, planOf: plans }: { readonly fetched: Template; readonly planOf: typeof planOf },
  ): Entry | undefined {
    const { clock } = this.#settings;
    const template = deepFreeze(fetched);
    const plan = plans(template);
    if (plan === undefined) {
      if (!flight.outdated) {
        this.#drop(id);
        this.#refuse(id, flight.name);
      }
      return undefined;
    }
    const bytes = 2 * (id.length + stringifyJson(template).length);
    const entry = { template, plan, bytes, refreshedAt: clock.now(), reportedStale: false };
    if (!flight.outdated) this.#put(id, flight.key, entry);
    return entry;
  }

  #put(id: string, key: TemplateKey, entry: Entry): void {
    const { maxEntries: most = maxEntries, maxBytes: room = maxBytes } = this.#settings;
    this.#drop(id);
    this.#refused.delete(id);
    if (entry.bytes > room) return;
    this.#entries.set(id, { key, entry });
    this.#bytes += entry.bytes;
    this.#settings.onChange?.();
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= most && this.#bytes <= room) break;
      this.#drop(oldest);
    }
  }

  #refuse(id: string, name: string): void {
    this.#refused.delete(id);
    this.#refused.set(id, { name, until: this.#settings.clock.now() + refusalMs });
    for (const oldest of this.#refused.keys()) {
      if (this.#refused.size <= maxEntries) break;
      this.#refused.delete(oldest);
    }
  }

  #drop(id: string): void {
    const held = this.#entries.get(id);
    if (held === undefined) return;
    this.#entries.delete(id);
    this.#bytes -= held.entry.bytes;
    this.#settings.onChange?.();
  }
}
