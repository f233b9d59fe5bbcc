import type { CodeCall } from './calls.ts';

export interface CallInFile {
  /** Whatever names the file. */
  readonly file: string;
  readonly call: CodeCall;
}

const keyOf = (what: 'prompt' | 'workflow', name: string): string => `${what}/${name}`;
const whatOf = ({ kind }: CodeCall): 'prompt' | 'workflow' =>
  kind === 'workflow' ? 'workflow' : 'prompt';

/** The calls of many files, by what they ask for. Files without a call cost nothing. */
export class CallIndex {
  readonly #files = new Map<string, readonly CodeCall[]>();
  readonly #users = new Map<string, Set<string>>();

  get fileCount(): number {
    return this.#files.size;
  }

  put(file: string, calls: readonly CodeCall[]): void {
    this.remove(file);
    if (calls.length === 0) return;
    this.#files.set(file, calls);
    for (const call of calls) {
      const key = keyOf(whatOf(call), call.name.value);
      const users = this.#users.get(key);
      if (users === undefined) this.#users.set(key, new Set([file]));
      else users.add(file);
    }
  }

  remove(file: string): void {
    for (const call of this.#files.get(file) ?? []) {
      const key = keyOf(whatOf(call), call.name.value);
      const users = this.#users.get(key);
      users?.delete(file);
      if (users?.size === 0) this.#users.delete(key);
    }
    this.#files.delete(file);
  }

  /** Those that ask for it, in the order of files and of their text. */
  uses(what: 'prompt' | 'workflow', name: string): readonly CallInFile[] {
    const files = [...(this.#users.get(keyOf(what, name)) ?? [])].sort();
    return files.flatMap((file) =>
      (this.#files.get(file) ?? [])
        .filter((call) => whatOf(call) === what && call.name.value === name)
        .toSorted((one, other) => one.name.span.from - other.name.span.from)
        .map((call) => ({ file, call })),
    );
  }
}
