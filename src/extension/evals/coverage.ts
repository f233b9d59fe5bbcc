import * as vscode from 'vscode';
import type { RowResult, Verdict } from '../../core/evals/verdict.ts';
import { PanelDocuments } from '../panels/panel-documents.ts';
import { Reports } from '../panels/reports.ts';
import { nameOfRow } from './items.ts';

/** Of longer sheets the counts are of all rows, the lines of the first ones. */
const mostLines = 10_000;

const words = (verdict: Verdict): string => {
  switch (verdict) {
    case 'pass':
      return vscode.l10n.t('passes');
    case 'fail':
      return vscode.l10n.t('does not pass');
    case 'error':
      return vscode.l10n.t('has an error');
    case 'skipped':
      return vscode.l10n.t('has no value to evaluate');
  }
};

/** The rows of one run of a sheet: a line each, and whether it had values to evaluate. */
export class JudgedRows {
  readonly lines: { readonly text: string; readonly isJudged: boolean }[] = [];
  #judged = 0;
  #rows = 0;

  add(row: RowResult): void {
    const isJudged = row.verdict !== 'skipped';
    this.#rows += 1;
    if (isJudged) this.#judged += 1;
    if (this.lines.length >= mostLines) return;
    this.lines.push({ text: `${nameOfRow(row)} – ${words(row.verdict)}`, isJudged });
  }

  get count(): vscode.TestCoverageCount {
    return new vscode.TestCoverageCount(this.#judged, this.#rows);
  }
}

/**
 * How much of a sheet an evaluation has seen, where the editor shows coverage: the sheet as a document
 * with a line for each row.
 */
export class RowCoverage implements vscode.Disposable {
  readonly #reports = new Reports();
  readonly #documents = new PanelDocuments('prompt-tables-evaluation', (id) =>
    Promise.resolve(this.#reports.read(id)),
  );
  readonly #details = new WeakMap<vscode.FileCoverage, vscode.StatementCoverage[]>();

  tell(run: vscode.TestRun, title: string, rows: JudgedRows): void {
    const { lines, count } = rows;
    const left = count.total - lines.length;
    const more = left > 0 ? [vscode.l10n.t('{0} more rows', left)] : [];
    const text = [...lines.map((line) => line.text), ...more, ''].join('\n');
    const uri = this.#documents.uri(this.#reports.keep(text), title, 'rows.txt');
    const coverage = new vscode.FileCoverage(uri, count);
    this.#details.set(
      coverage,
      lines.map(
        ({ isJudged }, at) => new vscode.StatementCoverage(isJudged, new vscode.Position(at, 0)),
      ),
    );
    run.addCoverage(coverage);
  }

  readonly details = (
    _run: vscode.TestRun,
    coverage: vscode.FileCoverage,
  ): Promise<vscode.FileCoverageDetail[]> => Promise.resolve(this.#details.get(coverage) ?? []);

  dispose(): void {
    this.#documents.dispose();
  }
}
