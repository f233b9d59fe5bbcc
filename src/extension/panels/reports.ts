import { randomUUID } from 'node:crypto';

/** Reports of this window by their id; the oldest go first. */
export class Reports {
  readonly #texts = new Map<string, string>();

  keep(text: string): string {
    const id = randomUUID();
    this.#texts.set(id, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > 20 && oldest !== undefined) this.#texts.delete(oldest);
    return id;
  }

  read(id: string): string | undefined {
    return this.#texts.get(id);
  }
}
