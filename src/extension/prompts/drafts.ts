import { createHash } from 'node:crypto';
import path from 'node:path';
import * as z from 'zod';
import type { PromptAddress } from '../shell/prompt-address.ts';
import { Records } from '../shell/records.ts';

const Draft = z.object({
  connectionId: z.string(),
  promptName: z.string(),
  text: z.string(),
  savedAt: z.number(),
});
export type Draft = z.output<typeof Draft>;

const keyOf = ({ connectionId, promptName }: PromptAddress): string =>
  createHash('sha256')
    .update(JSON.stringify([connectionId, promptName]))
    .digest('hex');

/** What was saved and not yet published: one text for each prompt, on this machine. */
export class Drafts {
  readonly folder: string;
  readonly #records: Records<Draft>;

  constructor(storage: string) {
    this.folder = path.join(storage, 'drafts');
    this.#records = new Records(this.folder, {
      read: (value) => Draft.parse(value),
      // A draft that is cut would be published as if it were whole.
      lighter: (draft) => draft,
    });
  }

  read(address: PromptAddress): Promise<Draft | undefined> {
    return this.#records.read(keyOf(address));
  }

  /** All of them, the latest first. One that can't be read is left out and reported to `onFault`. */
  async list(onFault: (error: unknown) => void): Promise<readonly Draft[]> {
    const drafts = await this.#records.list(onFault);
    return drafts.map(([, draft]) => draft).toSorted((a, b) => b.savedAt - a.savedAt);
  }

  async write({ connectionId, promptName }: PromptAddress, text: string): Promise<void> {
    const address = { connectionId, promptName };
    const before = (await this.read(address))?.savedAt ?? 0;
    // An editor takes a later time for a change: it must never stand still.
    const savedAt = Math.max(Date.now(), before + 1);
    await this.#records.write(keyOf(address), { ...address, text, savedAt });
  }

  remove(address: PromptAddress): Promise<void> {
    return this.#records.remove(keyOf(address));
  }

  /** Removes the draft if it still is this text; answers whether it is gone. */
  async removeText(address: PromptAddress, text: string): Promise<boolean> {
    const draft = await this.read(address);
    if (draft !== undefined && draft.text !== text) return false;
    await this.remove(address);
    return true;
  }
}
