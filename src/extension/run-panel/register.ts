import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { panelCommands } from '../../protocol/run.ts';
import type { RunPageState } from '../../protocol/run.ts';
import type { App } from '../shell/app.ts';
import { registerCommand } from '../shell/commands.ts';
import { runPanelId } from '../contributions.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { fromRunOf } from '../kept-runs/from-run.ts';
import { pickChoice, pickPrompt } from '../ask/pick-prompt.ts';
import type { PromptAddress } from '../shell/prompt-address.ts';
import {
  isPromptAddress,
  modelAskedOf,
  parametersAskedOf,
  unpublishedIn,
} from '../shell/prompt-address.ts';
import { RunPanels } from '../kept-runs/run-panels.ts';
import { setStatusBarMessage } from '../shell/shown.ts';
import { ChosenModels } from './chosen-models.ts';
import { RunDocuments } from './documents.ts';
import { PageState } from './page-state.ts';
import type { RunPanel } from './panel.ts';
import type { RunRecord } from './records.ts';

async function choosePrompt(app: App, given: unknown): Promise<PromptAddress> {
  const title = vscode.l10n.t('Run prompt');
  const prompt = isPromptAddress(given) ? given : await pickPrompt(app, title);
  if (prompt.choice !== undefined) return prompt;
  return { ...prompt, choice: await pickChoice(app, title, prompt) };
}

/** Prompts in editor tabs: each run command opens one. */
export function registerRunPanels(app: App): vscode.Disposable {
  const own = new DisposableStore();
  const models = new ChosenModels(app.context.workspaceState);
  const panels: RunPanels<RunPageState, RunRecord, RunPanel> = own.add(
    new RunPanels({
      ...{ app, viewId: runPanelId, pageSchema: PageState },
      nameOf: ({ promptName }) => promptName,
      async load() {
        const parts = await import('../panel-parts.ts');
        const { RunPanel, openRunRecords, readRunRecord: readRecord, openRemembered } = parts;
        const records = openRunRecords(path.join(app.context.globalStorageUri.fsPath, 'runs'));
        const remembered = openRemembered(app.context, 'prompt');
        return {
          ...{ records, remembered, readRecord },
          make: (panel, page, record, from) =>
            new RunPanel({
              ...{ app, panel, page, records, remembered, models, documents, record },
              blueprint: from?.blueprint ?? record?.blueprint,
              readDocument: async (uri) => (await import('../prompt-parts.ts')).blueprintIn(uri),
              changeDocument: async (uri, change) =>
                (await import('../prompt-parts.ts')).changeModelIn(uri, change),
              appendMessages: async (...given) =>
                (await import('../prompt-parts.ts')).appendMessagesIn(...given),
            }),
        };
      },
    }),
  );
  const documents = own.add(
    new RunDocuments({
      sessionOf: (panelId) => panels.panel(panelId)?.session,
      records: () => panels.records(),
    }),
  );

  own.add(
    registerCommand(app, 'promptTables.runPrompt', async (given) => {
      const unpublished = unpublishedIn(given);
      const asked =
        unpublished !== undefined && isPromptAddress(given)
          ? given
          : await choosePrompt(app, given);
      const { connectionId, promptName, choice = { kind: 'latest' } } = asked;
      // What runs as it was logged has its own model.
      const isKept = unpublished?.kind === 'kept';
      const chosen = isKept ? undefined : models.of({ connectionId, name: promptName });
      const model = modelAskedOf(given) ?? chosen;
      const parameters = parametersAskedOf(given);
      const page = {
        ...{ panelId: randomUUID(), connectionId, promptName, choice },
        ...(model !== undefined && { model }),
        ...(parameters !== undefined && { parameters }),
        ...(unpublished !== undefined && { unpublished }),
      };
      const title = vscode.l10n.t('Run {0}', promptName);
      await panels.open(title, vscode.ViewColumn.Active, page, fromRunOf(given));
    }),
  );
  own.add(
    registerCommand(app, 'promptTables.clearAnswerCache', async () => {
      const count = await app.answers.clear();
      setStatusBarMessage(
        count === 1
          ? vscode.l10n.t('1 cached answer was removed.')
          : vscode.l10n.t('{0} cached answers were removed.', count),
        5000,
      );
    }),
  );
  for (const command of panelCommands) {
    own.add(
      registerCommand(app, `promptTables.run.${command}`, async () => {
        await panels.active?.command(command);
      }),
    );
  }
  return vscode.Disposable.from(own);
}
