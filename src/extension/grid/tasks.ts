import type { SavingProgress } from '../../protocol/grid-edits.ts';
import type { Progress } from '../shell/progress.ts';

interface Task {
  readonly title: string;
  readonly stopping: AbortController;
  message: string;
  percent: number | undefined;
}

/** Between two words of how far it is. */
const pauseMs = 150;

/**
 * Work on a sheet that a person has confirmed. It belongs to the extension, not to the view that
 * asked for it: it ends when it is done, or when it is stopped by hand.
 */
export class Tasks {
  readonly #running = new Set<Task>();
  readonly #changed: () => void;
  readonly #closing: AbortSignal;
  #timer: NodeJS.Timeout | undefined;

  /** `closing`: the window closes. What is begun is finished by the next one. */
  constructor(closing: AbortSignal, changed: () => void) {
    this.#closing = closing;
    this.#changed = changed;
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** The oldest of them. */
  get presentation(): SavingProgress | null {
    const [first] = this.#running;
    if (first === undefined) return null;
    const { title, message, percent } = first;
    return { title, message, ...(percent !== undefined && { percent }) };
  }

  async run<Result>(
    title: string,
    work: (stop: AbortSignal, progress: Progress) => Promise<Result>,
  ): Promise<Result> {
    const task: Task = {
      title,
      stopping: new AbortController(),
      message: '',
      percent: undefined,
    };
    this.#running.add(task);
    this.#tell();
    const stop = AbortSignal.any([this.#closing, task.stopping.signal]);
    try {
      return await work(stop, {
        report: ({ message = task.message, percent = task.percent }) => {
          task.message = message;
          task.percent = percent;
          this.#timer ??= setTimeout(() => this.#tell(), pauseMs).unref();
        },
      });
    } finally {
      this.#running.delete(task);
      this.#tell();
    }
  }

  /** Stops what `presentation` tells of. */
  stop(): void {
    const [first] = this.#running;
    first?.stopping.abort();
  }

  stopAll(): void {
    for (const { stopping } of this.#running) stopping.abort();
  }

  #tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed();
  }
}
