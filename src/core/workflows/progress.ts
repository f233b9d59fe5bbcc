import type { WorkflowProgress } from './options.ts';
import type { NodeOutputs } from './outputs.ts';
import { isNodeOutputs } from './outputs.ts';

/** Tells a listener what has changed, and nothing else. */
export class ProgressReporter {
  readonly #executionId: number;
  readonly #tell: (progress: WorkflowProgress) => void;
  #nodes: NodeOutputs = {};
  #thrown: unknown;

  constructor(executionId: number, tell: (progress: WorkflowProgress) => void) {
    this.#executionId = executionId;
    this.#tell = tell;
    this.#report([]);
  }

  /** What the service has answered; only a map of all nodes says something here. */
  see(result: unknown): void {
    if (!isNodeOutputs(result)) return;
    const before = this.#nodes;
    const changed = Object.entries(result).flatMap(([name, { status }]) =>
      before[name]?.status === status ? [] : [name],
    );
    this.#nodes = result;
    if (changed.length > 0) this.#report(changed);
  }

  /** Whether it is the listener that has thrown this: no fault of the way to the service. */
  hasThrown(error: unknown): boolean {
    return this.#thrown !== undefined && this.#thrown === error;
  }

  #report(changed: readonly string[]): void {
    try {
      this.#tell({ executionId: this.#executionId, nodes: this.#nodes, changed });
    } catch (error) {
      this.#thrown = error;
      throw error;
    }
  }
}
