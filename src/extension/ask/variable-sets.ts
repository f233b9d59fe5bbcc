import * as z from 'zod';
import type { RunVariable } from '../../protocol/run.ts';
import type { Memory, Owner } from './run-variables.ts';
import { keyOf } from './run-variables.ts';
import { Variable } from '../shell/variable-schema.ts';

/** Of one prompt or workflow; those kept last stay. */
const mostSets = 50;

/** Values with a name, to be used again. */
export interface VariableSet {
  readonly title: string;
  readonly variables: readonly RunVariable[];
}

const Kept = z.record(
  z.string(),
  z.array(
    z.object({
      title: z.string(),
      variables: z.array(Variable),
    }),
  ),
);

/** Named sets of values, by the prompt or workflow that they are for. */
export class VariableSets {
  readonly #memory: Memory;
  readonly #memoryKey: string;

  constructor(memory: Memory, kind: 'prompt' | 'workflow') {
    this.#memory = memory;
    this.#memoryKey = `promptTables.${kind}VariableSets`;
  }

  of(owner: Owner): readonly VariableSet[] {
    return this.#all()[keyOf(owner)] ?? [];
  }

  /** One of the same name gives way. */
  async keep(owner: Owner, { title, variables }: VariableSet): Promise<void> {
    const others = this.of(owner).filter((set) => set.title !== title);
    const plain = variables.map(({ name, kind, text }) => ({ name, kind, text }));
    await this.#set(owner, [{ title, variables: plain }, ...others].slice(0, mostSets));
  }

  async remove(owner: Owner, title: string): Promise<void> {
    await this.#set(
      owner,
      this.of(owner).filter((set) => set.title !== title),
    );
  }

  async #set(owner: Owner, sets: readonly VariableSet[]): Promise<void> {
    await this.#memory.update(this.#memoryKey, { ...this.#all(), [keyOf(owner)]: sets });
  }

  /** What another version of the extension wrote may not fit: then nothing is known. */
  #all(): Readonly<Record<string, readonly VariableSet[]>> {
    const read = Kept.safeParse(this.#memory.get(this.#memoryKey) ?? {});
    return read.success ? read.data : {};
  }
}
