import type { CallKind, CodeCall } from './call.ts';
import type { PlaceRange } from './lines.ts';
import { Lines } from './lines.ts';

/** A place in a file that asks for a prompt or a workflow. */
export interface Use {
  readonly kind: CallKind;
  readonly name: string;
  /** Undefined: it asks for none, or for one that is only known when the program runs. */
  readonly label: string | undefined;
  /** Of the name, or of the constant in its place. */
  readonly range: PlaceRange;
}

export interface UseInFile extends Use {
  /** Whatever names the file. */
  readonly file: string;
}

export type Asked = 'prompt' | 'workflow';

const keyOf = (what: Asked, name: string): string => `${what}/${name}`;
export const askedBy = ({ kind }: { readonly kind: CallKind }): Asked =>
  kind === 'workflow' ? 'workflow' : 'prompt';

/** A part of a text holds the whole text in memory, unless it is put together anew. */
const copied = (text: string): string => Array.from(text).join('');

export const labelIn = ({ label }: CodeCall): string | undefined =>
  label?.kind === 'literal' ? label.value : undefined;

/** What many files ask for. Of a file only that is kept. */
export class CallIndex {
  readonly #files = new Map<string, readonly Use[]>();
  readonly #users = new Map<string, Set<string>>();

  get fileCount(): number {
    return this.#files.size;
  }

  put(file: string, calls: readonly CodeCall[], text: string): void {
    this.remove(file);
    if (calls.length === 0) return;
    const lines = new Lines(text);
    const uses = calls.map((call): Use => {
      const label = labelIn(call);
      return {
        kind: call.kind,
        name: copied(call.name.value),
        label: label === undefined ? undefined : copied(label),
        range: lines.range(call.name.span),
      };
    });
    this.#files.set(file, uses);
    for (const use of uses) {
      const key = keyOf(askedBy(use), use.name);
      const users = this.#users.get(key);
      if (users === undefined) this.#users.set(key, new Set([file]));
      else users.add(file);
    }
  }

  remove(file: string): void {
    for (const use of this.#files.get(file) ?? []) {
      const key = keyOf(askedBy(use), use.name);
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
      this.#of(file).filter((use) => askedBy(use) === what && use.name === name),
    );
  }

  /** All of them, in the same order. */
  *[Symbol.iterator](): Generator<UseInFile, void, undefined> {
    for (const file of [...this.#files.keys()].sort()) yield* this.#of(file);
  }

  #of(file: string): readonly UseInFile[] {
    return (this.#files.get(file) ?? [])
      .toSorted(
        ({ range: { start: one } }, { range: { start: other } }) =>
          one.line - other.line || one.character - other.character,
      )
      .map((use) => ({ file, ...use }));
  }
}
