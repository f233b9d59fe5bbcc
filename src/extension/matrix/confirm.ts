import * as vscode from 'vscode';
import { ValidationError } from '../../core/errors.ts';
import { spellPrice } from '../shell/amounts.ts';
import type { App } from '../shell/app.ts';
import { showWarningMessage } from '../shell/shown.ts';
import { Budget } from './budget.ts';
import type { MatrixCells } from './cells.ts';
import { shownColumn } from './columns.ts';
import type { MatrixEngine } from './engine.ts';
import type { Case, Column, Plan } from './plan.ts';
import { missingOf } from './plan.ts';

const t = vscode.l10n.t;
const number = (value: number): string => new Intl.NumberFormat(vscode.env.language).format(value);
/** Cases that are named one by one. */
const mostNamed = 10;

/** Nothing is sent while something is missing. */
export function demandWhole({ columns }: Plan, cases: readonly Case[]): void {
  if (columns.length === 0) throw new ValidationError(t('Add a variant first.'));
  if (cases.length === 0) throw new ValidationError(t('Add cases first.'));
  const missing = missingOf(columns, cases);
  if (missing.length === 0) return;
  const named = missing
    .slice(0, mostNamed)
    .map(({ title, names }) => `${title}: ${names.join(', ')}`);
  const rest = missing.length - named.length;
  throw new ValidationError(
    missing.length === 1
      ? t('1 case lacks variables. Nothing was sent.')
      : t('{0} cases lack variables. Nothing was sent.', number(missing.length)),
    { hint: [...named, ...(rest > 0 ? [t('and {0} more', number(rest))] : [])].join('; ') },
  );
}

interface Mean {
  readonly mean: number | undefined;
  readonly samples: number;
}

/** What an answer of a column has cost so far: in this comparison, else in runs of the same prompt. */
async function meansOf(
  app: App,
  cells: MatrixCells,
  { connectionId, columns }: Plan,
): Promise<ReadonlyMap<string, Mean>> {
  const history = await app.history();
  const entries = await history.list((error) => app.errors.note(error, 'Reading the runs'));
  const meanOf = (prices: readonly number[]): Mean => ({
    mean: prices.length === 0 ? undefined : prices.reduce((a, b) => a + b, 0) / prices.length,
    samples: prices.length,
  });
  const earlier = ({ source, modelName }: Column): readonly number[] =>
    entries
      .filter(
        (entry) =>
          entry.connectionId === connectionId &&
          entry.name === source.promptName &&
          entry.model === modelName,
      )
      .flatMap(({ priceUsd }) => priceUsd ?? []);
  return new Map(
    columns.map((column) => {
      const own = cells
        .ofColumn(column)
        .flatMap(({ requestIds }) => requestIds)
        .flatMap((id) => cells.priceOf(id) ?? []);
      return [column.id, meanOf(own.length > 0 ? own : earlier(column))];
    }),
  );
}

export interface Confirmed {
  readonly budget: Budget;
}

/**
 * Asks once, with the product of the numbers and what it should cost; a run that should cost more than
 * the budget is asked about in so many words. Undefined: declined.
 */
export async function confirmRun(
  app: App,
  cells: MatrixCells,
  engine: MatrixEngine,
  plan: Plan,
): Promise<Confirmed | undefined> {
  const { columns, scorers, connectionId } = plan;
  const { cells: toAsk, judges } = engine.toAsk(columns, scorers);
  const means = await meansOf(app, cells, plan);
  const costs = columns.map((column) => {
    const { title, detail } = shownColumn(column);
    return {
      title: `${title} · ${detail}`,
      cells: toAsk.filter((one) => one.column === column).length,
      ...(means.get(column.id) ?? { mean: undefined, samples: 0 }),
    };
  });
  const asked = costs.filter((cost) => cost.cells > 0);
  const judged =
    judges === 0
      ? []
      : [{ title: t('LLM assertions'), cells: judges, mean: undefined, samples: 0 }];
  const known = asked.flatMap(({ mean, cells: count }) =>
    mean === undefined ? [] : [mean * count],
  );
  const usd = known.length === 0 ? undefined : known.reduce((a, b) => a + b, 0);
  const limit = app.settings.get('run.budgetUsd');
  const estimates = new Map(
    [...means].flatMap(([id, { mean }]) => (mean === undefined ? [] : [[id, mean] as const])),
  );
  const bounded = { budget: new Budget(limit > 0 ? limit : undefined, estimates) };
  const count = toAsk.length + judges;
  const isOver = limit > 0 && (usd ?? 0) > limit;
  if (count <= app.settings.get('run.confirmAbove') && !isOver) return bounded;
  const { costLines } = await import('../sheet-parts.ts');
  const interrupted = toAsk.filter(({ cell }) => cell.state === 'interrupted').length;
  const lines = [
    toAsk.length === columns.length * cells.cases.length
      ? t(
          '{0} variants × {1} cases = {2} requests',
          ...[columns.length, cells.cases.length, toAsk.length].map(number),
        )
      : t('Requests for cases without an answer: {0}', number(toAsk.length)),
    ...(judges === 0 ? [] : [t('Requests of LLM assertions: {0}', number(judges))]),
    t('Workspace: {0}', app.connections.get(connectionId)?.name ?? connectionId),
    ...(interrupted === 0
      ? []
      : [
          t(
            'Interrupted requests: {0}. They may have been charged already, and are sent again.',
            number(interrupted),
          ),
        ]),
    ...costLines({ usd, columns: [...asked, ...judged], isUpperLimit: false, mayWait: false }),
    ...(limit > 0 && !isOver ? [t('It stops at your budget of {0}.', spellPrice(limit))] : []),
  ];
  const run = isOver ? t('Run up to {0}', spellPrice(limit)) : t('Send Requests');
  const beyond = t('Run beyond the budget');
  const message = isOver
    ? t('This run exceeds your budget of {0}.', spellPrice(limit))
    : count === 1
      ? t('Send 1 request to a model?')
      : t('Send {0} requests to models?', number(count));
  const answer = await showWarningMessage(
    message,
    { modal: true, detail: lines.join('\n') },
    ...(isOver ? [run, beyond] : [run]),
  );
  if (answer === run) return bounded;
  return answer === beyond ? { budget: new Budget(undefined) } : undefined;
}
