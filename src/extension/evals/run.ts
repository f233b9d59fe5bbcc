import * as vscode from 'vscode';
import { CancelledError, isCancellation } from '../../core/errors.ts';
import { judgeSheet } from '../../core/evals/evaluate.ts';
import type { RowResult, Verdict } from '../../core/evals/verdict.ts';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { runCells, staleCount } from '../cells/run-cells.ts';
import { outputLines, testMessage } from '../shell/shown.ts';
import { JudgedRows, type RowCoverage } from './coverage.ts';
import type { Explorer } from './explorer.ts';
import { messagesOf, mostRowItems, placeOf, rowItem } from './items.ts';

export interface EvaluationRequest {
  readonly request: vscode.TestRunRequest;
  /** Stale cells are run first; otherwise the values that are there are judged. */
  readonly runsCells: boolean;
  /** Where the rows that had values to evaluate are reported as coverage. */
  readonly coverage?: RowCoverage | undefined;
}

interface Part {
  readonly sheet: vscode.TestItem;
  readonly address: SheetAddress;
  /** All rows when absent. */
  readonly rows?: ReadonlySet<number>;
}

const everything = (collection: vscode.TestItemCollection): vscode.TestItem[] =>
  [...collection].map(([, item]) => item);

/** The sheets, or some of their rows, that a request is about. */
async function partsOf(explorer: Explorer, request: vscode.TestRunRequest): Promise<Part[]> {
  if (explorer.controller.items.size === 0) await explorer.resolve(undefined);
  const excluded = new Set(request.exclude);
  const waiting = [...(request.include ?? everything(explorer.controller.items))];
  const rows = new Map<vscode.TestItem, Set<number>>();
  const parts = new Map<vscode.TestItem, Part>();
  for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
    const place = placeOf(item);
    if (place === undefined || excluded.has(item)) continue;
    if (place.kind === 'table') {
      if (item.children.size === 0) await explorer.resolve(item);
      waiting.push(...everything(item.children));
    } else if (place.kind === 'sheet') {
      parts.set(item, { sheet: item, address: place.address });
    } else if (item.parent !== undefined && !parts.has(item.parent)) {
      const chosen = rows.get(item.parent) ?? new Set<number>();
      rows.set(item.parent, chosen.add(place.rowIndex));
    }
  }
  for (const [sheet, chosen] of rows) {
    const place = placeOf(sheet);
    if (place?.kind !== 'sheet' || parts.has(sheet)) continue;
    parts.set(sheet, { sheet, address: place.address, rows: chosen });
  }
  return [...parts.values()];
}

/** One run of the Test Explorer: the sheets one after the other. */
export async function runTests(
  app: App,
  explorer: Explorer,
  evaluationRequest: EvaluationRequest,
): Promise<void> {
  const { request } = evaluationRequest;
  const run = explorer.controller.createTestRun(request);
  const stop = new AbortController();
  const subscription = run.token.onCancellationRequested(() => {
    stop.abort(new CancelledError('The run was stopped.'));
  });
  const signal = AbortSignal.any([app.signal, stop.signal]);
  try {
    const parts = await partsOf(explorer, request);
    for (const { sheet } of parts) run.enqueued(sheet);
    for (const part of parts) {
      if (signal.aborted) break;
      const { runsCells, coverage } = evaluationRequest;
      await new SheetRun({ app, explorer, run, signal, part, runsCells, coverage }).evaluate();
    }
  } finally {
    subscription.dispose();
    run.end();
  }
}

interface SheetRunParts {
  readonly app: App;
  readonly explorer: Explorer;
  readonly run: vscode.TestRun;
  readonly signal: AbortSignal;
  readonly part: Part;
  readonly runsCells: boolean;
  readonly coverage: RowCoverage | undefined;
}

class SheetRun {
  readonly #parts: SheetRunParts;
  readonly #counts: Record<Verdict, number> = { pass: 0, fail: 0, error: 0, skipped: 0 };
  #cutOffRows = 0;

  constructor(parts: SheetRunParts) {
    this.#parts = parts;
  }

