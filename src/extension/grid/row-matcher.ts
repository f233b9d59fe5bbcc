import { holdsText } from '../../core/holds-text.ts';
import type { CellKind, GridColumn, GridPage } from '../../protocol/grid.ts';
import { cellKinds } from '../../protocol/grid.ts';
import type { RowCondition, RowsQuery } from '../../protocol/grid-work.ts';
import { anyColumn, notRunStatus } from '../../protocol/grid-work.ts';
import { compareNumerals, numeralIn } from '../../core/numeral.ts';
import { compareKeys, hasValue } from './order.ts';
import { Pattern } from './pattern.ts';
import type { Translate } from '../translate.ts';

interface Looked {
  readonly text: string;
  readonly kind: CellKind;
  readonly status: string;
}
type Test = (cell: Looked) => boolean;

const listed = (operand: string): ReadonlySet<string> =>
  new Set(operand.split(/[\n,]/).map((word) => word.trim()));

/** Numbers are compared with numbers, texts with texts; undefined: one of each. */
function compared(text: string, operand: string): number | undefined {
  const [one, other] = [numeralIn(text) ?? text, numeralIn(operand) ?? operand];
  const isMixed = (typeof one === 'string') !== (typeof other === 'string');
  return isMixed ? undefined : compareKeys(one, other, 1);
}

/** Equal as texts, or as numbers with all their digits. */
function isSame(text: string, operand: string): boolean {
  if (text === operand) return true;
  const [one, other] = [numeralIn(text), numeralIn(operand)];
  return one !== undefined && other !== undefined && compareNumerals(one, other) === 0;
}

/** One of a list: what equals a word of it is. */
function isAmong(operand: string): Test {
  const words = listed(operand);
  const numbers = [...words].filter((word) => numeralIn(word) !== undefined);
  return ({ text, kind }) => {
    if (!hasValue(kind)) return false;
    const given = text.trim();
    if (words.has(given)) return true;
    return numeralIn(given) !== undefined && numbers.some((word) => isSame(given, word));
  };
}

/** A cell that has never been run is stale to the service, unless it is on its way. */
const shownStatus = ({ status, kind }: Looked): string =>
  kind === 'notRun' && status === 'stale' ? notRunStatus : status;

/** What any column must not do, none of them may do. */
const isNegative = (operator: RowCondition['operator']): boolean =>
  operator === 'lacks' || operator === 'differs';

function testOf({ operator, operand }: RowCondition): Test {
  const lower = operand.toLowerCase();
  switch (operator) {
    case 'contains':
      return ({ text }) => holdsText(text.toLowerCase(), lower);
    case 'lacks':
      return ({ text }) => !holdsText(text.toLowerCase(), lower);
    case 'equals':
      return ({ text, kind }) => hasValue(kind) && isSame(text, operand);
    case 'differs':
      return ({ text, kind }) => !(hasValue(kind) && isSame(text, operand));
    case 'oneOf':
      return isAmong(operand);
    case 'above':
      return ({ text, kind }) => hasValue(kind) && (compared(text, operand) ?? 0) > 0;
    case 'below':
      return ({ text, kind }) => hasValue(kind) && (compared(text, operand) ?? 0) < 0;
    case 'filled':
      return ({ kind }) => hasValue(kind);
    case 'empty':
      return ({ kind }) => kind === 'empty';
    case 'null':
      return ({ kind }) => kind === 'null' || kind === 'missing' || kind === 'notRun';
    case 'status':
      return (cell) => shownStatus(cell) === operand;
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
