import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PromptAddress } from '../shell/prompt-address.ts';

/** Longer than a publication takes with all attempts: who holds it then has crashed. */
const staleMs = 5 * 60_000;
const usualPatienceMs = 30_000;
const pauseMs = 200;

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Windows of this machine publish a prompt one after the other. */
export class PublishLocks {
  readonly #folder: string;
  readonly #isBusy: (promptName: string) => Error;
  readonly #patienceMs: number;

  /** `isBusy`: what is thrown when another window does not come to an end. */
  constructor(
    storage: string,
    isBusy: (promptName: string) => Error,
    patienceMs = usualPatienceMs,
  ) {
    this.#folder = path.join(storage, 'publishing');
    this.#isBusy = isBusy;
    this.#patienceMs = patienceMs;
  }

  async with<Result>(
    { connectionId, promptName }: PromptAddress,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const name = createHash('sha256').update(JSON.stringify([connectionId, promptName]));
    const file = path.join(this.#folder, name.digest('hex'));
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const deadline = performance.now() + this.#patienceMs;
    while (!(await this.#take(file))) {
      if (performance.now() > deadline) {
        throw this.#isBusy(promptName);
      }
      await pause(pauseMs);
    }
    try {
      return await work();
    } finally {
      await fs.rm(file, { force: true });
    }
  }

  async #take(file: string): Promise<boolean> {
    try {
      await fs.writeFile(file, String(process.pid), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if (await this.#isStale(file)) await fs.rm(file, { force: true });
    return false;
  }

  async #isStale(file: string): Promise<boolean> {
    try {
      const [{ mtimeMs }, text] = [await fs.stat(file), await fs.readFile(file, 'utf8')];
      if (Date.now() - mtimeMs > staleMs) return true;
      const pid = Number(text);
      if (!Number.isSafeInteger(pid) || pid <= 0) return false;
      process.kill(pid, 0);
      return false;
    } catch (error) {
      // Its window is gone, or it was let go meanwhile.
      return ['ESRCH', 'ENOENT'].includes(String(codeOf(error)));
    }
  }
}
