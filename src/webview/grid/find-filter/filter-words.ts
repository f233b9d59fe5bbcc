import type { ConditionOperator, RowCondition, RowsQuery } from '../../../protocol/grid-work.ts';
import { anyColumn, cutOffStatus, notRunStatus } from '../../../protocol/grid-work.ts';
import type { GridColumn } from '../../../protocol/grid-sheet.ts';
import { t } from '../../common/language.ts';
import { statusPresentation } from '../rows/cells.ts';
import { shortened } from '../../common/shortened.ts';

/** As they read between a column and a value. */
export const operatorWords: Readonly<Record<ConditionOperator, string>> = {
  contains: t('contains'),
  lacks: t('does not contain'),
  equals: t('equals'),
  differs: t('does not equal'),
  oneOf: t('is one of'),
  matches: t('matches the pattern'),
  above: t('is greater than'),
  below: t('is less than'),
  filled: t('has a value'),
  empty: t('is the empty text'),
  null: t('is null or missing'),
  status: t('has the status'),
};

export const takesOperand = (operator: ConditionOperator): boolean =>
  operator !== 'filled' && operator !== 'empty' && operator !== 'null';

export const statuses = [
  ...['error', 'stale', 'completed', cutOffStatus, 'running', 'queued', 'cancelled'],
] as const;
export const spellStatus = (status: string): string =>
  status === notRunStatus ? t('Not run') : statusPresentation(status).word;

function spellCondition(
  { columnId, operator, operand }: RowCondition,
  titleOf: (columnId: string) => string,
): string {
  const where = columnId === anyColumn ? t('Any column') : `“${titleOf(columnId)}”`;
  const short = shortened(operand, 40);
  const value = operator === 'status' ? spellStatus(operand) : `“${short}”`;
  const words = operatorWords[operator];
  return takesOperand(operator)
    ? t('{0} {1} {2}', where, words, value)
    : t('{0} {1}', where, words);
}

/** A query in one line. */
export function spellQuery(
  { conditions, match, sort }: RowsQuery,
  columns: readonly GridColumn[],
): string {
  const titleOf = (columnId: string): string =>
    columns.find(({ id }) => id === columnId)?.title ?? t('a removed column');
  const where = conditions
    .map((condition) => spellCondition(condition, titleOf))
    .join(` ${match === 'all' ? t('and') : t('or')} `);
  const order = sort
    .map(({ columnId, direction }) => `“${titleOf(columnId)}” ${direction === 'asc' ? '↑' : '↓'}`)
    .join(', ');
  return [where, ...(order === '' ? [] : [t('sorted by {0}', order)])]
    .filter((part) => part !== '')
    .join('; ');
}
