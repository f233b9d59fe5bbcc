import type { RunDetail, RunEntry } from '../kept-runs/run-history.ts';

const has = (texts: readonly string[], wanted: string): boolean =>
  texts.some((text) => text.toLowerCase().includes(wanted));

/**
 * Looks for a text in all that is kept of runs. Reads one after the other, so that no two of them are
 * in memory, and each only once for a text: what a run was given and has given does not change.
 */
export class TextSearch {
  readonly #detailOf: (id: string) => Promise<RunDetail | undefined>;
  readonly #note: (error: unknown) => void;
  #text: string | undefined;
  /** By id of the run: whether its files have the text. */
  #found = new Map<string, boolean>();

  constructor(
    detailOf: (id: string) => Promise<RunDetail | undefined>,
    note: (error: unknown) => void,
  ) {
    this.#detailOf = detailOf;
    this.#note = note;
  }

  /** Those with the text, capitals or not; fewer when another text is asked for meanwhile. */
  async among(entries: readonly RunEntry[], text: string): Promise<readonly RunEntry[]> {
    const wanted = text.toLowerCase();
    if (this.#text !== wanted) {
      this.#text = wanted;
      this.#found = new Map();
    }
    const result: RunEntry[] = [];
    for (const entry of entries) {
      const { name, inputs, output, model = '', problem = '' } = entry;
      const isInEntry = has([name, inputs, output, model, problem], wanted);
      if (isInEntry || (await this.#isInDetail(entry.id, wanted))) result.push(entry);
    }
    return result;
  }

  async #isInDetail(id: string, wanted: string): Promise<boolean> {
    const known = this.#found;
    if (this.#text !== wanted) return false;
    const before = known.get(id);
    if (before !== undefined) return before;
    try {
      const { variables = [], output = '' } = (await this.#detailOf(id)) ?? {};
      const texts = variables.map(({ name, text }) => `${name}: ${text}`);
      const isFound = has([...texts, output], wanted);
      known.set(id, isFound);
      return isFound;
    } catch (error) {
      this.#note(error);
      return false;
    }
  }
}
