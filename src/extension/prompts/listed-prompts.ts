import type { Template } from '../../api/template.ts';
import type { Client } from '../../core/index.ts';

const pageSize = 100;
/** Each folder that is opened reads so many prompts more, and no further: there may be thousands. */
const mostAtOnce = 500;

/**
 * What the list of prompts tells and their folders do not: model and tags. Read as far as needed,
 * from the newest on.
 */
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
    const most = this.#known.size + mostAtOnce;
    while (!this.#isOver && this.#known.size < most && ids.some((id) => !this.#known.has(id))) {
      const { value, done } = await this.#walk.next();
      if (value) this.#known.set(value.id, value);
      this.#isOver = done === true;
    }
    return this.#known;
  }
}
