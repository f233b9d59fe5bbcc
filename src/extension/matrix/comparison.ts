import type {
  ColumnFoot,
  HaltKind,
  MatrixCell,
  MatrixEvents,
  MatrixProgress,
} from '../../protocol/matrix.ts';
import type { MatrixCells, StoredCell } from './cells.ts';
import { keyOf } from './cells.ts';
import type { MatrixEngine } from './engine.ts';
import type { Plan } from './plan.ts';
import { footOf } from './statistics.ts';

/** At most one message to the page in this time, whatever streams. */
const flushMs = 100;

interface Parts {
  readonly cells: MatrixCells;
  readonly engine: MatrixEngine;
  readonly emit: (message: MatrixEvents['cells']) => void;
}

/** What a page is told of a comparison: all of it once, and then what has changed, not too often. */
export class Followed {
  readonly #parts: Parts;
  readonly #changed = new Map<string, StoredCell>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #halt: HaltKind | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    const isInterrupted = this.#all.some(({ state }) => state === 'interrupted');
    this.#halt = isInterrupted ? 'interrupted' : undefined;
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  get #plan(): Plan | undefined {
    return this.#parts.cells.plan;
  }

  get #all(): readonly StoredCell[] {
    const { cells } = this.#parts;
    return (this.#plan?.columns ?? []).flatMap((column) => cells.ofColumn(column));
  }

  /** Why it has ended, until it goes on. */
  setHalt(halt: HaltKind | undefined): void {
    this.#halt = halt;
    this.#tellSoon();
  }

  changed(cell: StoredCell): void {
    this.#changed.set(keyOf(cell.columnId, cell.caseId), cell);
    // Others are compared with an answer of the first column.
    const [first, ...others] = this.#plan?.columns ?? [];
    if (first?.id === cell.columnId && cell.state === 'done') {
      for (const { id } of others) {
        this.#changed.set(keyOf(id, cell.caseId), this.#parts.cells.cell(id, cell.caseId));
      }
    }
    this.#tellSoon();
  }

  get shown(): readonly MatrixCell[] {
    // Those that wait are what the page takes for granted.
    return this.#all.filter(({ state }) => state !== 'waiting').map((cell) => this.#show(cell));
  }

  get foots(): readonly ColumnFoot[] {
    const { cells } = this.#parts;
    const { columns = [], scorers = [] } = this.#plan ?? {};
    const best = cells.best.map(([, columnId]) => columnId);
    return columns.map((column) =>
      footOf(column.id, cells.ofColumn(column), {
        scorerIds: scorers.map(({ id }) => id),
        priceOf: cells.priceOf,
        firsts: best.filter((id) => id === column.id).length,
      }),
    );
  }

  get progress(): MatrixProgress {
    const { cells, engine } = this.#parts;
    const all = this.#all;
    const ids = cells.requestIds;
    const prices = ids.flatMap((id) => cells.priceOf(id) ?? []);
    const unnumbered = all.filter(
      ({ state, answer }) =>
        (state === 'stopped' || state === 'interrupted' || state === 'done') &&
        answer?.requestId === undefined &&
        answer?.isCached !== true,
    );
    return {
      ...{ isRunning: engine.isRunning, total: all.length },
      answered: all.filter(({ state }) => state === 'done').length,
      failed: all.filter(({ state }) => state === 'failed').length,
      unpriced: ids.length - prices.length + unnumbered.length,
      ...(prices.length > 0 && { costUsd: prices.reduce((a, b) => a + b, 0) }),
      ...(this.#halt !== undefined && { halt: this.#halt }),
    };
  }

  /** At once, for what somebody waits to see. */
  tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const cells = [...this.#changed.values()].map((cell) => this.#show(cell));
    this.#changed.clear();
    this.#parts.emit({ cells, foots: this.foots, progress: this.progress });
  }

  #tellSoon(): void {
    this.#timer ??= setTimeout(() => this.tell(), flushMs);
  }

  #show(cell: StoredCell): MatrixCell {
    const { cells, engine } = this.#parts;
    const scorerIds = (this.#plan?.scorers ?? []).map(({ id }) => id);
    return cells.shown(cell, scorerIds, engine.judging);
  }
}
