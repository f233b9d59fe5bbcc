import type * as vscode from 'vscode';
import * as z from 'zod';
import type { EnteredColumn } from '../../protocol/column-form.ts';
import type { EnteredScorecard } from '../../protocol/scorecard.ts';

const mostKept = 20;

const name = z.string().max(1000);
const value = z.union([
  z.string().max(5_000_000),
  z.boolean(),
  z.array(name).max(1000),
  z.array(z.object({ name, column: name })).max(1000),
]);
const values = z.record(name, value);

/** What somebody has filled in the form of a column with. */
export const Entered = z.object({ title: name, type: name, values });
/** The same of a scorecard. */
export const EnteredCard = z.object({
  values,
  steps: z.array(z.object({ id: name.nullable(), type: name.min(1), values })).max(1000),
});
export const EnteredValues = values;

/** What was typed into forms that were closed before it was saved, by what they are about. */
export class Drafts<Typed> {
  readonly #memory: vscode.Memento;
  readonly #memoryKey: string;
  readonly #kept: z.ZodType<readonly { readonly of: string; readonly entered: Typed }[]>;

  constructor(memory: vscode.Memento, memoryKey: string, typed: z.ZodType<Typed>) {
    this.#memory = memory;
    this.#memoryKey = memoryKey;
    this.#kept = z.array(z.object({ of: z.string(), entered: typed }));
  }

  find(about: readonly (string | null)[]): Typed | undefined {
    return this.#all.find(({ of }) => of === JSON.stringify(about))?.entered;
  }

  /** Null: it is of no use any more. */
  async keep(about: readonly (string | null)[], entered: Typed | null): Promise<void> {
    const key = JSON.stringify(about);
    const others = this.#all.filter(({ of }) => of !== key);
    const kept = entered === null ? others : [{ of: key, entered }, ...others];
    await this.#memory.update(this.#memoryKey, kept.slice(0, mostKept));
  }

  get #all(): readonly { readonly of: string; readonly entered: Typed }[] {
    const read = this.#kept.safeParse(this.#memory.get(this.#memoryKey));
    return read.success ? read.data : [];
  }
}

export const columnDrafts = (memory: vscode.Memento): Drafts<EnteredColumn> =>
  new Drafts(memory, 'promptTables.columnDrafts', Entered);

export const scorecardDrafts = (memory: vscode.Memento): Drafts<EnteredScorecard> =>
  new Drafts(memory, 'promptTables.scorecardDrafts', EnteredCard);
