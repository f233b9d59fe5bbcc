import * as vscode from 'vscode';
import { isSheetAddress } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { registerCommand, runCommand } from '../shell/commands.ts';
import { pickSheet } from '../ask/pick.ts';
import { RowCoverage } from './coverage.ts';
import { Explorer } from './explorer.ts';
import { placeOf } from './items.ts';
import { runTests } from './run.ts';

const isTestItem = (value: unknown): value is vscode.TestItem =>
  typeof value === 'object' && value !== null && 'canResolveChildren' in value;

/** Sheets whose columns judge rows, in the Test Explorer. Asks nothing before it is opened. */
export function registerEvals(app: App): vscode.Disposable {
  const controller = vscode.tests.createTestController(
    'promptTables.evals',
    vscode.l10n.t('Prompt Tables'),
  );
  const explorer = new Explorer(app, controller);
  const shown = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      app.errors.show(error, { doing: vscode.l10n.t('Evaluating sheets') });
    }
  };
  const runWith =
    (runsCells: boolean, reported?: RowCoverage) =>
    (request: vscode.TestRunRequest): Promise<void> =>
      shown(() => runTests(app, explorer, { request, runsCells, coverage: reported }));
  controller.resolveHandler = (item) => shown(() => explorer.resolve(item));
  const refresh = (): Promise<void> => {
    explorer.clear();
    return shown(() => explorer.resolve(undefined));
  };
  controller.refreshHandler = refresh;
  const kind = vscode.TestRunProfileKind.Run;
  const evaluate = controller.createRunProfile(
    vscode.l10n.t('Run Stale Cells and Evaluate'),
    kind,
    runWith(true),
    true,
  );
  const judge = controller.createRunProfile(
    vscode.l10n.t('Evaluate Existing Values'),
    kind,
    runWith(false),
    false,
  );
  const coverage = new RowCoverage();
  const covered = controller.createRunProfile(
    vscode.l10n.t('Run with Coverage'),
    vscode.TestRunProfileKind.Coverage,
    runWith(true, coverage),
    true,
  );
  covered.loadDetailedCoverage = coverage.details;

  async function evaluateSheet(argument: unknown): Promise<void> {
    const title = vscode.l10n.t('Evaluate sheet');
    const address = isSheetAddress(argument) ? argument : await pickSheet(app, title);
    if (address.connectionId !== app.connections.current?.id) explorer.clear();
    const item = await explorer.sheetItem(address);
    if (item === undefined) {
      throw new Error(
        vscode.l10n.t(
          'No column of the sheet evaluates its rows. Add one that returns true, false, or a score, such as LLM_ASSERTION or COMPARE.',
        ),
      );
    }
    await vscode.commands.executeCommand('workbench.view.testing.focus');
    const request = new vscode.TestRunRequest([item], undefined, evaluate);
    await runTests(app, explorer, { request, runsCells: true });
    const [first] = item.children;
    await vscode.commands.executeCommand('vscode.revealTestInExplorer', first?.[1] ?? item);
  }

  return vscode.Disposable.from(
    controller,
    evaluate,
    judge,
    covered,
    coverage,
    app.connections.onDidChange((change) => {
      if (change.what === 'current') explorer.clear();
    }),
    app.settings.onDidChange((isAffected) => {
      const isOpen = controller.items.size > 0;
      // Which sheets judge may be others now.
      if (isOpen && isAffected('evaluations.scoreColumns')) void refresh();
    }),
    registerCommand(app, 'promptTables.evaluateSheet', evaluateSheet),
    registerCommand(app, 'promptTables.openEvaluatedSheet', async (item) => {
      const place = isTestItem(item) ? placeOf(item) : undefined;
      if (place === undefined || place.kind === 'table') return;
      await runCommand('promptTables.openSheet', place.address);
    }),
  );
}
