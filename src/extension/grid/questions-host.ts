import * as vscode from 'vscode';
import type { SheetAddress } from '../shell/address.ts';
import type { App } from '../shell/app.ts';
import { showWarningMessage } from '../shell/shown.ts';
import type { EditorHost } from './editor-host.ts';

/** As the display language writes numbers. */
export const spelled = (number: number): string =>
  new Intl.NumberFormat(vscode.env.language).format(number);

type Questions = Pick<
  EditorHost,
  'confirmDelete' | 'confirmChange' | 'confirmRowsAgain' | 'confirmDiscard' | 'askLeftBehind'
>;

/** What a user is asked before cells of a sheet are changed, deleted or given up. */
export function questionsHost(app: App, address: SheetAddress): Questions {
  const workspace = (): string =>
    app.connections.get(address.connectionId)?.name ?? address.connectionId;
  return {
    async confirmDelete(rows) {
      const button = vscode.l10n.t('Delete');
      const question =
        rows === 1
          ? vscode.l10n.t('Delete 1 row?')
          : vscode.l10n.t('Delete {0} rows?', spelled(rows));
      const detail = vscode.l10n.t(
        'Their cells in the workspace {0} are deleted too. Only a saved version can restore them.',
        workspace(),
      );
      const answer = await showWarningMessage(question, { modal: true, detail }, button);
      return answer === button;
    },
    async confirmChange(notes) {
      const button = vscode.l10n.t('Change');
      const answer = await showWarningMessage(
        vscode.l10n.t('Change cells in the workspace {0}?', workspace()),
        { modal: true, detail: notes.join('\n') },
        button,
      );
      return answer === button;
    },
    async confirmRowsAgain(found, count) {
      const again = vscode.l10n.t('Add Again');
      const message = vscode.l10n.t(
        "The service didn't confirm that {0} rows were added. The sheet has {1} new rows at its end, and some differ from what was sent. Add {0} rows again?",
        count,
        found,
      );
      const answer = await showWarningMessage(message, { modal: true }, again);
      return answer === again;
    },
    async confirmDiscard(edits) {
      const button = vscode.l10n.t('Discard');
      const question =
        edits === 1
          ? vscode.l10n.t('Discard 1 unsaved change?')
          : vscode.l10n.t('Discard {0} unsaved changes?', edits);
      const detail = vscode.l10n.t('The cells keep the values that the service has.');
      const answer = await showWarningMessage(question, { modal: true, detail }, button);
      return answer === button;
    },
    async askLeftBehind(what, canGoOn) {
      const go = vscode.l10n.t('Do It Now');
      const copy = vscode.l10n.t('Copy Text');
      const discard = vscode.l10n.t('Discard');
      const name = app.openSheets.titleOf(address);
      const message = name === undefined ? what : `${name}: ${what}`;
      const buttons = canGoOn ? [go, copy, discard] : [copy, discard];
      const answer = await showWarningMessage(message, ...buttons);
      if (answer === go) return 'go';
      if (answer === copy) return 'copy';
      return answer === discard ? 'discard' : undefined;
    },
  };
}
