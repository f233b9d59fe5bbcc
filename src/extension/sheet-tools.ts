import * as vscode from 'vscode';
import * as z from 'zod';
import type { App } from './shell/app.ts';
import type { ChartsPageState } from '../protocol/charts.ts';
import { chartTabs } from '../protocol/charts.ts';
import type { ChartsPanel } from './charts/panel.ts';
import { registerCommand } from './shell/commands.ts';
import { chartsPanelId } from './contributions.ts';
import { PanelHost } from './panels/panel-host.ts';
import { PanelDocuments } from './panels/panel-documents.ts';
import { titledSheet } from './ask/pick.ts';
import { Reports } from './panels/reports.ts';
import { exportOf, targetOf } from './ask/targets.ts';
import { lazy } from './shell/lazy.ts';

const ChartsState = lazy(() =>
  z.object({
    ...{ connectionId: z.string(), tableId: z.string(), sheetId: z.string() },
    tab: z.enum(chartTabs),
  }),
);

const parts = () => import('./sheet-parts.ts');

/** Commands for a whole sheet. All of them is loaded when the first is run. */
export function registerSheetTools(app: App): vscode.Disposable {
  const reports = new Reports();
  const documents = new PanelDocuments('prompt-tables-versions', (id) =>
    Promise.resolve(reports.read(id)),
  );
  const charts: PanelHost<ChartsPageState, ChartsPanel> = new PanelHost({
    ...{ app, viewId: chartsPanelId, schema: ChartsState },
    keyOf: ({ connectionId, tableId, sheetId }) => [connectionId, tableId, sheetId].join('/'),
    async load() {
      const { ChartsPanel: Panel } = await parts();
      return (tab, page) => new Panel(app, tab, page);
    },
  });
  const show = async (given: unknown, tab: 'latency' | 'score'): Promise<void> => {
    const question = tab === 'score' ? vscode.l10n.t('Show score') : vscode.l10n.t('Show charts');
    const { connectionId, tableId, sheetId } = await titledSheet(
      app,
      targetOf(app, given),
      question,
    );
    const page = { connectionId, tableId, sheetId, tab };
    (await charts.open(page, vscode.l10n.t('Charts'))).show(tab);
  };
  return vscode.Disposable.from(
    documents,
    charts,
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
