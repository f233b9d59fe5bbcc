import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { MatrixPageState } from '../../protocol/matrix.ts';
import { matrixPanelId } from '../contributions.ts';
import { PanelHost } from '../panels/panel-host.ts';
import type { App } from '../shell/app.ts';
import { PanelId } from '../shell/choice-schema.ts';
import { registerCommand } from '../shell/commands.ts';
import { lazy } from '../shell/lazy.ts';
import type { FirstPlan, MatrixPanel } from './panel.ts';

const PageState = lazy(() => z.object({ matrixId: PanelId }));

/** Many variants of prompts by many cases, in editor tabs. */
export function registerMatrices(app: App): vscode.Disposable {
  const firsts = new Map<string, FirstPlan>();
  const panels = new PanelHost<MatrixPageState, MatrixPanel>({
    ...{ app, viewId: matrixPanelId, schema: PageState },
    keyOf: ({ matrixId }) => matrixId,
    load: async () => {
      const { MatrixPanel, journalFolder, pruneJournals } = await import('../matrix-parts.ts');
      pruneJournals(journalFolder(app)).catch((error: unknown) => {
        app.errors.note(error, 'Removing old comparisons');
      });
      return (panel, page) => {
        const first = firsts.get(page.matrixId);
        firsts.delete(page.matrixId);
        return new MatrixPanel({ app, panel, page, first });
      };
    },
  });
  return vscode.Disposable.from(
    panels,
    registerCommand(app, 'promptTables.compareMany', async (given) => {
      const { askComparison } = await import('../matrix-parts.ts');
      const { first, kept, title } = await askComparison(app, given);
      const matrixId = kept ?? randomUUID();
      if (first !== undefined) firsts.set(matrixId, first);
      await panels.open({ matrixId }, title);
    }),
  );
}
