import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { PromptChoice, RunVariable } from '../protocol/run.ts';
import { runStates } from '../protocol/run.ts';
import { Blueprint, Choice, Model, PanelId } from './choice-schema.ts';
import type { Disposable } from './dispose.ts';
import { Records } from './records.ts';
import { Variable } from './variable-schema.ts';

/** Characters of what was given and of what came that an entry keeps for lists and search. */
const excerptLength = 300;
/** What a run has given, as far as one is kept; and all of them. */
const largestDetail = 4 * 1024 * 1024;
const largestFolder = 256 * 1024 * 1024;

const Entry = z.object({
  id: PanelId,
  kind: z.enum(['prompt', 'workflow']),
  connectionId: z.string(),
  /** Name of the workspace at the time. */
  workspace: z.string(),
  /** Of the prompt or workflow. */
  name: z.string(),
  choice: Choice,
  /** The prompt ran as it stood in a document or in the log, not as it was published. */
  isUnpublished: z.boolean().exactOptional(),
  version: z.number().exactOptional(),
  model: z.string().exactOptional(),
  /** Asked for in the place of the model that the prompt names; absent: its own has answered. */
  askedModel: Model.exactOptional(),
  state: z.enum(runStates),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
  elapsedMs: z.number(),
  inputTokens: z.number().exactOptional(),
  outputTokens: z.number().exactOptional(),
  /** US dollars; absent when nobody has told. */
  priceUsd: z.number().exactOptional(),
  /** In the log of requests. */
  requestId: z.number().exactOptional(),
  executionId: z.number().exactOptional(),
  problem: z.string().exactOptional(),
  /** The beginning of what was given and of what came. */
  inputs: z.string(),
  output: z.string(),
  scores: z.record(z.string(), z.number()).exactOptional(),
});
/** A run in the list of runs. */
export type RunEntry = Readonly<z.output<typeof Entry>>;

const Detail = z.object({
  variables: z.array(Variable),
  output: z.string(),
  record: z.unknown(),
  blueprint: Blueprint.exactOptional(),
});

/** What a run was given and has given. `record`: what its panel shows, null when it was too large. */
export interface RunDetail {
  readonly variables: readonly RunVariable[];
  readonly output: string;
  readonly record: unknown;
  /** The prompt that ran, when that was not a published one. */
  readonly blueprint?: Blueprint;
}

/** What a panel tells of a run that has ended. */
export interface EndedRun extends Omit<RunEntry, 'id' | 'inputs' | 'output' | 'choice'> {
  readonly choice: PromptChoice;
  readonly detail: RunDetail;
}

const excerpt = (text: string): string => text.slice(0, excerptLength);
const inputsOf = (variables: readonly RunVariable[]): string =>
  excerpt(variables.map(({ name, text }) => `${name}: ${text}`).join('; '));

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await fs.readdir(folder)).filter((name) => name.endsWith('.json'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * The runs of this folder of code: an entry and what it has given, each in a file that only this
 * user may read. Windows that share the folder share the runs. Touches no file until it is asked.
 */
export class RunHistory {
  readonly #folder: string;
  readonly #most: () => number;
  readonly #entries: Records<RunEntry>;
  readonly #details: Records<RunDetail>;
  readonly #listeners = new Set<() => void>();

  /** `most` runs are kept, the latest ones; 0: none. */
  constructor(folder: string, most: () => number) {
    this.#folder = folder;
    this.#most = most;
    this.#entries = new Records<RunEntry>(path.join(folder, 'entries'), {
      read: (value) => Entry.parse(value),
      lighter: (entry) => entry,
    });
    this.#details = new Records<RunDetail>(path.join(folder, 'details'), {
      read: (value) => Detail.parse(value),
      lighter: (detail) => ({ ...detail, record: null }),
      largest: largestDetail,
    });
  }

  onDidChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Keeps a run; undefined when none are to be kept. */
  async add({ detail, ...rest }: EndedRun): Promise<RunEntry | undefined> {
    if (this.#most() === 0) return undefined;
    const entry: RunEntry = {
      ...rest,
      id: randomUUID(),
      inputs: inputsOf(detail.variables),
      output: excerpt(detail.output),
    };
    await this.#details.write(entry.id, detail);
    await this.#entries.write(entry.id, entry);
    await this.#prune();
    this.#tell();
    return entry;
  }

  /** What was learned of a run after its end. */
  async change(id: string, changes: Partial<RunEntry>): Promise<void> {
    const entry = await this.#entries.read(id);
    if (entry === undefined) return;
    await this.#entries.write(id, { ...entry, ...changes, id });
    this.#tell();
  }

  /** Latest first. A file that is no entry is left out, and told to `onFault`. */
  async list(onFault: (error: unknown) => void): Promise<readonly RunEntry[]> {
    const names = await namesIn(path.join(this.#folder, 'entries'));
    const read = names.map(async (name) => {
      try {
        return await this.#entries.read(name.replace(/\.json$/, ''));
      } catch (error) {
        onFault(error);
        return undefined;
      }
    });
    return (await Promise.all(read))
      .filter((entry) => entry !== undefined)
      .sort((a, b) => b.startedAt - a.startedAt);
  }

  detail(id: string): Promise<RunDetail | undefined> {
    return this.#details.read(id);
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await this.#entries.remove(id);
      await this.#details.remove(id);
    }
    this.#tell();
  }

  /** Removes the oldest beyond the number and the size that may be kept. */
  async #prune(): Promise<void> {
    const most = this.#most();
    const sizes = new Map<string, number>();
    for (const name of await namesIn(path.join(this.#folder, 'details'))) {
      const { size } = await fs.stat(path.join(this.#folder, 'details', name));
      sizes.set(name.replace(/\.json$/, ''), size);
    }
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    if (sizes.size <= most && total <= largestFolder) return;
    let kept = 0;
    let bytes = 0;
    // One that cannot be read is no entry; its detail is too old for anybody to ask for.
    const known = await this.list(() => undefined);
    const wanted = new Set<string>();
    for (const { id } of known) {
      bytes += sizes.get(id) ?? 0;
      kept += 1;
      if (kept > most || bytes > largestFolder) break;
      wanted.add(id);
    }
    const ids = new Set([...known.map(({ id }) => id), ...sizes.keys()]);
    for (const id of ids) {
      if (wanted.has(id)) continue;
      await this.#entries.remove(id);
      await this.#details.remove(id);
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
