import * as vscode from 'vscode';
import * as z from 'zod';
import { CancelledError } from '../../core/errors.ts';
import { pickChoice, pickPrompt } from '../ask/pick-prompt.ts';
import { spellDate } from '../shell/amounts.ts';
import type { App } from '../shell/app.ts';
import { Blueprint, Model } from '../shell/choice-schema.ts';
import { lazy } from '../shell/lazy.ts';
import { isPromptAddress } from '../shell/prompt-address.ts';
import { showQuickPick } from '../shell/questions.ts';
import { promptLanguage, wantedIn } from './ask-variant.ts';
import type { KeptMatrix } from './journal.ts';
import { keptMatrices } from './journal.ts';
import type { FirstPlan } from './panel.ts';
import { journalFolder } from './panel.ts';

const t = vscode.l10n.t;

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
  const isPrompt = active?.languageId === promptLanguage;
  return given === undefined && isPrompt ? active.uri : undefined;
}

async function firstOf(
  app: App,
  given: unknown,
  workspaceOf: (uri: vscode.Uri) => Promise<string>,
): Promise<FirstPlan> {
  const uri = documentOf(given);
  if (uri !== undefined) {
    return { connectionId: await workspaceOf(uri), wanted: await wantedIn(uri.toString()) };
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
async function askKept(app: App): Promise<KeptMatrix | undefined> {
  const kept = await keptMatrices(journalFolder(app), (error) =>
    app.errors.note(error, 'Reading a comparison'),
  );
  if (kept.length === 0) return undefined;
  const items: readonly (vscode.QuickPickItem & { readonly kept?: KeptMatrix })[] = [
    { label: t('New comparison…'), iconPath: new vscode.ThemeIcon('add') },
    ...kept.map((one) => ({
      ...{ label: one.title, description: spellDate(one.changedAt), kept: one },
      iconPath: new vscode.ThemeIcon('history'),
    })),
  ];
  const picked = await showQuickPick(items, { title: t('Compare many') });
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  return picked.kept;
}

interface Begun {
  readonly title: string;
  /** Of one that is new. */
  readonly first?: FirstPlan;
  /** The id of one that was begun earlier. */
  readonly kept?: string;
}

/** What a command is about: a prompt, a document, or a comparison that is kept. Errors: CancelledError. */
export async function askComparison(
  app: App,
  given: unknown,
  workspaceOf: (uri: vscode.Uri) => Promise<string>,
): Promise<Begun> {
  const isOpen = given === undefined && documentOf(given) === undefined;
  const kept = isOpen ? await askKept(app) : undefined;
  if (kept !== undefined) return { title: t('Compare {0}', kept.title), kept: kept.id };
  const first = await firstOf(app, given, workspaceOf);
  return { title: t('Compare {0}', first.wanted.promptName), first };
}
