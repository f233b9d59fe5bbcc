import * as vscode from 'vscode';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import type { OperationList, OperationRequest } from '../../core/index.ts';
import type { RunOutcome } from '../../protocol/grid.ts';
import type { RunConsent } from '../cost/ask.ts';

const parts = () => import('../sheet-parts.ts');

export interface RunCellsOptions {
  readonly address: SheetAddress;
  readonly request: OperationRequest;
  /** Cells that will run, as far as known here. */
  readonly cellCount: number;
  /** Some of these may turn out not to need it. */
  readonly isUpperLimit: boolean;
  /** What is run, for the question: the title of a column or sheet. */
  readonly subject: string;
  readonly signal?: AbortSignal;
}

/** Counts of the service come in either case. */
export function staleCount({ status_counts: counts }: OperationList): number {
  return Object.entries(counts ?? {})
    .filter(([status]) => status.toLowerCase() === 'stale')
    .reduce((sum, [, count]) => sum + count, 0);
}

/** Asks first, naming cells, workspace and cost; then starts and tells the other views. */
export async function runCells(app: App, options: RunCellsOptions): Promise<RunOutcome> {
  const { address, request, cellCount, signal = app.signal } = options;
  const nothing = vscode.l10n.t('No cell of {0} needs to run.', options.subject);
  if (cellCount === 0) return { outcome: 'nothing', message: nothing };
  const isAsked = cellCount > app.settings.get('run.confirmAbove');
  let consent: RunConsent = { kind: 'wanted', ceilingUsd: undefined };
  if (isAsked || app.settings.get('run.budgetUsd') > 0) {
    consent = await (await parts()).askToRun(app, options, { isAsked });
    if (consent.kind === 'declined') return { outcome: 'declined' };
  }
  const client = await app.connections.client(address.connectionId, { signal });
  const ref = refOf(address);
  const { operations } = client.tables;
  let limits = { signal, costCeilingUsd: consent.ceilingUsd };
  let start = await operations.create(ref, request, limits);
  if (start.kind === 'confirmation') {
    const { affectedCellCount, confirmationToken, message: reason } = start;
    if (!isAsked || affectedCellCount > cellCount) {
      const real = { ...options, cellCount: affectedCellCount, isUpperLimit: false };
      consent = await (await parts()).askToRun(app, real, { isAsked: true, reason });
      if (consent.kind === 'declined') return { outcome: 'declined' };
      limits = { signal, costCeilingUsd: consent.ceilingUsd };
    }
    const confirmed = { ...request, confirmation_token: confirmationToken };
    start = await operations.create(ref, confirmed, limits);
  }
  if (start.kind !== 'queued') return { outcome: 'nothing', message: nothing };
  const { operationId } = start;
  app.changes.tell({ ...ref, connectionId: address.connectionId, what: 'operation', operationId });
  return { outcome: 'started', operationId, cellCount: start.cellCount };
}
