import type { CallKind, CodeCall } from './call.ts';
import type { Span } from './tokens.ts';

/** A place in a file that asks for a prompt or a workflow. */
export interface Use {
  readonly kind: CallKind;
  readonly name: string;
  /** Of the name, or of the constant in its place. */
  readonly span: Span;
}

export interface UseInFile extends Use {
  /** Whatever names the file. */
  readonly file: string;
}

type Asked = 'prompt' | 'workflow';

const keyOf = (what: Asked, name: string): string => `${what}/${name}`;
const whatOf = ({ kind }: Use): Asked => (kind === 'workflow' ? 'workflow' : 'prompt');

/** A part of a text holds the whole text in memory, unless it is put together anew. */
const copied = (text: string): string => Array.from(text).join('');

/** What many files ask for. Of a file only that is kept. */
export class CallIndex {
  readonly #files = new Map<string, readonly Use[]>();
  readonly #users = new Map<string, Set<string>>();

  get fileCount(): number {
    return this.#files.size;
  }

  put(file: string, calls: readonly CodeCall[]): void {
    this.remove(file);
    if (calls.length === 0) return;
    const uses = calls.map(({ kind, name: { value, span } }) => ({
      ...{ kind, span },
      name: copied(value),
    }));
    this.#files.set(file, uses);
    for (const use of uses) {
      const key = keyOf(whatOf(use), use.name);
      const users = this.#users.get(key);
      if (users === undefined) this.#users.set(key, new Set([file]));
      else users.add(file);
    }
  }

  remove(file: string): void {
    for (const use of this.#files.get(file) ?? []) {
      const key = keyOf(whatOf(use), use.name);
      const users = this.#users.get(key);
      users?.delete(file);
      if (users?.size === 0) this.#users.delete(key);
    }
    this.#files.delete(file);
  }

  /** In the order of files and of their text. */
  uses(what: Asked, name: string): readonly UseInFile[] {
    const files = [...(this.#users.get(keyOf(what, name)) ?? [])].sort();
    return files.flatMap((file) =>
      (this.#files.get(file) ?? [])
        .filter((use) => whatOf(use) === what && use.name === name)
        .toSorted((one, other) => one.span.from - other.span.from)
        .map((use) => ({ file, ...use })),
    );
  }
}
