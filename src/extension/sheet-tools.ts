import * as vscode from 'vscode';
import type { App } from './app.ts';
import type { ChartsPanels } from './charts/panel.ts';
import { registerCommand } from './commands.ts';
import { chartsPanelId } from './contributions.ts';
import { PanelDocuments } from './panel-documents.ts';
import { titledSheet } from './pick.ts';
import { Reports } from './reports.ts';
import { registerWebviewPanelSerializer } from './shown.ts';
import { exportOf, targetOf } from './targets.ts';

const parts = () => import('./sheet-parts.ts');

/** Commands for a whole sheet. All of them is loaded when the first is run. */
export function registerSheetTools(app: App): vscode.Disposable {
  const reports = new Reports();
  let panels: ChartsPanels | undefined;
  const documents = new PanelDocuments('prompt-tables-versions', (id) =>
    Promise.resolve(reports.read(id)),
  );
  const charts = async (): Promise<ChartsPanels> => {
    const { ChartsPanels: Made } = await parts();
    return (panels ??= new Made(app));
  };
  const show = async (given: unknown, tab: 'latency' | 'score'): Promise<void> => {
    const question = tab === 'score' ? vscode.l10n.t('Show score') : vscode.l10n.t('Show charts');
    const { connectionId, tableId, sheetId } = await titledSheet(
      app,
      targetOf(app, given),
      question,
    );
    (await charts()).open({ connectionId, tableId, sheetId, tab });
  };
  return vscode.Disposable.from(
    documents,
    registerWebviewPanelSerializer(chartsPanelId, {
      async deserializeWebviewPanel(panel, state: unknown) {
        (await charts()).restore(panel, state);
      },
    }),
    registerCommand(app, 'promptTables.showCharts', (given) => show(given, 'latency')),
    registerCommand(app, 'promptTables.showScorecard', (given) => show(given, 'score')),
    registerCommand(app, 'promptTables.exportSheet', async (given, answers) =>
      (await parts()).exportSheet(app, await exportOf(app, given), answers),
    ),
    registerCommand(app, 'promptTables.compareVersion', async (version) => {
      const { compareVersions } = await parts();
      await compareVersions(app, version, { documents, reports });
    }),
  );
}