  async evaluate(): Promise<void> {
    const { app, run, signal, runsCells } = this.#parts;
    const { sheet } = this.#parts.part;
    run.started(sheet);
    try {
      if (runsCells && !(await this.#runCells())) {
        run.skipped(sheet);
        run.appendOutput(
          outputLines(vscode.l10n.t('{0}: not run.', sheet.label)),
          undefined,
          sheet,
        );
        return;
      }
      await this.#judge();
    } catch (error) {
      if (isCancellation(error) || signal.aborted) {
        run.skipped(sheet);
        return;
      }
      app.errors.note(error, 'Evaluating a sheet');
      const { message, hint } = app.errors.describe(error);
      run.errored(sheet, testMessage(hint === undefined ? message : `${message} ${hint}`));
    }
  }

  /** False when the person did not want so many cells run. */
  async #runCells(): Promise<boolean> {
    const { app, run, signal, part } = this.#parts;
    const { address, rows, sheet } = part;
    const { tables } = await app.connections.client(address.connectionId, { signal });
    const ref = refOf(address);
    const outcome = await runCells(app, {
      address,
      request: rows === undefined ? {} : { row_ids: [...rows] },
      cellCount: staleCount(await tables.operations.list(ref, { signal })),
      isUpperLimit: rows !== undefined,
      subject: sheet.label,
      signal,
    });
    if (outcome.outcome === 'declined') return false;
    if (outcome.outcome === 'nothing') return true;
    const { operationId, cellCount } = outcome;
    run.appendOutput(
      outputLines(vscode.l10n.t('{0}: running {1} cells …', sheet.label, cellCount)),
    );
    try {
      for await (const { operation } of tables.operations.watch(ref, operationId, { signal })) {
        if (typeof operation.error_message === 'string') {
          run.appendOutput(outputLines(operation.error_message), undefined, sheet);
        }
      }
    } catch (error) {
      // Nobody waits for its cells any more, so they are not to cost anything.
      if (signal.aborted) await tables.operations.cancel(ref, operationId);
      throw error;
    }
    return true;
  }

  async #judge(): Promise<void> {
    const { app, explorer, run, signal, part } = this.#parts;
    const { address, rows, sheet } = part;
    const { tables } = await app.connections.client(address.connectionId, { signal });
    const options = {
      ...explorer.judging(signal),
      ...(rows !== undefined && { rowIndices: rows }),
    };
    const { coverage } = this.#parts;
    const judgedRows = coverage && new JudgedRows();
    for await (const row of judgeSheet(tables, refOf(address), options)) {
      judgedRows?.add(row);
      this.#show(row);
    }
    if (judgedRows) coverage.tell(run, sheet.label, judgedRows);
    const { pass, fail, error, skipped } = this.#counts;
    const judged = pass + fail + error;
    run.appendOutput(
      outputLines(
        vscode.l10n.t('{0}: {1} of {2} rows pass.', sheet.label, pass, judged),
        vscode.l10n.t('Rows with values to evaluate: {0} of {1}.', judged, judged + skipped),
        ...(this.#cutOffRows > 0
          ? [
              vscode.l10n.t(
                'Rows with answers that were cut off at the token limit: {0}.',
                this.#cutOffRows,
              ),
            ]
          : []),
      ),
      undefined,
      sheet,
    );
    // Of an item with others below it, the editor makes the state itself.
    if (rows !== undefined || sheet.children.size > 0) return;
    if (fail + error === 0 && pass > 0) run.passed(sheet);
    else if (judged === 0) run.skipped(sheet);
    else {
      const text = vscode.l10n.t('{0} of {1} rows do not pass.', fail + error, judged);
      run.failed(sheet, testMessage(text));
    }
  }

  #show(row: RowResult): void {
    const { explorer, run, part } = this.#parts;
    const { address, sheet } = part;
    this.#counts[row.verdict] += 1;
    if (row.cutOff.length > 0) this.#cutOffRows += 1;
    const place = placeOf(sheet);
    const isLarge = place?.kind === 'sheet' && place.rowCount > mostRowItems;
    const isGood = row.verdict === 'pass' || row.verdict === 'skipped';
    const known = sheet.children.get(`${sheet.id}/${String(row.rowIndex)}`);
    if (isLarge && known === undefined && (isGood || sheet.children.size >= mostRowItems)) return;
    const item = rowItem(explorer.controller, sheet, address, row);
    if (row.cutOff.length > 0) {
      const words = vscode.l10n.t('Cut off at the token limit: {0}', row.cutOff.join(', '));
      run.appendOutput(outputLines(words), undefined, item);
    }
    switch (row.verdict) {
      case 'pass':
        run.passed(item);
        return;
      case 'skipped':
        run.skipped(item);
        return;
      case 'fail':
        run.failed(item, messagesOf(row));
        return;
      case 'error':
        run.errored(item, messagesOf(row));
    }
  }
}
