import { hash } from 'node:crypto';
import type { Tools } from '../columns/column-kind.ts';
import { numberOf } from '../columns/decimal.ts';
import { jsonAsWritten, jsonFromText, jsonToText, type Json } from '../columns/json.ts';
import { isComputed, isManual } from '../columns/registry.ts';
import { Sources, type SourceState } from '../columns/sources.ts';
import { StoreError } from '../../store/store-error.ts';
import { CellProblem, messageOf, settledError } from '../problem.ts';
import { Metered, MeteredProblem } from '../prompts.ts';
import type { SheetColumn } from '../sheet-columns.ts';
import type { PlannedColumn, PlannedEdge } from './sheet-plan.ts';

const HASH_DIGITS = 32;
const MAX_VALUE = 8 * 2 ** 20;

/** What a cell holds: from the database, or just computed. */
export interface CellContent {
  readonly status: string;
  readonly previousStatus: string | null;
  /** JSON text; null is JSON null. */
  readonly value: string | null;
  readonly error: string | null;
  readonly errorMessage: string | null;
  readonly inputHash: string | null;
  /** JSON text of what it has cost. */
  readonly metrics: string | null;
}

export interface CellResult {
  readonly column: PlannedColumn;
  /** `stopped`: it was not computed, and goes back to what it was. */
  readonly status: 'completed' | 'error' | 'stopped';
  readonly value: string | null;
  readonly num: number | null;
  readonly error: string | null;
  readonly errorMessage: string | null;
  readonly inputHash: string;
  readonly metrics: string | null;
  /** Whether whoever uses the cell must compute again. */
  readonly isChanged: boolean;
  /** An error that is not the user's: for the log. */
  readonly fault?: unknown;
}

/** The cells of one row, by column key. */
export type RowCells = Map<number, CellContent>;

/**
 * Computes one cell from its row. A stale cell whose inputs are what they were keeps its value; a
 * cell that was asked for while it was complete is computed in any case. Rejects when the signal
 * aborts, and when the store fails, which is no fault of the cell: it is computed later.
 */
export function computeCell(
  column: PlannedColumn,
  cells: RowCells,
  tools: Tools,
): CellResult | Promise<CellResult> {
  const before = cells.get(column.key);
  const inputHash = inputHashOf(column, cells);
  if (
    (before?.previousStatus === 'stale' || before?.previousStatus === 'cancelled') &&
    before.inputHash === inputHash &&
    before.error === null
  ) {
    return {
      column,
      status: 'completed',
      value: before.value,
      num: before.value === null ? null : numberOfText(before.value),
      error: null,
      errorMessage: null,
      inputHash,
      metrics: before.metrics,
      isChanged: false,
    };
  }
  const succeeded = (computed: Json | Metered): CellResult => {
    const isMetered = computed instanceof Metered;
    const value = isMetered ? computed.value : computed;
    const metrics = isMetered ? JSON.stringify(computed.metrics) : null;
    const text = value === null ? null : jsonToText(value);
    if (text !== null && text.length > MAX_VALUE) return failed(tooLarge(text.length));
    const isSame =
      before !== undefined &&
      before.inputHash !== null &&
      before.error === null &&
      before.value === text;
    return {
      column,
      status: 'completed',
      value: text,
      num: numberOf(value),
      error: null,
      errorMessage: null,
      inputHash,
      metrics,
      isChanged: !isSame,
    };
  };
  const failed = (thrown: unknown): CellResult => {
    const error = settledError(thrown);
    tools.signal.throwIfAborted();
    // No other error says anything about the store, whatever its words: a cell may fail with any.
    if (error instanceof StoreError) throw error;
    const isExpected = error instanceof CellProblem;
    if (isExpected && error.code === 'cost_ceiling') return stoppedCell(column, error.message);
    const code = isExpected ? error.code : 'internal';
    const message = isExpected
      ? error.message
      : `The service could not compute this cell: ${messageOf(error)}`;
    return {
      column,
      status: 'error',
      value: null,
      num: null,
      error: code,
      errorMessage: message,
      inputHash,
      metrics: error instanceof MeteredProblem ? JSON.stringify(error.metrics) : null,
      isChanged: before?.errorMessage !== message,
      ...(!isExpected && { fault: error }),
    };
  };
  try {
    const value = column.compiled.compute(sourcesOf(column, cells), tools);
    return value instanceof Promise ? value.then(succeeded).catch(failed) : succeeded(value);
  } catch (error) {
    return failed(error);
  }
}

const tooLarge = (length: number): CellProblem =>
  new CellProblem(
    'limit_exceeded',
    `The value has ${String(length)} characters as JSON; a cell holds at most ${String(MAX_VALUE)}.`,
  );

/** A cell that is left as it was, because its operation has stopped. */
export const stoppedCell = (column: PlannedColumn, message: string): CellResult => ({
  column,
  status: 'stopped',
  value: null,
  num: null,
  error: null,
  errorMessage: message,
  inputHash: '',
  metrics: null,
  isChanged: false,
});

/** What a later column of the row sees of a result. */
export const contentOf = (result: CellResult): CellContent => ({
  status: result.status,
  previousStatus: null,
  value: result.value,
  error: result.error,
  errorMessage: result.errorMessage,
  inputHash: result.inputHash,
  metrics: result.metrics,
});

function sourcesOf(column: PlannedColumn, cells: RowCells): Sources {
  return new Sources(
    column.edges.map((edge) => ({
      configKey: edge.configKey,
      name: edge.name,
      state: sourceState(edge, cells),
    })),
  );
}

function sourceState({ column, title }: PlannedEdge, cells: RowCells): SourceState {
  if (!column) return { kind: 'missing', title };
  const cell = cells.get(column.key);
  switch (kindOf(column, cell)) {
    case 'value':
      return {
        kind: 'value',
        title,
        value: jsonAsWritten(cell?.value ?? 'null'),
      };
    case 'failed':
      return { kind: 'failed', title, message: cell?.errorMessage ?? 'no reason is known.' };
    case 'not_computed':
      return { kind: 'not_computed', title, isManual: isManual(column.type) };
  }
}

function kindOf(
  column: SheetColumn,
  cell: CellContent | undefined,
): 'value' | 'failed' | 'not_computed' {
  if (!cell) return isComputed(column.type) ? 'not_computed' : 'value';
  if (cell.status === 'input' || cell.status === 'completed') return 'value';
  if (cell.status === 'error' || cell.error !== null) return 'failed';
  // Stale, queued or running: the last result stands until there is a new one.
  return cell.inputHash !== null || cell.value !== null ? 'value' : 'not_computed';
}

/** Changes when the config, a source's name or a source's content changes. */
function inputHashOf(column: PlannedColumn, cells: RowCells): string {
  let text = column.configHash;
  for (const { column: source, configKey, name, title } of column.edges) {
    text += `\n${configKey}\t${name ?? ''}\t${title}\t`;
    if (!source) {
      text += 'missing';
      continue;
    }
    const cell = cells.get(source.key);
    const kind = kindOf(source, cell);
    text += `${kind}\t${(kind === 'failed' ? cell?.errorMessage : cell?.value) ?? 'null'}`;
  }
  return hash('sha256', text).slice(0, HASH_DIGITS);
}

const numberOfText = (text: string): number | null =>
  /^-?\d/.test(text) ? numberOf(jsonFromText(text)) : null;
