import * as vscode from 'vscode';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import type { RunCellsOptions } from '../cells/run-cells.ts';
import { showWarningMessage } from '../shell/shown.ts';
import { spellPrice } from '../shell/amounts.ts';
import type { CostEstimate } from './estimate.ts';
import { estimateCost } from './estimate.ts';

/** What the user has agreed to. */
export type RunConsent =
  | { readonly kind: 'declined' }
  /** `ceilingUsd`: the operation is to stop before its requests cost more. */
  | { readonly kind: 'wanted'; readonly ceilingUsd: number | undefined };

const number = (value: number): string => new Intl.NumberFormat(vscode.env.language).format(value);

function countText({ cellCount, isUpperLimit }: RunCellsOptions): string {
  const count = number(cellCount);
  if (isUpperLimit) return vscode.l10n.t('up to {0} cells', count);
  return cellCount === 1 ? vscode.l10n.t('1 cell') : vscode.l10n.t('{0} cells', count);
}

async function estimateOf(app: App, options: RunCellsOptions): Promise<CostEstimate | undefined> {
  const { address, request, cellCount, signal = app.signal } = options;
  try {
    const client = await app.connections.client(address.connectionId, { signal });
    const page = await client.tables.rows.page(
      refOf(address),
      {
        limit: 1,
        include_columns: true,
        include_system_columns: true,
        include_execution_metadata_aggregates: true,
      },
      { signal },
    );
    return estimateCost({ ...page, request, cellCount });
  } catch (error) {
    signal.throwIfAborted();
    // The run itself may well be possible: the question says that its cost is not known.
    app.errors.note(error, 'Estimating what a run costs');
    return undefined;
  }
}

/** A line for each column that may cost something, and the sum of them. */
export function costLines(estimate: CostEstimate | undefined): readonly string[] {
  if (estimate === undefined) return [vscode.l10n.t('The cost could not be estimated.')];
  const { columns, isUpperLimit } = estimate;
  const lines = columns.map(({ title, cells, mean, samples }) =>
    mean === undefined
      ? vscode.l10n.t('{0}: cost unknown, no cell has a cost yet', title)
      : vscode.l10n.t(
          '{0}: {1} × {2}, the mean of {3} cells so far',
          title,
          number(cells),
          spellPrice(mean),
          number(samples),
        ),
  );
  if (estimate.usd === undefined) return lines;
  const sum = spellPrice(estimate.usd);
  const isPartial = columns.some(({ mean }) => mean === undefined);
  const total = isUpperLimit
    ? vscode.l10n.t('Estimated cost: at most about {0}', sum)
    : vscode.l10n.t('Estimated cost: about {0}', sum);
  return [isPartial ? vscode.l10n.t('{0}, plus unknown costs', total) : total, ...lines];
}

interface Question {
  readonly message: string;
  readonly lines: readonly string[];
  readonly actions: readonly string[];
}

const ask = async ({ message, lines, actions }: Question): Promise<string | undefined> =>
  showWarningMessage(
    message,
    { modal: true, detail: lines.filter((line) => line !== '').join('\n') },
    ...actions,
  );

/**
 * Asks whether to run: how many cells, where, and what they should cost. A run whose estimate is
 * over the budget is asked about once more, in so many words.
 */
export async function askToRun(
  app: App,
  options: RunCellsOptions,
  { isAsked, reason = '' }: { readonly isAsked: boolean; readonly reason?: string | undefined },
): Promise<RunConsent> {
  const { address, subject } = options;
  const connection = app.connections.get(address.connectionId);
  const workspace = connection?.name ?? address.connectionId;
  const budget = app.settings.get('run.budgetUsd');
  const estimate = await estimateOf(app, options);
  const lines = costLines(estimate);
  const isUpperLimit = options.isUpperLimit || estimate?.mayWait === true;
  const count = countText({ ...options, isUpperLimit });
  // Only the local service keeps a ceiling.
  const ceilingUsd = budget > 0 && connection?.kind === 'local' ? budget : undefined;
  if (isAsked) {
    const run = vscode.l10n.t('Run {0}', count);
    const limit =
      ceilingUsd === undefined
        ? ''
        : vscode.l10n.t('It stops before it exceeds your budget of {0}.', spellPrice(ceilingUsd));
    const answer = await ask({
      message: vscode.l10n.t('Run {0} of {1}?', count, subject),
      lines: [
        reason,
        vscode.l10n.t('Workspace: {0}', workspace),
        ...lines,
        (estimate?.usd ?? 0) > budget ? '' : limit,
      ],
      actions: [run],
    });
    if (answer !== run) return { kind: 'declined' };
  }
  if (budget === 0 || (estimate?.usd ?? 0) <= budget) return { kind: 'wanted', ceilingUsd };
  const upTo = vscode.l10n.t('Run up to {0}', spellPrice(budget));
  const everything = vscode.l10n.t('Run beyond the budget');
  const answer = await ask({
    message: vscode.l10n.t('This run exceeds your budget of {0}.', spellPrice(budget)),
    lines: [
      vscode.l10n.t('{0} of {1} in the workspace {2}.', count, subject, workspace),
      ...lines,
      ceilingUsd === undefined
        ? vscode.l10n.t('This service has no cost limit for runs.')
        : vscode.l10n.t(
            'With a limit, the run stops before it costs more; computed cells are kept.',
          ),
    ],
    actions: ceilingUsd === undefined ? [everything] : [upTo, everything],
  });
  if (answer === undefined) return { kind: 'declined' };
  return { kind: 'wanted', ceilingUsd: answer === upTo ? ceilingUsd : undefined };
}
