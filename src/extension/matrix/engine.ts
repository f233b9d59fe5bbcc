import type { HaltKind } from '../../protocol/matrix.ts';
import type { Budget } from './budget.ts';
import type { MatrixCells, StoredCell } from './cells.ts';
import type { Job } from './places.ts';
import { Places } from './places.ts';
import type { Case, Column, Scorer } from './plan.ts';
import type { Answer, Verdict } from './records.ts';

/** So many failures of a column in a row, and the rest of it isn't tried. */
const mostFailures = 5;

export interface Asked {
  readonly column: Column;
  readonly case: Case;
  readonly signal: AbortSignal;
  /** All that has come of the answer so far. */
  readonly onText: (text: string) => void;
}

export interface Asking {
  readonly answer: Answer;
  /** It would go the same way with every case: a key is missing, or the model isn't there. */
  readonly isOfColumn?: boolean;
}

export interface Judged {
  readonly scorer: Scorer;
  readonly column: Column;
  readonly case: Case;
  readonly text: string;
  readonly signal: AbortSignal;
}

export interface EngineParts {
  readonly cells: MatrixCells;
  /** One request, and no more. Never throws but for what nobody thought of. */
  readonly ask: (asked: Asked) => Promise<Asking>;
  /** The same of a scorer that asks a model; the others answer at once. */
  readonly judge: (judged: Judged) => Promise<Verdict>;
  readonly providerOf: (scorer: Scorer) => string | undefined;
  readonly placesOf: (provider: string) => number;
  /** A request was logged: what it costs is to be found out, for the budget of `id`. */
  readonly price: (requestId: number, id: string) => void;
  /** Something of a cell is no longer as it was. */
  readonly changed: (cell: StoredCell) => void;
  readonly note: (error: unknown, doing: string) => void;
  /** Words for cells that are not asked because others have failed. */
  readonly notAsked: (message: string) => string;
}

export interface RunParts {
  readonly columns: readonly Column[];
  readonly scorers: readonly Scorer[];
  readonly budget: Budget;
  readonly asks?: boolean;
}

export interface RunEnd {
  readonly halt?: HaltKind;
  /** What could not be written down, and ended the run. */
  readonly error?: unknown;
}

interface Going {
  readonly columns: readonly Column[];
  readonly scorers: readonly Scorer[];
  readonly budget: Budget;
  readonly stop: AbortController;
  readonly places: Places;
  /** Why a column is no longer asked. */
  readonly faults: Map<string, string>;
  readonly failures: Map<string, number>;
  /** Requests whose price is not known yet, so that more may become ready. */
  readonly unpriced: Map<number, string>;
  readonly resolve: (end: RunEnd) => void;
  halt: HaltKind | undefined;
  error: unknown;
}

const isToAsk = ({ state }: StoredCell): boolean => state !== 'done' && state !== 'running';

