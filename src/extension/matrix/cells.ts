import { createHash } from 'node:crypto';
import type { CellState, MatrixCell } from '../../protocol/matrix.ts';
import { ValidationError } from '../../core/errors.ts';
import { isRunningProcess } from '../shell/running-process.ts';
import type { Translate } from '../shell/translate.ts';
import type { MatrixJournal, Place } from './journal.ts';
import type { Case, Column, Plan } from './plan.ts';
import type { Answer, Line, Verdict } from './records.ts';

/** Characters of an answer that are kept in memory, and shown in the grid. */
const excerptLength = 300;

type Kept = Omit<Answer, 'text' | 'state'>;

/** What is known of a cell. Its whole text is in the journal only. */
export interface StoredCell {
  readonly columnId: string;
  readonly caseId: number;
  state: CellState;
  excerpt: string;
  length: number;
  /** Of the text: two answers are the same when these are. */
  digest: string | undefined;
  place: Place | undefined;
  /** The whole text while it could not be written down. */
  unwritten: string | undefined;
  answer: Kept | undefined;
  /** In the log, of all that was asked for it so far: also of what was asked again. */
  readonly requestIds: number[];
  readonly verdicts: Map<string, Verdict>;
}

export const keyOf = (columnId: string, caseId: number): string => `${columnId}/${caseId}`;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/** Shown in the grid. */
const startOf = (text: string): string => text.slice(0, excerptLength);

/** What a matrix is of and what has come of it: all that its journal says. */
export class MatrixCells {
  readonly #journal: MatrixJournal;
  readonly #t: Translate;
  readonly #cells = new Map<string, StoredCell>();
  readonly #prices = new Map<number, number>();
  readonly #best = new Map<number, string>();
  #plan: Plan | undefined;
  #cases: readonly Case[] = [];
  #nextCase = 0;
  #owner: number | undefined;
  #isOpen = false;

  constructor(journal: MatrixJournal, t: Translate) {
    this.#journal = journal;
    this.#t = t;
  }

  /** Reads what was kept. Errors: ValidationError, while another window asks for the rest of it. */
  async open({ pid = process.pid, isRunning = isRunningProcess } = {}): Promise<void> {
    await this.#journal.open((line, place) => this.#take(line, place));
    if (this.#owner !== undefined && this.#owner !== pid && isRunning(this.#owner)) {
      await this.#journal.close();
      const t = this.#t;
      throw new ValidationError(t('This comparison is running in another window.'), {
        hint: t('Stop it there, or wait for its end.'),
      });
    }
    for (const cell of this.#cells.values()) {
      if (cell.state === 'running') cell.state = 'interrupted';
    }
    this.#isOpen = true;
  }

  /** Nobody else may ask as long as this window does. */
  own(pid = process.pid): Promise<void> {
    return this.#put({ kind: 'owner', pid });
  }

  release(): Promise<void> {
    return this.#put({ kind: 'owner' });
  }

  /** What holds nothing is not kept. */
  async close(): Promise<void> {
    if (this.#isOpen && this.#plan === undefined) await this.#journal.remove();
    else await this.#journal.close();
  }

  get plan(): Plan | undefined {
    return this.#plan;
  }

  get cases(): readonly Case[] {
    return this.#cases;
  }

  get isFull(): boolean {
    return this.#journal.isFull;
  }

  /** Of the cases and columns that there are. */
  get best(): readonly (readonly [caseId: number, columnId: string])[] {
    const columns = new Set(this.#plan?.columns.map(({ id }) => id));
    return this.#cases.flatMap(({ id }) => {
      const columnId = this.#best.get(id);
      return columnId !== undefined && columns.has(columnId) ? [[id, columnId] as const] : [];
    });
  }

  priceOf = (requestId: number): number | undefined => this.#prices.get(requestId);

  /** As it is; one that nobody has asked for yet waits. */
  cell(columnId: string, caseId: number): StoredCell {
    const key = keyOf(columnId, caseId);
    let cell = this.#cells.get(key);
    if (cell === undefined) {
      cell = {
        ...{ columnId, caseId, state: 'waiting', excerpt: '', length: 0 },
        ...{ digest: undefined, place: undefined, unwritten: undefined },
        ...{ answer: undefined, requestIds: [] },
        verdicts: new Map(),
      };
      this.#cells.set(key, cell);
    }
    return cell;
  }

  /** Of a column, in the order of the cases. */
  ofColumn({ id }: Pick<Column, 'id'>): readonly StoredCell[] {
    return this.#cases.map((one) => this.cell(id, one.id));
  }

