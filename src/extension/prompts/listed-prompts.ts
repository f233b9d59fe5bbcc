import type { Template } from '../../api/template.ts';
import type { Client } from '../../core/index.ts';

const pageSize = 100;
/** Prompts beyond the newest of these show what their folder tells of them. */
const mostRead = 500;

/** What the list of prompts tells and their folders do not: model and tags. Read as far as needed. */
export class ListedPrompts {
  readonly #client: Client;
  readonly #known = new Map<number, Template>();
  #walk: AsyncGenerator<Template, void, undefined> | undefined;
  #isOver = false;

  constructor(client: Client) {
    this.#client = client;
  }

  async find(ids: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, Template>> {
    this.#walk ??= this.#client.templates.list({ per_page: pageSize }, { signal });
    while (!this.#isOver && ids.some((id) => !this.#known.has(id))) {
      const { value, done } = await this.#walk.next();
      if (value) this.#known.set(value.id, value);
      this.#isOver = done === true || this.#known.size >= mostRead;
    }
    return this.#known;
  }
}
