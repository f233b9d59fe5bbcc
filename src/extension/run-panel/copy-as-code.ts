import * as vscode from 'vscode';
import { ConfigurationError } from '../../core/errors.ts';
import type { RunVariable } from '../../protocol/run.ts';
import { valuesOf } from '../ask/run-variables.ts';
import { runCommand } from '../shell/commands.ts';
import { showWarningMessage } from '../shell/shown.ts';
import type { PanelPrompt } from './panel-prompt.ts';

/** Media are given to code as addresses; files of this machine are left for whoever uses the code. */
function isForCode({ kind, text, as }: RunVariable): boolean {
  if (as !== 'media' || kind === 'json') return true;
  const lines = text.split('\n').map((line) => line.trim());
  return lines.every((line) => line === '' || /^(?:https?|data):/.test(line));
}

/** Code that runs what the panel runs, with the values that are typed there. */
export async function copyRunAsCode({ page, presentation }: PanelPrompt): Promise<void> {
  const { connectionId, promptName, choice, model, parameters, unpublished } = page;
  if (unpublished !== undefined) {
    throw new ConfigurationError(vscode.l10n.t('Code can only run a published prompt.'), {
      hint: vscode.l10n.t('Publish this one, or select a published version.'),
    });
  }
  if (presentation?.isEditorModel === true) {
    throw new ConfigurationError(
      vscode.l10n.t("A model of VS Code can't be used by another program."),
      { hint: vscode.l10n.t('Select another model, then copy the code.') },
    );
  }
  const typed = (presentation?.variables ?? []).filter(isForCode);
  const values = valuesOf(typed, vscode.l10n.t);
  const given = { connectionId, promptName, choice, values, ...(model !== undefined && { model }) };
  await runCommand('promptTables.copyPromptAsCode', given);
  if (parameters === undefined) return;
  void showWarningMessage(
    vscode.l10n.t(
      "The changed parameters and tools of the panel aren't in the code. To use them, save them as a new version first.",
    ),
  );
}
