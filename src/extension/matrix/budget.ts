import type { Column } from './plan.ts';

/** What is known of the prices of a column's requests. */
interface Known {
  usd: number;
  priced: number;
  /** Asked, and the price not known yet: they cost something all the same. */
  open: number;
}

/**
 * Money that a run may spend. A request is let out when all that is out and all that came back, each
 * at the mean price of its column as long as its own isn't known, stay below it together with the next.
 */
export class Budget {
  readonly #usd: number | undefined;
  /** US dollars a request, from earlier runs. */
  readonly #estimates: ReadonlyMap<string, number>;
  readonly #known = new Map<string, Known>();

  constructor(usd: number | undefined, estimates: ReadonlyMap<string, number> = new Map()) {
    this.#usd = usd;
    this.#estimates = estimates;
  }

  /** `later`: the first answer of a column says what the others will cost. */
  next(id: Column['id']): 'now' | 'later' | 'over' {
    if (this.#usd === undefined) return 'now';
    const { priced, open } = this.#of(id);
    if (this.spent() + (this.#mean(id) ?? 0) > this.#usd) return 'over';
    const isKnown = priced > 0 || this.#estimates.has(id);
    return !isKnown && open > 0 ? 'later' : 'now';
  }

  asked(id: string): void {
    this.#of(id).open += 1;
  }

  /** Null: it cost nothing, or nobody will ever know. */
  priced(id: string, usd: number | null): void {
    const known = this.#of(id);
    known.open -= 1;
    if (usd === null) return;
    known.usd += usd;
    known.priced += 1;
  }

  /** With what is out. */
  spent(): number {
    return [...this.#known].reduce(
      (sum, [id, { usd, open }]) => sum + usd + open * (this.#mean(id) ?? 0),
      0,
    );
  }

  #of(id: string): Known {
    let known = this.#known.get(id);
    if (known === undefined) this.#known.set(id, (known = { usd: 0, priced: 0, open: 0 }));
    return known;
  }

  /** Where nothing is known of a column yet, it is taken to be as dear as the dearest. */
  #mean(id: string): number | undefined {
    const { usd, priced } = this.#of(id);
    if (priced > 0) return usd / priced;
    const estimate = this.#estimates.get(id);
    if (estimate !== undefined) return estimate;
    const others = [...this.#known.values()].filter((known) => known.priced > 0);
    return others.length === 0
      ? undefined
      : Math.max(...others.map((known) => known.usd / known.priced));
  }
}