/** Asks for every cell that has no answer, each once, and scores what comes. */
export class MatrixEngine {
  readonly #parts: EngineParts;
  readonly #judging = new Set<string>();
  #going: Going | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  get isRunning(): boolean {
    return this.#going !== undefined;
  }

  /** Scores that are being asked for, as `columnId/caseId/scorerId`. */
  get judging(): ReadonlySet<string> {
    return this.#judging;
  }

  /** What a run would ask: cells, and judges of these and of answers that were not judged yet. */
  toAsk(columns: readonly Column[], scorers: readonly Scorer[]) {
    const cells = columns.flatMap((column) =>
      this.#parts.cells
        .ofColumn(column)
        .filter(isToAsk)
        .map((cell) => ({ column, cell })),
    );
    const judged = scorers.filter((scorer) => this.#parts.providerOf(scorer) !== undefined);
    const answered = columns.flatMap((column) =>
      this.#parts.cells.ofColumn(column).filter(({ state }) => state === 'done'),
    );
    const unjudged = judged.flatMap(({ id }) =>
      answered.filter(({ verdicts }) => verdicts.get(id)?.pass === undefined),
    );
    return { cells, judges: cells.length * judged.length + unjudged.length };
  }

  /** `asks`: false where answers that are there are only to be scored. */
  run({ columns, scorers, budget, asks = true }: RunParts): Promise<RunEnd> {
    if (this.#going !== undefined) throw new Error('The comparison is running already.');
    return new Promise((resolve) => {
      const going: Going = {
        ...{ columns, scorers, budget, resolve, stop: new AbortController() },
        places: new Places(this.#parts.placesOf, () => this.#finish(going)),
        ...{ faults: new Map(), failures: new Map(), unpriced: new Map() },
        ...{ halt: undefined, error: undefined },
      };
      this.#going = going;
      if (asks) going.places.add(this.#jobs(going));
      this.#score(going);
      going.places.fill();
    });
  }

  /** Every socket is closed at once; what has come of the answers is kept. */
  stop(): void {
    this.#halt(this.#going, 'stopped');
  }

  /** A price is known, or never will be. */
  priced(requestId: number, usd: number | null): void {
    const going = this.#going;
    const id = going?.unpriced.get(requestId);
    if (going === undefined || id === undefined) return;
    going.unpriced.delete(requestId);
    going.budget.priced(id, usd);
    going.places.fill();
  }

  /** Case by case, so that what is to be compared comes together. */
  #jobs(going: Going): readonly Job[] {
    const { cells } = this.#parts;
    return cells.cases.flatMap((one) =>
      going.columns.flatMap((column) => {
        const cell = cells.cell(column.id, one.id);
        if (!isToAsk(cell)) return [];
        return [
          {
            provider: column.provider,
            ready: () => this.#ready(going, column.id),
            run: () => this.#guarded(going, () => this.#ask(going, column, one, cell)),
          },
        ];
      }),
    );
  }

  #ready(going: Going, id: string): 'now' | 'later' | 'never' {
    if (going.stop.signal.aborted || going.halt !== undefined) return 'never';
    const next = going.budget.next(id);
    if (next !== 'over') return next;
    // Prices that are still to come may turn out lower than what is reckoned with.
    if (going.unpriced.size > 0 || going.places.running > 0) return 'later';
    going.halt = 'budget';
    return 'never';
  }

  async #ask(going: Going, column: Column, one: Case, cell: StoredCell): Promise<void> {
    const { cells, ask, changed } = this.#parts;
    const fault = going.faults.get(column.id);
    if (fault !== undefined) {
      const message = this.#parts.notAsked(fault);
      await cells.answered(cell, { state: 'failed', text: '', elapsedMs: 0, problem: { message } });
      changed(cell);
      return;
    }
    if (cells.isFull) throw new Error('The journal of the comparison is full.');
    going.budget.asked(column.id);
    let requestId: number | undefined;
    try {
      // Before anything is sent: whoever comes after a crash knows that it may have been paid.
      await cells.asked(cell);
      if (going.stop.signal.aborted) {
        await cells.answered(cell, { state: 'stopped', text: '', elapsedMs: 0 });
        return;
      }
      changed(cell);
      const { answer, isOfColumn = false } = await ask({
        ...{ column, case: one, signal: going.stop.signal },
        onText: (text) => {
          if (cell.state !== 'running') return;
          cells.streamed(cell, text);
          changed(cell);
        },
      });
      ({ requestId } = answer);
      this.#count(going, column, answer, isOfColumn);
      await cells.answered(cell, answer);
    } finally {
      this.#owe(going, requestId, column.id);
      changed(cell);
    }
    if (cell.state === 'done') this.#scoreCell(going, column, one, cell);
  }

  /** What a request costs will be known, or it never had a number in the log. */
  #owe(going: Going, requestId: number | undefined, id: string): void {
    if (requestId === undefined) {
      going.budget.priced(id, null);
      return;
    }
    going.unpriced.set(requestId, id);
    this.#parts.price(requestId, id);
  }

  #count(going: Going, { id }: Column, { state, problem }: Answer, isOfColumn: boolean): void {
    if (state !== 'failed') {
      if (state === 'done') going.failures.delete(id);
      return;
    }
    const failures = (going.failures.get(id) ?? 0) + 1;
    going.failures.set(id, failures);
    if (isOfColumn || failures >= mostFailures) going.faults.set(id, problem?.message ?? '');
  }

  /** Answers that are there already. */
  #score(going: Going): void {
    for (const column of going.columns) {
      for (const one of this.#parts.cells.cases) {
        const cell = this.#parts.cells.cell(column.id, one.id);
        if (cell.state === 'done') this.#scoreCell(going, column, one, cell);
      }
    }
  }

  #scoreCell(going: Going, column: Column, one: Case, cell: StoredCell): void {
    const { providerOf } = this.#parts;
    for (const scorer of going.scorers) {
      if (cell.verdicts.get(scorer.id)?.pass !== undefined) continue;
      const provider = providerOf(scorer);
      const run = () =>
        this.#guarded(going, () => this.#judge(going, { scorer, column, one, cell, provider }));
      const id = `${scorer.id}:judge`;
      going.places.add([
        {
          provider: provider ?? '',
          ready: () => (provider === undefined ? 'now' : this.#ready(going, id)),
          run,
        },
      ]);
    }
  }

  async #judge(
    going: Going,
    asked: {
      readonly scorer: Scorer;
      readonly column: Column;
      readonly one: Case;
      readonly cell: StoredCell;
      readonly provider: string | undefined;
    },
  ): Promise<void> {
    const { scorer, column, one, cell, provider } = asked;
    const { cells, judge, changed } = this.#parts;
    const id = `${scorer.id}:judge`;
    const key = `${cell.columnId}/${cell.caseId}/${scorer.id}`;
    if (provider !== undefined) {
      going.budget.asked(id);
      this.#judging.add(key);
      changed(cell);
    }
    let requestId: number | undefined;
    try {
      const text = await cells.textOf(cell);
      const { signal } = going.stop;
      const verdict = await judge({ scorer, column, case: one, text, signal });
      ({ requestId } = verdict);
      // Nothing was found out, and it is asked again when the run is continued.
      if (!signal.aborted || verdict.pass !== undefined) await cells.judged(cell, verdict);
    } finally {
      if (provider !== undefined) this.#owe(going, requestId, id);
      this.#judging.delete(key);
      changed(cell);
    }
  }

  async #guarded(going: Going, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // The disk, or something that nobody has thought of: nothing more is asked.
      this.#parts.note(error, 'Comparing many variants');
      going.error ??= error;
      this.#halt(going, 'interrupted');
    }
  }

  #halt(going: Going | undefined, halt: HaltKind): void {
    if (going === undefined) return;
    going.halt ??= halt;
    going.places.clear();
    going.stop.abort();
    going.places.fill();
  }

  #finish(going: Going): void {
    // Prices may still let more out.
    if (this.#going !== going) return;
    if (going.halt === undefined && going.places.waits && going.unpriced.size > 0) return;
    this.#going = undefined;
    going.resolve({
      ...(going.halt !== undefined && { halt: going.halt }),
      ...(going.error !== undefined && { error: going.error }),
    });
  }
}
