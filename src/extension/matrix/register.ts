import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod';
import { CancelledError } from '../../core/errors.ts';
import type { MatrixPageState } from '../../protocol/matrix.ts';
import { pickChoice, pickPrompt } from '../ask/pick-prompt.ts';
import { matrixPanelId } from '../contributions.ts';
import { PanelHost } from '../panels/panel-host.ts';
import { spellDate } from '../shell/amounts.ts';
import type { App } from '../shell/app.ts';
import { Blueprint, Model, PanelId } from '../shell/choice-schema.ts';
import { registerCommand } from '../shell/commands.ts';
import { lazy } from '../shell/lazy.ts';
import { isPromptAddress } from '../shell/prompt-address.ts';
import { showQuickPick } from '../shell/questions.ts';
import type { FirstPlan, MatrixPanel } from './panel.ts';

const t = vscode.l10n.t;

const PageState = lazy(() => z.object({ matrixId: PanelId }));

/** What a run panel hands over beside the prompt. */
const FromRun = lazy(() =>
  z.object({
    blueprint: Blueprint.optional(),
    uri: z.string().optional(),
    model: Model.optional(),
    changed: z.record(z.string(), z.unknown()).optional(),
    values: z.record(z.string(), z.unknown()).optional(),
  }),
);

/** The document that a menu was opened on, or the one in front when it is a prompt's. */
function documentOf(given: unknown): vscode.Uri | undefined {
  if (given instanceof vscode.Uri) return given;
  const active = vscode.window.activeTextEditor?.document;
  const isPrompt = active?.languageId === 'prompt-tables-prompt';
  return given === undefined && isPrompt ? active.uri : undefined;
}

async function firstOf(app: App, given: unknown): Promise<FirstPlan> {
  const uri = documentOf(given);
  if (uri !== undefined) {
    const { connectionOf, wantedIn } = await import('../matrix-parts.ts');
    return { connectionId: await connectionOf(app, uri), wanted: await wantedIn(uri.toString()) };
  }
  const title = t('Compare prompt');
  const prompt = isPromptAddress(given) ? given : await pickPrompt(app, title);
  const { connectionId, promptName } = prompt;
  const { blueprint, uri: of, model, changed, values } = FromRun().safeParse(given).data ?? {};
  if (blueprint !== undefined) {
    return {
      connectionId,
      values,
      wanted: { promptName, blueprint, uri: of, model, parameters: changed },
    };
  }
  const choice = prompt.choice ?? (await pickChoice(app, title, prompt));
  return { connectionId, values, wanted: { promptName, choice, model, parameters: changed } };
}

/** One that was begun earlier; undefined: a new one is wanted. Errors: CancelledError. */
async function askKept(app: App): Promise<MatrixPageState | undefined> {
  const { journalFolder, keptMatrices } = await import('../matrix-parts.ts');
  const kept = await keptMatrices(journalFolder(app), (error) =>
    app.errors.note(error, 'Reading a comparison'),
  );
  if (kept.length === 0) return undefined;
  const items: readonly (vscode.QuickPickItem & { readonly id?: string })[] = [
    { label: t('New comparison…'), iconPath: new vscode.ThemeIcon('add') },
    ...kept.map(({ id, title, changedAt }) => ({
      ...{ label: title, description: spellDate(changedAt), id },
      iconPath: new vscode.ThemeIcon('history'),
    })),
  ];
  const picked = await showQuickPick(items, { title: t('Compare many') });
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  return picked.id === undefined ? undefined : { matrixId: picked.id };
}

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
      const isOpen = given === undefined && documentOf(given) === undefined;
      const kept = isOpen ? await askKept(app) : undefined;
      if (kept !== undefined) {
        await panels.open(kept, t('Compare many'));
        return;
      }
      const first = await firstOf(app, given);
      const matrixId = randomUUID();
      firsts.set(matrixId, first);
      await panels.open({ matrixId }, t('Compare {0}', first.wanted.promptName));
    }),
  );
}
