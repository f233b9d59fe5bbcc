import * as vscode from 'vscode';
import type { Operation } from '../../api/operation.ts';
import { isRun } from '../../core/tables/run-types.ts';
import { spellDate } from '../shell/amounts.ts';
import type { App } from '../shell/app.ts';
import { progressOf, runningIn } from '../cells/running-cells.ts';
import type { ItemPresentation, Fact } from '../trees/tree-presentation.ts';
import {
  factsOfProblem,
  presentationOfState,
  tooltipFrom,
  treeItem,
} from '../trees/tree-presentation.ts';
import type { Node, SheetNode, TableNode } from './nodes.ts';

const number = (value: number): string => new Intl.NumberFormat(vscode.env.language).format(value);
const rowsText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 row') : vscode.l10n.t('{0} rows', number(count));

function progressText(operation: Operation): string {
  const { failed_count } = operation;
  const { done, total, percent = 0 } = progressOf([{ operation }]);
  const counts = `${percent} % · ${number(done)}/${number(total)}`;
  return failed_count === 0
    ? counts
    : vscode.l10n.t('{0}, {1} failed', counts, number(failed_count));
}

function statusWord(status: string): string {
  switch (status) {
    case 'running':
      return vscode.l10n.t('running');
    case 'queued':
      return vscode.l10n.t('queued');
    default:
      return status;
  }
}

function statusIcon(status: string): { icon: string; color: string } {
  switch (status) {
    case 'running':
      return { icon: 'sync~spin', color: 'promptTables.statusRunning' };
    case 'queued':
      return { icon: 'clock', color: 'promptTables.statusQueued' };
    case 'completed':
      return { icon: 'pass', color: 'promptTables.statusCompleted' };
    case 'failed':
      return { icon: 'error', color: 'promptTables.statusFailed' };
    default:
      return { icon: 'circle-outline', color: 'promptTables.statusStale' };
  }
}

const joined = (parts: readonly (string | undefined)[], by: string): string =>
  parts.filter((part) => part !== undefined).join(by);

/** A table says that cells are run in it: folded, it hides the sheet that says how far they are. */
function presentationOfTable(app: App, node: TableNode): ItemPresentation {
  const { title, sheet_count: count } = node.table;
  const isRunning = runningIn(app.operations, node).length > 0;
  const facts = [
    isRunning ? statusWord('running') : undefined,
    count === undefined
      ? undefined
      : count === 1
        ? vscode.l10n.t('1 sheet')
        : vscode.l10n.t('{0} sheets', number(count)),
  ];
  return {
    label: title,
    icon: 'folder',
    ...(isRunning && statusIcon('running')),
    opens: true,
    description: joined(facts, ' · '),
    spoken: vscode.l10n.t('Table {0}, {1}', title, joined(facts, ', ')),
  };
}

const problemWord = (kind: string): string =>
  kind === 'import'
    ? vscode.l10n.t('import failed')
    : kind === 'score'
      ? vscode.l10n.t('score failed')
      : vscode.l10n.t('failed');

/** A sheet whose cells are run says so itself: its operations are two levels below. */
function presentationOfSheet(app: App, node: SheetNode): ItemPresentation {
  const { title, row_count: rows, version_count: version, problems = [] } = node.sheet;
  const failed = problems.map(({ kind }) => problemWord(kind));
  const reasons = problems.map(({ kind, message }) => `${problemWord(kind)}: ${message}`);
  const running = runningIn(app.operations, node);
  const isRunning = running.length > 0;
  const { percent: share } = progressOf(running);
  const word = isRunning ? statusWord('running') : undefined;
  const percent = share === undefined ? undefined : `${share} %`;
  const counts = [
    rows === undefined ? undefined : rowsText(rows),
    version === undefined ? undefined : `v${version}`,
  ];
  return {
    label: title,
    opens: true,
    description: joined([percent ?? word, ...failed, ...counts], ' · '),
    spoken: vscode.l10n.t(
      'Sheet {0}, {1}',
      title,
      joined([word, percent, ...reasons, ...counts], ', '),
    ),
    command: {
      command: 'promptTables.openSheet',
      title: vscode.l10n.t('Open'),
      arguments: [node],
    },
    ...(isRunning
      ? { ...statusIcon('running'), menusOf: 'runningSheet' }
      : failed.length > 0
        ? statusIcon('failed')
        : { icon: 'table' }),
  };
}

