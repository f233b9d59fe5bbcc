import * as vscode from 'vscode';
import type { RunEnding, RunState } from '../../protocol/run.ts';
import type { RunFilter, RunSums } from './filter.ts';
import { spellPrice, spellDuration } from '../shell/amounts.ts';

export function stateText(state: RunState): string {
  switch (state) {
    case 'idle':
      return vscode.l10n.t('Not run yet');
    case 'running':
      return vscode.l10n.t('Running');
    case 'done':
      return vscode.l10n.t('Done');
    case 'stopped':
      return vscode.l10n.t('Stopped');
    case 'failed':
      return vscode.l10n.t('Failed');
    case 'interrupted':
      return vscode.l10n.t('Interrupted');
  }
}

/** What is not whole is not called done. */
export function outcomeText(state: RunState, ending: RunEnding | undefined): string {
  switch (ending?.kind) {
    case 'length':
      return vscode.l10n.t('Cut off at the token limit');
    case 'filtered':
      return vscode.l10n.t('Stopped by the content filter');
    case 'refused':
      return vscode.l10n.t('Refused by the model');
    case 'empty':
      return vscode.l10n.t('Empty answer');
    case 'other':
      return vscode.l10n.t('Ended early: {0}', ending.reason);
    case undefined:
      return stateText(state);
  }
}

/** Sums above the list. An unknown price doesn't count as zero: it is named. */
export function sumsText(sums: RunSums, all: number): string {
  const number = new Intl.NumberFormat(vscode.env.language);
  const { runs, failed, priceUsd, priced, medianMs, p95Ms, inputTokens, outputTokens } = sums;
  const parts = [
    runs === all
      ? runs === 1
        ? vscode.l10n.t('1 run')
        : vscode.l10n.t('{0} runs', number.format(runs))
      : vscode.l10n.t('{0} of {1} runs', number.format(runs), number.format(all)),
    ...(failed > 0 ? [vscode.l10n.t('{0} failed', number.format(failed))] : []),
    ...(priced > 0
      ? [
          priced === runs
            ? vscode.l10n.t('cost {0}', spellPrice(priceUsd))
            : priced === 1
              ? vscode.l10n.t('cost {0} for 1 run', spellPrice(priceUsd))
              : vscode.l10n.t('cost {0} for {1} runs', spellPrice(priceUsd), number.format(priced)),
        ]
      : runs > 0
        ? [vscode.l10n.t('unknown cost')]
        : []),
    ...(medianMs === null || p95Ms === null
      ? []
      : [vscode.l10n.t('p50 {0}, p95 {1}', spellDuration(medianMs), spellDuration(p95Ms))]),
    ...(inputTokens + outputTokens > 0
      ? [
          vscode.l10n.t(
            '{0} tokens in, {1} out',
            number.format(inputTokens),
            number.format(outputTokens),
          ),
        ]
      : []),
  ];
  return parts.join(' · ');
}

export function filterText({ text, name, state, model, label, time, cost }: RunFilter): string {
  const parts = [
    ...(name === undefined ? [] : [name]),
    ...(state === undefined ? [] : [stateText(state)]),
    ...(model === undefined ? [] : [model]),
    ...(label === undefined ? [] : [vscode.l10n.t('label {0}', label)]),
    ...(time === undefined ? [] : [time.text]),
    ...(cost === undefined ? [] : [vscode.l10n.t('cost {0}', cost.text)]),
    ...(text === undefined ? [] : [`“${text}”`]),
  ];
  return parts.join(', ');
}
