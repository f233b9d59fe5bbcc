import * as vscode from 'vscode';
import * as z from 'zod';
import { logCommands } from '../../protocol/request-log.ts';
import type { App } from '../shell/app.ts';
import { registerCommand } from '../shell/commands.ts';
import { logPanelId } from '../contributions.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { currentConnection } from '../ask/pick.ts';
import type { LogPanel } from './panel.ts';
import { requestScheme } from './request-uri.ts';
import { PanelHost } from '../panels/panel-host.ts';
import { lazy } from '../shell/lazy.ts';

const Restored = lazy(() => z.object({ connectionId: z.string() }));
/** Which request is meant, where a run links to it. */
const Wanted = lazy(() => z.object({ connectionId: z.string(), requestId: z.number().optional() }));

/** The log of requests: one tab a workspace. */
export function registerRequestLog(app: App): vscode.Disposable {
  const own = new DisposableStore();
  const parts = () => import('../panel-parts.ts');
  const panels: PanelHost<z.output<ReturnType<typeof Restored>>, LogPanel> = own.add(
    new PanelHost({
      ...{ app, viewId: logPanelId, schema: Restored },
      keyOf: ({ connectionId }) => connectionId,
      async load() {
        const { LogPanel: Panel } = await parts();
        return (tab, { connectionId }) => new Panel(app, tab, connectionId);
      },
    }),
  );

  own.add(
    registerCommand(app, 'promptTables.openRequests', async (given) => {
      const wanted = Wanted().safeParse(given).data;
      const connectionId = wanted?.connectionId ?? currentConnection(app).id;
      const log = await panels.open({ connectionId }, vscode.l10n.t('Requests'));
      log.reveal();
      const { requestId } = wanted ?? {};
      if (requestId !== undefined) {
        await log.show([{ field: 'pl_id', operator: 'eq', value: requestId }]);
      }
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
        await panels.active?.command(command);
      }),
    );
  }
  return vscode.Disposable.from(own);
}
