import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors.ts';
import type { ModelName, PromptPresentation, RunPageState } from '../../protocol/run.ts';
import type { App } from '../shell/app.ts';
import { showQuickPick } from '../shell/questions.ts';
import { modelTitle } from '../language-models/models.ts';
import { askModel } from './ask-model.ts';

const t = vscode.l10n.t;

export type AskedComparison =
  | { readonly kind: 'last' }
  | { readonly kind: 'many' }
  | { readonly kind: 'model'; readonly title: string; readonly model: ModelName };

/** What the next answers are to be compared with; undefined: nothing. */
export async function askComparison(
  app: App,
  page: RunPageState,
  presentation: PromptPresentation | null,
): Promise<AskedComparison | undefined> {
  const item = (
    as: 'model' | 'last' | 'many' | 'nothing',
    label: string,
    icon: string,
    description = '',
  ) => ({
    ...{ as, label, description, iconPath: new vscode.ThemeIcon(icon) },
  });
  const items = [
    item('model', t('Another model…'), 'sparkle', t('both run at once')),
    item('last', t('Previous run'), 'history'),
    item('many', t('Many variants and cases…'), 'table', t('in a tab of its own')),
    item('nothing', t('Nothing'), 'close'),
  ];
  const title = t('Compare the answer with');
  const picked = await showQuickPick(items, { title });
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  if (picked.as === 'nothing') return undefined;
  if (picked.as === 'last' || picked.as === 'many') return { kind: picked.as };
  const model = await askModel(app, {
    title: t('Compare with another model'),
    connectionId: page.connectionId,
    except: presentation?.model,
  });
  return { kind: 'model', title: modelTitle(model), model };
}
