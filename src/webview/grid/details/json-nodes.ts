/** Reads JSON into nodes that keep every number as it was written: nothing is rounded. */

export type JsonNode =
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, JsonNode])[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string' | 'number' | 'boolean' | 'null'; readonly text: string };

const deepest = 200;
const token =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))[ \t\n\r]*/y;

class Misread extends Error {}

class Reader {
  readonly #text: string;
  #at = 0;
  #sign = '';
  #leaf: JsonNode | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#advance();
  }

  get isAtEnd(): boolean {
    return this.#sign === 'end';
  }

  value(depth = 0): JsonNode {
    if (depth > deepest) throw new Misread();
    const leaf = this.#leaf;
    if (leaf !== undefined) {
      this.#advance();
      return leaf;
    }
    if (this.#take('['))
      return { kind: 'array', items: this.#list(']', () => this.value(depth + 1)) };
    if (this.#take('{')) {
      return { kind: 'object', entries: this.#list('}', () => this.#entry(depth)) };
    }
    throw new Misread();
  }

  #entry(depth: number): readonly [string, JsonNode] {
    const key = this.#leaf;
    if (key?.kind !== 'string') throw new Misread();
    this.#advance();
    if (!this.#take(':')) throw new Misread();
    return [key.text, this.value(depth + 1)];
  }

  #list<Item>(end: string, one: () => Item): readonly Item[] {
    const items: Item[] = [];
    if (this.#take(end)) return items;
    do items.push(one());
    while (this.#take(','));
    if (!this.#take(end)) throw new Misread();
    return items;
  }

  #take(sign: string): boolean {
    if (this.#sign !== sign) return false;
    this.#advance();
    return true;
  }

  #advance(): void {
    this.#sign = '';
    this.#leaf = undefined;
    if (this.#at >= this.#text.length) {
      this.#sign = 'end';
      return;
    }
    token.lastIndex = this.#at;
    const [, sign, string, number, word] = token.exec(this.#text) ?? [];
    this.#at = token.lastIndex;
    if (sign !== undefined) this.#sign = sign;
    else if (string !== undefined)
      this.#leaf = { kind: 'string', text: JSON.parse(string) as string };
    else if (number !== undefined) this.#leaf = { kind: 'number', text: number };
    else if (word !== undefined)
      this.#leaf = { kind: word === 'null' ? 'null' : 'boolean', text: word };
    else throw new Misread();
  }
}

/** Undefined when the text is not JSON, or is nested too deeply to be shown as a tree. */
export function readJson(text: string): JsonNode | undefined {
  try {
    const reader = new Reader(text);
    const node = reader.value();
    return reader.isAtEnd ? node : undefined;
  } catch (error) {
    if (error instanceof Misread || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
