import { randomUUID } from 'node:crypto';
import { mkdirSync, watch } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { PromptChoice, RunVariable } from '../../protocol/run.ts';
import { runStates } from '../../protocol/run.ts';
import {
  Blueprint,
  Choice,
  Ending,
  Model,
  PanelId,
  SentParameters,
} from '../shell/choice-schema.ts';
import type { Disposable } from '../shell/dispose.ts';
import { Records } from '../shell/records.ts';
import { Variable } from '../shell/variable-schema.ts';
import { ifThere } from '../shell/if-there.ts';

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
  /** Entered in the place of the prompt's own. */
  parameters: SentParameters.exactOptional(),
  state: z.enum(runStates),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
  elapsedMs: z.number(),
  inputTokens: z.number().exactOptional(),
  outputTokens: z.number().exactOptional(),
  /** US dollars; absent if unknown. */
  priceUsd: z.number().exactOptional(),
  /** In the log of requests. */
  requestId: z.number().exactOptional(),
  executionId: z.number().exactOptional(),
  problem: z.string().exactOptional(),
  /** How the answer ended, when it is not whole. */
  ending: Ending.exactOptional(),
  /** The beginning of what was given and of what came. */
  inputs: z.string(),
  output: z.string(),
  scores: z.record(z.string(), z.number()).exactOptional(),
  /** The window that a run goes on in: without it, the run is not going on any more. */
  owner: z.object({ window: PanelId, pid: z.int() }).exactOptional(),
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

/** How often a window says that it is there while something runs in it, and how long that counts. */
const beatMs = 5000;
const silentMs = 60_000;
/** How often the entry of a long run is written anew though its beginning is known. */
const entryMs = 10_000;
/** Changes come in crowds. */
const calmMs = 200;

/** What a panel tells of a run that has ended. */
export interface EndedRun extends Omit<RunEntry, 'id' | 'inputs' | 'output' | 'choice' | 'owner'> {
  /** Of the entry that it had while it went on. */
  readonly id?: string;
  readonly choice: PromptChoice;
  readonly detail: RunDetail;
}

const excerpt = (text: string): string => text.slice(0, excerptLength);
const inputsOf = (variables: readonly RunVariable[]): string =>
  excerpt(variables.map(({ name, text }) => `${name}: ${text}`).join('; '));

const entryOf = ({ detail, ...rest }: EndedRun & { readonly id: string }): RunEntry => ({
  ...rest,
  inputs: inputsOf(detail.variables),
  output: excerpt(detail.output),
});

const namesIn = async (folder: string): Promise<readonly string[]> =>
  ((await ifThere(fs.readdir(folder))) ?? []).filter((name) => name.endsWith('.json'));

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
  /** Of this window. */
  readonly #window = randomUUID();
  /** Runs that go on here: what of their entries was written, and when. */
  readonly #live = new Map<string, { readonly output: string; readonly at: number }>();
  readonly #writes = new Set<Promise<unknown>>();
  #beating: ReturnType<typeof setInterval> | undefined;

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
  add(run: EndedRun): Promise<RunEntry | undefined> {
    return this.#written(this.#add(run));
  }

  async #add({ detail, ...rest }: EndedRun): Promise<RunEntry | undefined> {
    const { id = randomUUID() } = rest;
    this.#live.delete(id);
    this.#beat();
    if (this.#most() === 0) return undefined;
    const entry = entryOf({ ...rest, id, detail });
    await this.#details.write(id, detail);
    await this.#entries.write(id, entry);
    await this.#prune();
    this.#tell();
    return entry;
  }

  /** Keeps what has come of a run that goes on. */
  update(run: EndedRun & { readonly id: string }): Promise<void> {
    return this.#written(this.#update(run));
  }

  async #update(run: EndedRun & { readonly id: string }): Promise<void> {
    if (this.#most() === 0) return;
    const { id, detail } = run;
    const entry = {
      ...entryOf(run),
      state: 'running' as const,
      owner: { window: this.#window, pid: process.pid },
    };
    const before = this.#live.get(id);
    const now = performance.now();
    const isNews = before?.output !== entry.output || now - before.at > entryMs;
    if (isNews) this.#live.set(id, { output: entry.output, at: now });
    if (before === undefined) await this.#alive();
    this.#beat();
    await this.#details.write(id, detail);
    if (!isNews) return;
    await this.#entries.write(id, entry);
    this.#tell();
  }

  /** Resolves when all is written that was begun. */
  async settled(): Promise<void> {
    while (this.#writes.size > 0) await Promise.allSettled(this.#writes);
  }

  #written<Result>(write: Promise<Result>): Promise<Result> {
    const kept = write.finally(() => this.#writes.delete(kept));
    this.#writes.add(kept);
    kept.catch(() => undefined);
    return kept;
  }

  #beat(): void {
    if (this.#live.size === 0) {
      clearInterval(this.#beating);
      this.#beating = undefined;
      return;
    }
    this.#beating ??= setInterval(() => {
      // A beat that is missed is made up for by the next.
      this.#alive().catch(() => undefined);
    }, beatMs).unref();
  }

  async #alive(): Promise<void> {
    const folder = path.join(this.#folder, 'windows');
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    await fs.writeFile(path.join(folder, this.#window), '', { mode: 0o600 });
  }

  /** As it is now: a run whose window has gone was interrupted. */
  async #now(entry: RunEntry): Promise<RunEntry> {
    const { owner, ...rest } = entry;
    if (entry.state !== 'running') return entry;
    const isHere = owner?.window === this.#window;
    const goesOn = isHere ? this.#live.has(entry.id) : owner && (await this.#isThere(owner));
    return goesOn === true ? entry : { ...rest, state: 'interrupted' };
  }

  async #isThere({ window, pid }: NonNullable<RunEntry['owner']>): Promise<boolean> {
    try {
      process.kill(pid, 0);
      const { mtimeMs } = await fs.stat(path.join(this.#folder, 'windows', window));
      return Date.now() - mtimeMs < silentMs;
    } catch (error) {
      // A process of somebody else is none of ours; no process and no file: the window is gone.
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'ESRCH' || code === 'EPERM' || code === 'ENOENT') return false;
      throw error;
    }
  }

  /** Tells of what other windows write, too. */
  follow(onFault: (error: unknown) => void): Disposable {
    const folder = path.join(this.#folder, 'entries');
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const watcher = watch(folder, { persistent: false }, () => {
        timer ??= setTimeout(() => {
          timer = undefined;
          this.#tell();
        }, calmMs);
      });
      watcher.on('error', onFault);
      return {
        dispose: () => {
          watcher.close();
          clearTimeout(timer);
        },
      };
    } catch (error) {
      onFault(error);
      return { dispose: () => undefined };
    }
  }

  /** What was learned of a run after its end. */
  async change(id: string, changes: Partial<RunEntry>): Promise<void> {
    const entry = await this.#entries.read(id);
    if (entry === undefined) return;
    await this.#entries.write(id, { ...entry, ...changes, id });
    this.#tell();
  }

  /** Latest first. A file that isn't an entry is left out and reported to `onFault`. */
  async list(onFault: (error: unknown) => void): Promise<readonly RunEntry[]> {
    const names = await namesIn(path.join(this.#folder, 'entries'));
    const read = names.map(async (name) => {
      try {
        const entry = await this.#entries.read(name.replace(/\.json$/, ''));
        return entry && (await this.#now(entry));
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
