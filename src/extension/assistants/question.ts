import * as vscode from 'vscode';
import type { Plan } from '../../core/assistant/tool.ts';
import { spellPrice } from '../shell/amounts.ts';

export interface Question {
  readonly title: string;
  /** Workspace, place, rows or cells, cost. */
  readonly lines: readonly string[];
  readonly action: string;
}

const number = (value: number): string => new Intl.NumberFormat(vscode.env.language).format(value);

const costLine = (amount: number | undefined): string =>
  amount === undefined
    ? vscode.l10n.t('Estimated cost: unknown')
    : vscode.l10n.t('Estimated cost: about {0}, based on earlier runs', spellPrice(amount));

const workspaceLine = ({ workspace }: Plan): string => vscode.l10n.t('Workspace: {0}', workspace);

/** Rows by their index, as the grid numbers its column of indices; long lists are counted. */
const mostNamed = 20;
const rowsText = (rows: readonly number[] | undefined): string =>
  rows === undefined
    ? vscode.l10n.t('all')
    : rows.length > mostNamed
      ? number(rows.length)
      : rows.map(String).join(', ');

function recalculation(plan: Extract<Plan, { kind: 'recalculate' }>): Question {
  const { table, sheet, columns, rowIndices, cellCount, isUpperLimit, costCeilingUsd } = plan;
  const count = number(cellCount);
  const cells = isUpperLimit
    ? vscode.l10n.t('up to {0} cells', count)
    : cellCount === 1
      ? vscode.l10n.t('1 cell')
      : vscode.l10n.t('{0} cells', count);
  const scope = {
    stale: vscode.l10n.t('only stale cells'),
    failed: vscode.l10n.t('only failed cells'),
    all: vscode.l10n.t('including cells that are up to date'),
  }[plan.scope];
  return {
    title: vscode.l10n.t('Run {0} of {1}?', cells, sheet),
    lines: [
      workspaceLine(plan),
      vscode.l10n.t('Sheet: {0} / {1}', table, sheet),
      vscode.l10n.t('Columns: {0}', columns?.join(', ') ?? vscode.l10n.t('all that are computed')),
      vscode.l10n.t('Rows (row_index): {0}', rowsText(rowIndices)),
      vscode.l10n.t('Cells: {0}, {1}', cells, scope),
      costLine(plan.costUsd),
      ...(costCeilingUsd === undefined
        ? []
        : [vscode.l10n.t('Stops at: {0} (local workspace only)', spellPrice(costCeilingUsd))]),
    ],
    action: vscode.l10n.t('Run {0}', cells),
  };
}

function cancelling(plan: Extract<Plan, { kind: 'cancel' }>): Question {
  const { table, sheet, operationId, pendingCount } = plan;
  return {
    title: vscode.l10n.t('Cancel the operation of {0}?', sheet),
    lines: [
      workspaceLine(plan),
      vscode.l10n.t('Sheet: {0} / {1}', table, sheet),
      vscode.l10n.t('Operation: {0}', operationId),
      pendingCount === undefined
        ? vscode.l10n.t('It has ended, or it is unknown.')
        : vscode.l10n.t('Pending cells: {0}', number(pendingCount)),
    ],
    action: vscode.l10n.t('Cancel operation'),
  };
}

function running(plan: Extract<Plan, { kind: 'run' }>): Question {
  const { prompt, version, label, model, sentTo } = plan;
  const which =
    label ?? (version === undefined ? '' : vscode.l10n.t('version {0}', String(version)));
  return {
    title: vscode.l10n.t('Run the prompt {0}?', prompt),
    lines: [
      workspaceLine(plan),
      vscode.l10n.t('Prompt: {0} {1}', prompt, which).trim(),
      vscode.l10n.t('Model: {0}', model ?? vscode.l10n.t('same as the prompt')),
      ...(sentTo === undefined ? [] : [vscode.l10n.t('Requests go to: {0}', sentTo)]),
      costLine(plan.costUsd),
    ],
    action: vscode.l10n.t('Run'),
  };
}

export function questionOf(plan: Plan): Question {
  switch (plan.kind) {
    case 'recalculate':
      return recalculation(plan);
    case 'cancel':
      return cancelling(plan);
    case 'run':
      return running(plan);
  }
}
