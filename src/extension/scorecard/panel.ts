import * as vscode from 'vscode';
import * as z from 'zod';
import type { Column } from '../../api/column.ts';
import type { Scorecard } from '../../api/score.ts';

import type { Client } from '../../core/index.ts';
import type { Handlers, Listeners } from '../../protocol/channel.ts';
import type {
  EnteredScorecard,
  ScorecardEvents,
  ScorecardFault,
  ScorecardRequests,
} from '../../protocol/scorecard.ts';
import type { SheetAddress } from '../shell/address.ts';
import { refOf } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { checkMessage } from '../panels/check-message.ts';
import { runCommand } from '../shell/commands.ts';
import { scorecardFormId } from '../contributions.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { PageLink } from '../panels/page-link.ts';
import { confirmed } from '../shell/questions.ts';
import { placeOf } from '../panels/run-problem.ts';
import { EnteredCard, scorecardDrafts } from '../column-form/drafts.ts';
import { isRefusal } from '../column-form/refusal.ts';
import { TypedForm } from '../column-form/typed-form.ts';
import { draftOfScorecard, enteredOf, placeBlamed, faultOfScorecard, formOfStep } from './draft.ts';
import { cardForm, seldomNames, stepForms } from './steps.ts';
import { createWebviewPanel } from '../shell/shown.ts';

const requests: {
  readonly [Name in keyof ScorecardRequests]: z.ZodType<ScorecardRequests[Name]['params']>;
} = {
  ready: z.null(),
  save: EnteredCard,
  remove: z.null(),
  cancel: z.null(),
};
export const checkFromScorecardForm = checkMessage('The form of a scorecard', {
  request: requests,
  event: { typed: EnteredCard.nullable() },
});

type NoMessages = Readonly<Record<string, never>>;

export interface OpenedScorecardForm {
  readonly address: SheetAddress;
  readonly sheet: string;
  readonly scorecard: Scorecard | null;
  readonly columns: readonly Column[];
  readonly formId: string;
  /** One that VS Code has kept from before the window was loaded anew. */
  readonly panel?: vscode.WebviewPanel | undefined;
  /** Opens another form of the same: this one was closed before it was saved. */
  readonly openAgain: () => Promise<void>;
}

const reported = (app: App, address: SheetAddress): void =>
  app.changes.tell({ ...refOf(address), connectionId: address.connectionId, what: 'score' });

/** Asks first, and says what stays. */
export async function deleteScorecard(
  app: App,
  client: Client,
  address: SheetAddress,
): Promise<void> {
  const workspace = app.connections.get(address.connectionId)?.name ?? address.connectionId;
  await confirmed(
    vscode.l10n.t('Delete the scorecard of this sheet?'),
    vscode.l10n.t('Delete'),
    [
      vscode.l10n.t('Its steps and calculations are deleted. Saved versions keep their scores.'),
      vscode.l10n.t('Workspace: {0}', workspace),
    ].join('\n'),
  );
  await client.tables.scorecards.delete(refOf(address), { signal: app.signal });
  reported(app, address);
}

/** A form in an editor tab that makes, changes or deletes the scorecard of a sheet. */
export function openScorecardForm(app: App, target: OpenedScorecardForm): void {
  const { address, sheet, scorecard, columns, formId } = target;
  const panel =
    target.panel ??
    createWebviewPanel(
      scorecardFormId,
      vscode.l10n.t('Scorecard for {0}', sheet),
      vscode.ViewColumn.Active,
      { retainContextWhenHidden: false },
    );
  panel.iconPath = new vscode.ThemeIcon('star');
  const { t } = vscode.l10n;
  const ref = refOf(address);
  const client = (signal: AbortSignal) => app.connections.client(address.connectionId, { signal });
  const typing = new TypedForm(app, {
    ...{ panel, formId, openAgain: target.openAgain },
    drafts: scorecardDrafts(app.context.workspaceState),
    about: [address.connectionId, ref.tableId, ref.sheetId],
    closed: vscode.l10n.t(
      'The form of the scorecard for {0} was closed. What you typed is kept.',
      sheet,
    ),
  });

  const save = async (entered: EnteredScorecard): Promise<ScorecardFault | null> => {
    const fault = faultOfScorecard(entered, t);
    if (fault !== undefined) return fault;
    try {
      const draft = draftOfScorecard(entered, scorecard, columns, t);
      const { scorecards } = (await client(app.signal)).tables;
      await scorecards.configure(ref, draft, { signal: app.signal });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      app.errors.note(error, 'Saving a scorecard');
      const { message, hint } = app.errors.describe(error);
      const said = hint === undefined ? message : `${message} ${hint}`;
      return { ...placeBlamed(entered, error.detail, t), message: said };
    }
    reported(app, address);
    await typing.end();
    await runCommand('promptTables.showScorecard', address);
    return null;
  };

  const known = stepForms(t);
  const others = (scorecard?.steps ?? []).flatMap(({ primitive_type: type }) =>
    typeof type === 'string' && !known.some((form) => form.type === type)
      ? [formOfStep(type, t)]
      : [],
  );
  const handlers: Handlers<ScorecardRequests> = {
    ready: () => ({
      sheet,
      connection: placeOf(app, address.connectionId),
      isNew: scorecard === null,
      columns: columns.map(({ title }) => title),
      fields: cardForm(t).fields,
      steps: [...known, ...others],
      seldom: seldomNames,
      entered: enteredOf(scorecard, columns, t),
      draft: typing.draft,
      target: { formId, ...ref, connectionId: address.connectionId },
    }),
    save,
    remove: async () => {
      await deleteScorecard(app, await client(app.signal), address);
      await typing.end();
      return null;
    },
    cancel: async () => {
      await typing.end();
      return null;
    },
  };
  const listeners: Listeners<ScorecardEvents> = { typed: (entered) => typing.note(entered) };
  const own = new DisposableStore();
  own.add(
    new PageLink<ScorecardRequests, NoMessages, ScorecardEvents, NoMessages>({
      ...{ app, panel, bundle: 'scorecard', what: 'form of a scorecard' },
      ...{ handlers, listeners, check: checkFromScorecardForm },
    }),
  );
  panel.onDidDispose(() => own.dispose());
}