  shown(cell: StoredCell, scorerIds: readonly string[], judging: ReadonlySet<string>): MatrixCell {
    const { columnId, caseId, state, excerpt, length, answer, verdicts } = cell;
    const { requestId, ending, problem, elapsedMs, inputTokens, outputTokens, isCached } =
      answer ?? {};
    const priceUsd = requestId === undefined ? undefined : this.priceOf(requestId);
    const isDifferent = this.#isDifferent(cell);
    const scores = scorerIds.flatMap((scorerId) => {
      const verdict = verdicts.get(scorerId);
      if (verdict !== undefined) {
        const { pass, problem: why } = verdict;
        return [
          {
            scorerId,
            ...(pass !== undefined && { pass }),
            ...(why !== undefined && { problem: why }),
          },
        ];
      }
      return judging.has(`${keyOf(columnId, caseId)}/${scorerId}`)
        ? [{ scorerId, isRunning: true }]
        : [];
    });
    return {
      ...{ columnId, caseId, state, excerpt, length, scores },
      ...(ending !== undefined && { ending }),
      ...(problem !== undefined && { problem }),
      ...(elapsedMs !== undefined && { elapsedMs }),
      ...(inputTokens !== undefined && { inputTokens }),
      ...(outputTokens !== undefined && { outputTokens }),
      ...(requestId !== undefined && { requestId }),
      ...(priceUsd !== undefined && { priceUsd }),
      ...(isCached !== undefined && { isCached }),
      ...(isDifferent !== undefined && { isDifferent }),
    };
  }

  async textOf({ place, excerpt, unwritten }: StoredCell): Promise<string> {
    if (unwritten !== undefined) return unwritten;
    if (place === undefined) return excerpt;
    const line = await this.#journal.line(place);
    return line.kind === 'answer' ? line.answer.text : excerpt;
  }

  async setPlan(plan: Plan): Promise<void> {
    await this.#put({ kind: 'plan', plan });
  }

  async addCases(cases: readonly Omit<Case, 'id'>[]): Promise<void> {
    const named = cases.map((one, at) => ({ id: this.#nextCase + at, ...one }));
    await this.#put({ kind: 'cases', cases: named });
  }

  removeCases(): Promise<void> {
    return this.#put({ kind: 'noCases' });
  }

  /** A request goes out. */
  asked({ columnId, caseId }: StoredCell): Promise<void> {
    return this.#put({ kind: 'asked', columnId, caseId });
  }

  /** What has come so far, which is not written down: a request that goes on. */
  streamed(cell: StoredCell, text: string): void {
    cell.excerpt = startOf(text);
    cell.length = text.length;
  }

  /** Errors: those of the disk. The answer counts all the same: it was paid for. */
  async answered(cell: StoredCell, answer: Answer): Promise<void> {
    const { columnId, caseId } = cell;
    try {
      await this.#put({ kind: 'answer', columnId, caseId, answer });
    } catch (error) {
      this.#takeAnswer(columnId, caseId, answer, undefined);
      cell.unwritten = answer.text;
      throw error;
    }
  }

  judged({ columnId, caseId }: StoredCell, verdict: Verdict): Promise<void> {
    return this.#put({ kind: 'judged', columnId, caseId, verdict });
  }

  priced(requestId: number, usd: number): Promise<void> {
    return this.#put({ kind: 'price', requestId, usd });
  }

  decided(caseId: number, columnId: string | null): Promise<void> {
    return this.#put({ kind: 'best', caseId, columnId });
  }

  /** Requests that have a number in the log, also those of judges, and of cases that are gone. */
  get requestIds(): readonly number[] {
    return [...this.#cells.values()].flatMap(({ requestIds }) => requestIds);
  }

  async #put(line: Line): Promise<void> {
    this.#take(line, await this.#journal.add(line));
  }

  #isDifferent({ columnId, caseId, digest }: StoredCell): boolean | undefined {
    const first = this.#plan?.columns[0];
    if (first === undefined || first.id === columnId || digest === undefined) return undefined;
    const other = this.#cells.get(keyOf(first.id, caseId));
    if (other?.state !== 'done' || other.digest === undefined) return undefined;
    return other.digest !== digest;
  }

  #take(line: Line, place: Place): void {
    switch (line.kind) {
      case 'owner':
        this.#owner = line.pid;
        break;
      case 'plan':
        this.#plan = line.plan;
        break;
      case 'cases':
        this.#cases = [...this.#cases, ...line.cases];
        this.#nextCase = Math.max(this.#nextCase, ...line.cases.map(({ id }) => id + 1));
        break;
      case 'noCases':
        this.#cases = [];
        break;
      case 'asked':
        this.cell(line.columnId, line.caseId).state = 'running';
        break;
      case 'answer':
        this.#takeAnswer(line.columnId, line.caseId, line.answer, place);
        break;
      case 'judged':
        this.#takeVerdict(this.cell(line.columnId, line.caseId), line.verdict);
        break;
      case 'price':
        this.#prices.set(line.requestId, line.usd);
        break;
      case 'best':
        if (line.columnId === null) this.#best.delete(line.caseId);
        else this.#best.set(line.caseId, line.columnId);
        break;
    }
  }

  #takeAnswer(columnId: string, caseId: number, answer: Answer, place: Place | undefined): void {
    const cell = this.cell(columnId, caseId);
    const { text, state, ...rest } = answer;
    cell.state = state;
    cell.excerpt = startOf(text);
    cell.length = text.length;
    cell.digest = state === 'done' ? digestOf(text) : undefined;
    cell.place = place;
    cell.unwritten = undefined;
    cell.answer = rest;
    if (rest.requestId !== undefined) cell.requestIds.push(rest.requestId);
    // They were of another answer.
    cell.verdicts.clear();
  }

  #takeVerdict(cell: StoredCell, verdict: Verdict): void {
    cell.verdicts.set(verdict.scorerId, verdict);
    if (verdict.requestId !== undefined) cell.requestIds.push(verdict.requestId);
  }
}
