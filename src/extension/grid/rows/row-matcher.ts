import { holdsText } from '../../../core/holds-text.ts';
import type { CellKind, GridPage } from '../../../protocol/grid-cells.ts';
import type { GridColumn } from '../../../protocol/grid-sheet.ts';
import { cellKinds } from '../../../protocol/grid-cells.ts';
import type { RowCondition, RowsQuery } from '../../../protocol/grid-work.ts';
import { anyColumn, cutOffStatus, notRunStatus } from '../../../protocol/grid-work.ts';
import { keyOf, looksSame, orderOf } from '../../../core/comparison.ts';
import { comparableOf, hasValue } from './order.ts';
import { Pattern } from './pattern.ts';
import type { Translate } from '../../shell/translate.ts';

interface Looked {
  readonly text: string;
  readonly kind: CellKind;
  readonly status: string;
}
type Test = (cell: Looked) => boolean;

const listed = (operand: string): ReadonlySet<string> =>
  new Set(operand.split(/[\n,]/).map((word) => keyOf(word.trim())));

/** As a CONDITION column does it; what has no order is neither above nor below. */
function orderIs({ kind, text }: Looked, operand: string, test: (order: number) => boolean) {
  const order = orderOf(comparableOf(kind, text), operand);
  return typeof order === 'number' && test(order);
}

const isSame = ({ kind, text }: Looked, operand: string): boolean =>
  hasValue(kind) && looksSame(comparableOf(kind, text), operand);

/** A cell that has never been run is stale to the service, unless it is on its way. */
const shownStatus = ({ status, kind }: Looked): string =>
  kind === 'notRun' && status === 'stale' ? notRunStatus : status;

/** What any column must not do, none of them may do. */
const isNegative = (operator: RowCondition['operator']): boolean =>
  operator === 'lacks' || operator === 'differs';

function testOf({ operator, operand }: RowCondition): Test {
  const lower = operand.toLowerCase();
  const words = listed(operand);
  switch (operator) {
    case 'contains':
      return ({ text }) => holdsText(text.toLowerCase(), lower);
    case 'lacks':
      return ({ text }) => !holdsText(text.toLowerCase(), lower);
    case 'equals':
      return (cell) => isSame(cell, operand);
    case 'differs':
      return (cell) => !isSame(cell, operand);
    case 'oneOf':
      return ({ text, kind }) => hasValue(kind) && words.has(keyOf(text.trim()));
    case 'above':
      return (cell) => orderIs(cell, operand, (order) => order > 0);
    case 'below':
      return (cell) => orderIs(cell, operand, (order) => order < 0);
    case 'filled':
      return ({ kind }) => hasValue(kind);
    case 'empty':
      return ({ kind }) => kind === 'empty';
    case 'null':
      return ({ kind }) => kind === 'null' || kind === 'missing' || kind === 'notRun';
    case 'status':
      return (cell) => {
        const status = shownStatus(cell);
        // What is cut off is completed all the same.
        return status === operand || (operand === 'completed' && status === cutOffStatus);
      };
    case 'matches':
      throw new Error('Patterns are tested apart.');
  }
}

function cellsOf(grid: GridPage, columnId: string): readonly Looked[] {
  const column = grid.columns[columnId];
  return grid.rowIndices.map((_, place) => ({
    text: column?.text[place] ?? '',
    kind: cellKinds[column?.kind[place] ?? 0] ?? 'missing',
    status: grid.statuses[column?.status[place] ?? 0] ?? '',
  }));
}

/** Tells which rows of a page fulfil a query. To be closed. */
export class RowMatcher {
  readonly #query: RowsQuery;
  readonly #columns: readonly GridColumn[];
  readonly #patterns = new Map<RowCondition, Pattern>();

  constructor(query: RowsQuery, columns: readonly GridColumn[], t: Translate) {
    this.#query = query;
    this.#columns = columns;
    for (const condition of query.conditions) {
      if (condition.operator !== 'matches') continue;
      this.#patterns.set(condition, new Pattern(condition.operand, 'u', t));
    }
  }

  /** Columns that are looked at. */
  get columns(): readonly GridColumn[] {
    const { conditions } = this.#query;
    const isAny = conditions.some(({ columnId }) => columnId === anyColumn);
    const named = new Set(conditions.map(({ columnId }) => columnId));
    return isAny ? this.#columns : this.#columns.filter(({ id }) => named.has(id));
  }

  /** By place in the page. */
  async matches(grid: GridPage, signal: AbortSignal): Promise<readonly boolean[]> {
    const { conditions, match } = this.#query;
    if (conditions.length === 0) return grid.rowIndices.map(() => true);
    const answers: (readonly boolean[])[] = [];
    for (const condition of conditions) answers.push(await this.#test(condition, grid, signal));
    return grid.rowIndices.map((_, place) =>
      match === 'all'
        ? answers.every((answer) => answer[place])
        : answers.some((answer) => answer[place]),
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.#patterns.values()].map((pattern) => pattern.close()));
  }

  async #test(
    condition: RowCondition,
    grid: GridPage,
    signal: AbortSignal,
  ): Promise<readonly boolean[]> {
    const { columnId } = condition;
    const ids = columnId === anyColumn ? this.#columns.map(({ id }) => id) : [columnId];
    const pattern = this.#patterns.get(condition);
    const columns: (readonly boolean[])[] = [];
    for (const id of ids) {
      const cells = cellsOf(grid, id);
      columns.push(
        pattern === undefined
          ? cells.map(testOf(condition))
          : await pattern.test(
              cells.map(({ text }) => text),
              signal,
            ),
      );
    }
    return grid.rowIndices.map((_, place) =>
      isNegative(condition.operator)
        ? columns.every((column) => column[place])
        : columns.some((column) => column[place]),
    );
  }
}
