import * as vscode from 'vscode';
import * as z from 'zod';
import { logCommands } from '../../../protocol/request-log.ts';
import type { App } from '../../app.ts';
import { registerCommand } from '../../commands.ts';
import { logPanelId } from '../../contributions.ts';
import { DisposableStore } from '../../dispose.ts';
import { currentConnection } from '../../pick.ts';
import type { LogPanel } from './panel.ts';
import { requestScheme } from './request-uri.ts';
import { createWebviewPanel, registerWebviewPanelSerializer } from '../../shown.ts';

const Restored = z.object({ connectionId: z.string() });
/** Which request is meant, where a run links to it. */
const Wanted = z.object({ connectionId: z.string(), requestId: z.number().optional() });

/** The log of requests: one tab a workspace. */
export function registerRequestLog(app: App): vscode.Disposable {
  const own = new DisposableStore();
  const panels = new Map<string, LogPanel>();
  const parts = () => import('../../panel-parts.ts');
  const adopt = async (panel: vscode.WebviewPanel, connectionId: string): Promise<LogPanel> => {
    const { LogPanel: Panel } = await parts();
    const log = new Panel(app, panel, connectionId);
    panels.set(connectionId, log);
    // Not among what the window holds: it would keep every panel that was ever open.
    panel.onDidDispose(() => {
      panels.delete(connectionId);
      log.close();
    });
    return log;
  };
  const open = async (connectionId: string): Promise<LogPanel> => {
    const there = panels.get(connectionId);
    there?.reveal();
    if (there !== undefined) return there;
    const title = vscode.l10n.t('Requests');
    const { Active } = vscode.ViewColumn;
    const panel = createWebviewPanel(logPanelId, title, Active);
    return adopt(panel, connectionId);
  };

  own.add(
    registerCommand(app, 'promptTables.openRequests', async (given) => {
      const wanted = Wanted.safeParse(given).data;
      const log = await open(wanted?.connectionId ?? currentConnection(app).id);
      const { requestId } = wanted ?? {};
      if (requestId !== undefined) {
        await log.show([{ field: 'pl_id', operator: 'eq', value: requestId }]);
      }
    }),
  );
  own.add(
    registerWebviewPanelSerializer(logPanelId, {
      async deserializeWebviewPanel(panel, state: unknown) {
        const read = Restored.safeParse(state);
        // Whose log it was is not known, or it is open already: an empty tab helps nobody.
        if (!read.success || panels.has(read.data.connectionId)) panel.dispose();
        else await adopt(panel, read.data.connectionId);
      },
    }),
  );
  own.add(
    vscode.workspace.registerTextDocumentContentProvider(requestScheme, {
      provideTextDocumentContent: async (uri) => (await parts()).requestDocument(app, uri),
    }),
  );
  for (const command of logCommands) {
    own.add(
      registerCommand(app, `promptTables.log.${command}`, async () => {
        await [...panels.values()].find((log) => log.isActive)?.command(command);
      }),
    );
  }
  own.defer(() => {
    for (const log of panels.values()) log.close();
  });
  return vscode.Disposable.from(own);
}
