import { Worker } from 'node:worker_threads';
import type { Remark } from '../../core/imports/table.ts';
import type { FirstRows, ImportNote, ImportTask, SentFault } from './task.ts';

export interface TaskEnd {
  readonly rows: number;
  readonly remarks: readonly Remark[];
  readonly fault: SentFault | null;
}

export interface TaskListener {
  readonly first?: (first: FirstRows) => void;
  readonly count?: (rows: number) => void;
}

/** What a file may take while it is read; a text that is streamed needs a tenth of it. */
const MOST_MEGABYTES = 1024;

/**
 * Carries out a task in a thread of its own, which `signal` ends wherever it is. Bundled beside this
 * file, wherever that is.
 */
export function runTask(
  program: string,
  task: ImportTask,
  { first, count }: TaskListener,
  signal: AbortSignal,
): Promise<TaskEnd> {
  signal.throwIfAborted();
  const thread = new Worker(program, {
    workerData: task,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  });
  const stop = (): void => void thread.terminate();
  signal.addEventListener('abort', stop, { once: true });
  return new Promise<TaskEnd>((resolve, reject) => {
    let end: TaskEnd | undefined;
    thread.on('message', (note: ImportNote) => {
      if (note.kind === 'first') first?.(note);
      else if (note.kind === 'count') count?.(note.rows);
      else end = note;
    });
    thread.on('error', (error: Error & { readonly code?: string }) => {
      if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') {
        reject(error);
        return;
      }
      const fault = { kind: 'memory', megabytes: MOST_MEGABYTES } as const;
      resolve({ rows: 0, remarks: [], fault: { message: error.message, fault } });
    });
    thread.on('exit', () => {
      if (end !== undefined) resolve(end);
      else if (signal.aborted) reject(signal.reason as Error);
      else reject(new Error('The thread that reads the file has ended early.'));
    });
  }).finally(() => signal.removeEventListener('abort', stop));
}
