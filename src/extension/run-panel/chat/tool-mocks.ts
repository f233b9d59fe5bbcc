import * as z from 'zod';
import type { Memory, Owner } from '../../ask/run-variables.ts';
import { keyOf } from '../../ask/run-variables.ts';

const memoryKey = 'promptTables.toolMocks';
const mostMocks = 300;
/** What is longer doesn't go into VS Code's own storage. */
export const longestMock = 20_000;

const Kept = z.array(
  z.object({
    prompt: z.string(),
    tool: z.string(),
    text: z.string(),
    /** For mocks that a model makes. */
    scenario: z.string().exactOptional(),
  }),
);
type KeptMock = z.infer<typeof Kept>[number];

/** What tools of prompts answer when they are mocked; those not used for longest are forgotten. */
export class ToolMocks {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  of(owner: Owner, tool: string): Pick<KeptMock, 'text' | 'scenario'> | undefined {
    const prompt = keyOf(owner);
    return this.#list().find((mock) => mock.prompt === prompt && mock.tool === tool);
  }

  async keep(
    owner: Owner,
    tool: string,
    mock: Partial<Pick<KeptMock, 'text' | 'scenario'>>,
  ): Promise<void> {
    const prompt = keyOf(owner);
    const before = this.of(owner, tool);
    const others = this.#list().filter((one) => one.prompt !== prompt || one.tool !== tool);
    const list = [{ text: '', ...before, ...mock, prompt, tool }, ...others];
    await this.#memory.update(memoryKey, list.slice(0, mostMocks));
  }

  #list(): readonly KeptMock[] {
    const read = Kept.safeParse(this.#memory.get(memoryKey) ?? []);
    return read.success ? read.data : [];
  }
}
