import * as z from 'zod';
import type { ModelName } from '../../protocol/run.ts';
import type { Memory, Owner } from '../ask/run-variables.ts';
import { keyOf } from '../ask/run-variables.ts';
import { Model } from '../shell/choice-schema.ts';

const memoryKey = 'promptTables.chosenModels';
const mostPrompts = 100;

const Kept = z.array(z.object({ prompt: z.string(), model: Model }));

/** Models that somebody has chosen for prompts; those not chosen for longest are forgotten. */
export class ChosenModels {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  of(owner: Owner): ModelName | undefined {
    return this.#list().find(({ prompt }) => prompt === keyOf(owner))?.model;
  }

  /** Undefined: the prompt runs with the model that it names. */
  async keep(owner: Owner, model: ModelName | undefined): Promise<void> {
    const prompt = keyOf(owner);
    const others = this.#list().filter((entry) => entry.prompt !== prompt);
    const list = model === undefined ? others : [{ prompt, model }, ...others];
    await this.#memory.update(memoryKey, list.slice(0, mostPrompts));
  }

  #list(): z.infer<typeof Kept> {
    const read = Kept.safeParse(this.#memory.get(memoryKey) ?? []);
    return read.success ? read.data : [];
  }
}
