import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors.ts';
import type { GridCommand } from '../../protocol/grid-commands.ts';
import type { GridPanel } from './panel.ts';
import { showInputBox, showQuickPick } from '../shell/questions.ts';

type AskedGrid = Pick<GridPanel, 'columns' | 'rowCount'>;

async function rowNumber({ rowCount }: AskedGrid): Promise<string | undefined> {
  const last = rowCount ?? Number.MAX_SAFE_INTEGER;
  const prompt =
    rowCount === undefined
      ? vscode.l10n.t('Row number, 1 first')
      : vscode.l10n.t('Row number, 1 to {0}', rowCount);
  const entered = await showInputBox({
    title: vscode.l10n.t('Go to row'),
    prompt,
    validateInput(text) {
      const number = Number(text);
      return Number.isSafeInteger(number) && number >= 1 && number <= last ? undefined : prompt;
    },
  });
  return entered?.trim();
}

async function column({ columns }: AskedGrid): Promise<string | undefined> {
  const items = columns.map(({ id, title, type }) => ({ label: title, description: type, id }));
  const title = vscode.l10n.t('Go to column');
  return (await showQuickPick(items, { title }))?.id;
}

/** The argument of a command that needs one from the user; undefined when it needs none. */
export async function askFor(command: GridCommand, grid: AskedGrid): Promise<string | undefined> {
  if (command !== 'goToRow' && command !== 'goToColumn') return undefined;
  const answer = await (command === 'goToRow' ? rowNumber(grid) : column(grid));
  if (answer === undefined) throw new CancelledError('The question was dismissed.');
  return answer;
}
