import { createHash } from 'node:crypto';
import * as z from 'zod';
import { parseJsonAsWritten } from '../../core/http/json.ts';
import { ValidationError } from '../../core/errors.ts';
import type { RunVariable } from '../../protocol/run.ts';
import { variableForms, variableKinds } from '../../protocol/run.ts';
import type { Translate } from '../shell/translate.ts';
import { Variable } from '../shell/variable-schema.ts';

/** The part of `vscode.Memento` that is needed. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Prompts or workflows whose values are remembered, and how long a value is at most that VS Code keeps. */
const mostPrompts = 100;
const longestText = 100_000;

const Kept = z.array(z.object({ prompt: z.string(), variables: z.array(Variable) }));

/** Bounds that no honest page reaches: a message beyond them is refused, not worked on. */
const mostVariables = 1000;
const longestSent = 20_000_000;

/** Variables as a page sends them. */
export const SentVariables = z
  .array(
    z.object({
      name: z.string().min(1).max(1000),
      kind: z.enum(variableKinds),
      text: z.string().max(longestSent),
      as: z.enum(variableForms).exactOptional(),
      type: z.string().max(1000).exactOptional(),
    }),
  )
  .max(mostVariables)
  .readonly();

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What a prompt or workflow is given. Media without a line are left out. Errors: ValidationError that names the variable whose JSON is none. */
export function valuesOf(
  variables: readonly RunVariable[],
  t: Translate,
): Readonly<Record<string, unknown>> {
  const values = variables.flatMap(({ name, kind, text, as }): (readonly [string, unknown])[] => {
    if (kind === 'text') {
      if (as === undefined) return [[name, text]];
      const lines = linesOf(text);
      return as === 'media' && lines.length === 0 ? [] : [[name, lines]];
    }
    try {
      return [[name, parseJsonAsWritten(text)]];
    } catch (cause) {
      throw new ValidationError(t('The value of {0} is not JSON.', name), {
        hint: t('Correct it, or switch the variable to text.'),
        cause,
      });
    }
  });
  return Object.fromEntries(values);
}

/** A prompt or workflow of a workspace. */
export interface Owner {
  readonly connectionId: string;
  readonly name: string;
}

export const keyOf = ({ connectionId, name }: Owner): string => `${connectionId}/${name}`;

/** Texts that are too long for VS Code's own memory, by an id. */
export interface LongTexts {
  read(id: string): Promise<readonly RunVariable[] | undefined>;
  write(id: string, variables: readonly RunVariable[]): Promise<void>;
  remove(id: string): Promise<void>;
}

/** What was typed last for each prompt or workflow; those not used for longest are forgotten. */
export class RememberedVariables {
  readonly #memory: Memory;
  readonly #memoryKey: string;
  readonly #files: LongTexts | undefined;
  /** Of the prompts that were read. */
  readonly #long = new Map<string, readonly RunVariable[]>();

  /** One kind of things for each key. */
  constructor(memory: Memory, kind: 'prompt' | 'workflow', files?: LongTexts) {
    this.#memory = memory;
    this.#memoryKey = `promptTables.${kind}Variables`;
    this.#files = files;
  }

  /** Long texts of a prompt are there once this is done. Errors: those of reading a file. */
  async read(owner: Owner): Promise<void> {
    if (this.#files === undefined || this.#long.has(keyOf(owner))) return;
    const found = (await this.#files.read(this.#id(owner))) ?? [];
    // Somebody may have typed meanwhile.
    if (!this.#long.has(keyOf(owner))) this.#long.set(keyOf(owner), found);
  }

  /** The variables with the values that were given before. */
  fill(owner: Owner, variables: readonly RunVariable[]): readonly RunVariable[] {
    const short = this.#list().find(({ prompt }) => prompt === keyOf(owner))?.variables ?? [];
    const kept = [...(this.#long.get(keyOf(owner)) ?? []), ...short];
    return variables.map((variable) => {
      const before = kept.find(({ name }) => name === variable.name);
      if (before === undefined) return variable;
      const { kind, text } = before;
      return { ...variable, kind, text };
    });
  }

  async keep(owner: Owner, variables: readonly RunVariable[]): Promise<void> {
    const prompt = keyOf(owner);
    const [short, long] = byLength(variables);
    // One that can't be read is written anew, or goes.
    const hadLong = await this.read(owner).then(
      () => (this.#long.get(prompt)?.length ?? 0) > 0,
      () => true,
    );
    this.#long.set(prompt, long);
    const others = this.#list().filter((entry) => entry.prompt !== prompt);
    const list = [{ prompt, variables: short }, ...others].slice(0, mostPrompts);
    await this.#memory.update(this.#memoryKey, list);
    if (long.length > 0) await this.#files?.write(this.#id(owner), long);
    else if (hadLong) await this.#files?.remove(this.#id(owner));
  }

  #id(owner: Owner): string {
    const name = JSON.stringify([this.#memoryKey, keyOf(owner)]);
    return createHash('sha256').update(name).digest('hex');
  }

  #list(): z.infer<typeof Kept> {
    const read = Kept.safeParse(this.#memory.get(this.#memoryKey) ?? []);
    return read.success ? read.data : [];
  }
}

function byLength(
  variables: readonly RunVariable[],
): readonly [short: readonly RunVariable[], long: readonly RunVariable[]] {
  const isLong = ({ text }: RunVariable): boolean => text.length > longestText;
  return [variables.filter((one) => !isLong(one)), variables.filter(isLong)];
}
