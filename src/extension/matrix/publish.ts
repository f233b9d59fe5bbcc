import * as vscode from 'vscode';
import { CancelledError, ConfigurationError } from '../../core/errors.ts';
import type { ColumnFoot } from '../../protocol/matrix.ts';
import { runCommand } from '../shell/commands.ts';
import { showQuickPick } from '../shell/questions.ts';
import { shownColumn } from './columns.ts';
import type { Column, Plan } from './plan.ts';

const t = vscode.l10n.t;
const percent = (share: number): string =>
  share.toLocaleString(vscode.env.language, { style: 'percent', maximumFractionDigits: 0 });

/** What speaks for a variant, most telling first. */
function standing({ passRate, score, firsts }: ColumnFoot): string {
  return [
    ...(firsts > 0 ? [t('found best: {0}', firsts)] : []),
    ...(passRate === undefined ? [] : [t('{0} passed', percent(passRate.mean))]),
    ...(score === undefined ? [] : [t('score {0}', percent(score.mean))]),
  ].join(' · ');
}

const orderOf = (one: ColumnFoot | undefined, other: ColumnFoot | undefined): number =>
  (other?.firsts ?? 0) - (one?.firsts ?? 0) ||
  (other?.score?.mean ?? -1) - (one?.score?.mean ?? -1);

async function publish(connectionId: string, { source, model, parameters }: Column): Promise<void> {
  const { promptName } = source;
  if (source.kind === 'version' && model === undefined && parameters === undefined) {
    const choice = { kind: 'version', version: source.version } as const;
    await runCommand('promptTables.addPromptLabel', { connectionId, promptName, choice });
    return;
  }
  if (source.kind === 'version') {
    const choice = { kind: 'version', version: source.version } as const;
    const changes = Object.entries(parameters ?? {}).map(
      ([name, value]) => `${name}: ${JSON.stringify(value)}`,
    );
    const change = {
      ...(model !== undefined && { model }),
      parameters: parameters ?? {},
      summary: [
        ...(model === undefined ? [] : [`${model.provider} / ${model.name}`]),
        ...changes,
      ].join('\n'),
    };
    await runCommand('promptTables.editPrompt', { connectionId, promptName, choice, change });
    return;
  }
  if (source.uri === undefined) {
    throw new ConfigurationError(t("The draft of this variant isn't kept anywhere."), {
      hint: t('Edit the prompt, and publish the changes.'),
    });
  }
  const uri = vscode.Uri.parse(source.uri, true);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  await runCommand('promptTables.publishPrompt', uri);
}

/** A version gets a label; a draft, or a version with another model, becomes a new version. */
export async function publishWinner(
  { connectionId, columns }: Plan,
  foots: readonly ColumnFoot[],
): Promise<void> {
  const footOf = ({ id }: Column) => foots.find(({ columnId }) => columnId === id);
  const items = columns
    .toSorted((one, other) => orderOf(footOf(one), footOf(other)))
    .map((column) => {
      const { title, detail } = shownColumn(column);
      const foot = footOf(column);
      const how =
        column.source.kind === 'version' &&
        column.model === undefined &&
        column.parameters === undefined
          ? t('gets a label')
          : t('becomes a new version');
      return {
        ...{ label: title, description: detail, column },
        detail: [...(foot === undefined ? [] : [standing(foot)]), how]
          .filter((text) => text !== '')
          .join(' · '),
      };
    });
  const picked = await showQuickPick(items, { title: t('Publish which variant?') });
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  await publish(connectionId, picked.column);
}
