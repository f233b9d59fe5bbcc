import * as vscode from 'vscode';
import type { RunEntry } from '../kept-runs/run-history.ts';
import type { Fact } from '../trees/tree-presentation.ts';
import { tooltipFrom, treeItem } from '../trees/tree-presentation.ts';
import { spellDate, spellPrice, spellDuration } from '../shell/amounts.ts';
import { outcomeText } from './words.ts';

const icons: Readonly<Record<RunEntry['state'], readonly [string, string | undefined]>> = {
  idle: ['circle-large-outline', undefined],
  running: ['sync', 'promptTables.statusRunning'],
  done: ['pass', 'promptTables.statusCompleted'],
  stopped: ['circle-slash', 'promptTables.statusCancelled'],
  failed: ['error', 'promptTables.statusFailed'],
  interrupted: ['circle-slash', 'promptTables.statusCancelled'],
};

/** Of an answer that is not whole. */
const cutIcon = ['warning', 'list.warningForeground'] as const;

/** When a run began. */
export function timeText({ startedAt }: RunEntry): string {
  const date = new Date(startedAt);
  const isToday = date.toDateString() === new Date().toDateString();
  const style: Intl.DateTimeFormatOptions = isToday
    ? { timeStyle: 'medium' }
    : { dateStyle: 'short', timeStyle: 'short' };
  return new Intl.DateTimeFormat(vscode.env.language, style).format(date);
}

const kindText = ({ kind }: RunEntry): string =>
  kind === 'prompt' ? vscode.l10n.t('Prompt') : vscode.l10n.t('Workflow');

/** They are of more than one workspace. */
export const isMixed = (entries: readonly RunEntry[]): boolean =>
  entries.some(({ connectionId }) => connectionId !== entries[0]?.connectionId);

/**
 * The time first: it distinguishes the runs of a prompt. `isAmongOthers`: runs of other workspaces
 * stand beside it.
 */
export function runItemOf(entry: RunEntry, isAmongOthers: boolean): vscode.TreeItem {
  const { name, state, ending, elapsedMs, priceUsd, model, version, requestId, isUnpublished } =
    entry;
  const [icon, color] = ending === undefined ? icons[state] : cutIcon;
  const time = timeText(entry);
  const parts = [
    time,
    ...(ending === undefined ? [] : [outcomeText(state, ending)]),
    ...(isAmongOthers ? [entry.workspace] : []),
    spellDuration(elapsedMs),
    ...(priceUsd === undefined ? [] : [spellPrice(priceUsd)]),
    ...(isUnpublished === true ? [vscode.l10n.t('not published')] : []),
    ...(version === undefined ? [] : [`v${version}`]),
    ...(model === undefined ? [] : [model]),
  ];
  return treeItem(
    {
      label: name,
      icon,
      ...(color !== undefined && { color }),
      description: parts.join(' · '),
      spoken: vscode.l10n.t(
        '{0} {1}, {2}',
        kindText(entry),
        name,
        [outcomeText(state, ending), ...parts].join(', '),
      ),
      command: {
        command: 'promptTables.openRun',
        title: vscode.l10n.t('Open run'),
        arguments: [entry],
      },
    },
    { id: entry.id, kind: requestId === undefined ? 'run' : 'loggedRun' },
  );
}

export function runTooltip(entry: RunEntry): vscode.MarkdownString | undefined {
  const { scores = {} } = entry;
  const number = (value: number | undefined): string | undefined => value?.toString();
  const facts: readonly Fact[] = [
    [kindText(entry), entry.name],
    [vscode.l10n.t('Status'), outcomeText(entry.state, entry.ending)],
    [vscode.l10n.t('Problem'), entry.problem],
    [vscode.l10n.t('Started'), spellDate(entry.startedAt, 'medium')],
    [vscode.l10n.t('Version'), number(entry.version)],
    [vscode.l10n.t('Model'), entry.model],
    [vscode.l10n.t('Time'), spellDuration(entry.elapsedMs)],
    [vscode.l10n.t('Cost'), entry.priceUsd === undefined ? undefined : spellPrice(entry.priceUsd)],
    [vscode.l10n.t('Tokens in'), number(entry.inputTokens)],
    [vscode.l10n.t('Tokens out'), number(entry.outputTokens)],
    [
      vscode.l10n.t('Scores'),
      Object.entries(scores)
        .map(([name, score]) => `${name} ${score}`)
        .join(', '),
    ],
    [vscode.l10n.t('Request'), number(entry.requestId)],
    [vscode.l10n.t('Execution'), number(entry.executionId)],
    [vscode.l10n.t('Workspace'), entry.workspace],
    [vscode.l10n.t('Variables'), entry.inputs],
    [vscode.l10n.t('Output'), entry.output],
  ];
  return tooltipFrom(facts);
}
