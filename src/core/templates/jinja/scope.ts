import type { Mapping } from '../../mapping.ts';
import type { Env } from './env.ts';
import { functionNamed } from './functions.ts';

/** Names in force, the innermost first. */
export class Scope {
  readonly env: Env;
  readonly #own = new Map<string, unknown>();
  readonly #outer: Scope | Mapping;

  constructor(outer: Scope | Mapping, env: Env) {
    this.#outer = outer;
    this.env = env;
  }

  inner(): Scope {
    return new Scope(this, this.env);
  }

  find(name: string): unknown {
    if (this.#own.has(name)) return this.#own.get(name);
    if (this.#outer instanceof Scope) return this.#outer.find(name);
    return Object.hasOwn(this.#outer, name) ? this.#outer[name] : functionNamed(name);
  }

  set(name: string, value: unknown): void {
    this.#own.set(name, value);
  }
}