function presentationOf(app: App, node: Node): ItemPresentation {
  switch (node.kind) {
    case 'table':
      return presentationOfTable(app, node);
    case 'sheet':
      return presentationOfSheet(app, node);
    case 'columns':
      return { label: vscode.l10n.t('Columns'), icon: 'symbol-field', opens: true };
    case 'operations': {
      const running = runningIn(app.operations, node);
      return {
        label: vscode.l10n.t('Active operations'),
        icon: 'pulse',
        opens: true,
        ...(running.length > 0 && { description: number(running.length) }),
      };
    }
    case 'versions':
      return { label: vscode.l10n.t('Saved versions'), icon: 'history', opens: true };
    case 'textColumn':
    case 'computedColumn': {
      const { title, type, is_output_column: isOutput } = node.column;
      const description = isOutput === true ? vscode.l10n.t('{0}, output', type) : type;
      return {
        label: title,
        icon: node.kind === 'textColumn' ? 'symbol-string' : 'symbol-event',
        description,
        spoken: vscode.l10n.t('Column {0}, {1}', title, description),
        // What people fill in is no column to run.
        ...(!isRun(type) && { menusOf: 'textColumn' as const }),
      };
    }
    case 'operation': {
      const { operation } = node;
      const { cell_count: count, status } = operation;
      const word = statusWord(status);
      const icon = statusIcon(status);
      if (count === 0) {
        // Just started: the number of cells is not known yet.
        const label = vscode.l10n.t('Running cells');
        return { label, ...icon, description: word, spoken: `${label}, ${word}` };
      }
      const progress = progressText(operation);
      return {
        label: vscode.l10n.t('{0} cells', number(count)),
        ...icon,
        // The share comes first: a narrow view cuts the rest.
        description: `${progress} · ${word}`,
        spoken: vscode.l10n.t('Operation {0}, {1}', word, progress),
      };
    }
    case 'version': {
      const { name, version_number: count, created_at: created } = node.version;
      return {
        label: name ?? vscode.l10n.t('Version {0}', count),
        icon: 'git-commit',
        description: [`#${count}`, created ? spellDate(created) : ''].filter(Boolean).join(' · '),
        spoken: vscode.l10n.t('Saved version {0}, number {1}', name ?? '', count),
      };
    }
    case 'more':
    case 'problem':
    case 'action':
      return presentationOfState(node, 'promptTables.loadMore');
    case 'note':
      return { label: node.label, icon: 'blank' };
  }
}

export const itemOf = (app: App, node: Node): vscode.TreeItem =>
  treeItem(presentationOf(app, node), node);

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Rows of the tooltip: made when the pointer rests on an item, not before. */
function factsOf(app: App, node: Node): readonly Fact[] {
  const when = (time: string | null | undefined): string | undefined =>
    time ? spellDate(time) : undefined;
  switch (node.kind) {
    case 'table': {
      const workspace = app.connections.get(node.connectionId)?.name;
      const { table } = node;
      return [
        [vscode.l10n.t('Workspace'), workspace],
        [vscode.l10n.t('Created'), when(table.created_at)],
        [vscode.l10n.t('Changed'), when(table.updated_at)],
        [vscode.l10n.t('ID'), node.tableId],
      ];
    }
    case 'sheet': {
      const { sheet } = node;
      return [
        ...(sheet.problems ?? []).map(({ kind, message }): Fact => [
          capitalized(problemWord(kind)),
          message,
        ]),
        [
          vscode.l10n.t('Rows'),
          sheet.row_count === undefined ? undefined : number(sheet.row_count),
        ],
        [
          vscode.l10n.t('Version'),
          sheet.version_count === undefined ? undefined : number(sheet.version_count),
        ],
        [vscode.l10n.t('Created'), when(sheet.created_at)],
        [vscode.l10n.t('Changed'), when(sheet.updated_at)],
        [vscode.l10n.t('ID'), node.sheetId],
      ];
    }
    case 'textColumn':
    case 'computedColumn':
      return [
        [vscode.l10n.t('Type'), node.column.type],
        [vscode.l10n.t('Settings'), JSON.stringify(node.column.config ?? {}).slice(0, 400)],
        [vscode.l10n.t('ID'), node.column.id],
      ];
    case 'operation': {
      const { operation } = node;
      return [
        [vscode.l10n.t('State'), operation.status],
        [vscode.l10n.t('Completed'), number(operation.completed_count)],
        [vscode.l10n.t('Failed'), number(operation.failed_count)],
        [vscode.l10n.t('Waiting'), number(operation.pending_count)],
        [vscode.l10n.t('ID'), operation.operation_id],
      ];
    }
    case 'version':
      return [
        [vscode.l10n.t('Number'), number(node.version.version_number)],
        [vscode.l10n.t('Saved'), when(node.version.created_at)],
        [vscode.l10n.t('Created by'), node.version.created_by?.toString()],
        [vscode.l10n.t('ID'), node.version.id],
      ];
    case 'problem':
      return factsOfProblem(node);
    default:
      return [];
  }
}

export const tooltipOf = (app: App, node: Node): vscode.MarkdownString | undefined =>
  tooltipFrom(factsOf(app, node), presentationOf(app, node).label);
