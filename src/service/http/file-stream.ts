import type { Log } from '../log.ts';
import { errorText } from '../log.ts';
import { Problem } from './problem.ts';
import type { FileReply } from './route.ts';

export const fileHeaders = ({ mediaType, fileName }: FileReply): Record<string, string> => ({
  'content-type': mediaType,
  'cache-control': 'no-store',
  'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(fileName.toWellFormed())}`,
});

/** Each holds a page of its sheet, so this bounds the memory that slow readers can take up. */
const MOST_FILES = 64;
/** A reader that takes nothing for so long makes room for others. */
const PATIENCE_MS = 60_000;

/** Sends files, so many at a time. */
export class FileSender {
  readonly #log: Log;
  #openCount = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * The pieces as the reader asks for them: one is made when there is room for it on the socket. A
   * file that can't be finished breaks the connection, so that nobody takes a part of it for the
   * whole.
   */
  async open({ pieces, fileName }: FileReply): Promise<ReadableStream<Uint8Array>> {
    if (this.#openCount >= MOST_FILES) {
      await pieces.return();
      throw new Problem(
        429,
        'too_many_files',
        `${String(MOST_FILES)} files are being sent already. Ask for this one again in a moment.`,
      );
    }
    this.#openCount += 1;
    let patience: NodeJS.Timeout | undefined;
    let isOpen = true;
    const leave = (): void => {
      clearTimeout(patience);
      if (isOpen) this.#openCount -= 1;
      isOpen = false;
    };
    const breakOff = (controller: ReadableStreamDefaultController, error: unknown): void => {
      leave();
      this.#log.error('A file broke off', { fileName, error: errorText(error) });
      controller.error(error);
    };
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          clearTimeout(patience);
          try {
            const { done, value } = await pieces.next();
            if (!isOpen) return;
            if (done === true) {
              leave();
              controller.close();
              return;
            }
            controller.enqueue(value);
            patience = setTimeout(() => {
              breakOff(controller, new Error('Its reader has taken nothing for a minute.'));
              // A generator between two pieces: there is nothing in it that could fail.
              void pieces.return();
            }, PATIENCE_MS).unref();
          } catch (error) {
            breakOff(controller, error);
          }
        },
        cancel: async () => {
          leave();
          await pieces.return();
        },
      },
      { highWaterMark: 0 },
    );
  }
}
