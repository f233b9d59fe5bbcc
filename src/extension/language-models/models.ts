import * as vscode from 'vscode';
import type { ModelName } from '../../protocol/run.ts';

/** The name under which prompts and runs ask for models of VS Code. */
export const vscodeProvider = 'vscode';

export interface EditorModel {
  readonly title: string;
  readonly vendor: string;
  readonly maxInputTokens: number;
  readonly model: ModelName;
}

/** Vendors have no slash in their names; the names of their models may. */
const nameOf = ({ vendor, id }: vscode.LanguageModelChat): string => `${vendor}/${id}`;

/** All that VS Code has now: Copilot's, those of other extensions, and those with keys of one's own. */
export async function editorModels(): Promise<readonly EditorModel[]> {
  const models = await vscode.lm.selectChatModels();
  return models.map((model) => ({
    title: model.name,
    vendor: model.vendor,
    maxInputTokens: model.maxInputTokens,
    model: { provider: vscodeProvider, name: nameOf(model) },
  }));
}

/** The model of a name; undefined: VS Code has it no more. */
export async function findEditorModel(name: string): Promise<vscode.LanguageModelChat | undefined> {
  const at = name.indexOf('/');
  if (at < 0) return undefined;
  const [model] = await vscode.lm.selectChatModels({
    vendor: name.slice(0, at),
    id: name.slice(at + 1),
  });
  return model;
}

export const isEditorModel = (model: ModelName | undefined): boolean =>
  model?.provider === vscodeProvider;

/** A model in words, with whoever answers for it. */
export const modelTitle = ({ provider, name }: ModelName): string =>
  provider === vscodeProvider ? vscode.l10n.t('{0} (VS Code)', name) : `${name} · ${provider}`;
