import * as vscode from 'vscode';
import type { ConversationOptions } from '../../core/index.ts';
import type { RunPageState, RunVariable } from '../../protocol/run.ts';
import type { Blueprint } from '../shell/choice-schema.ts';
import { versionOf } from '../shell/prompt-address.ts';
import { valuesOf } from '../ask/run-variables.ts';
import type { MediaFiles } from './media.ts';
import type { PanelPrompt } from './panel-prompt.ts';
import { unpublishedOptions } from './unpublished-options.ts';

interface Form {
  readonly page: RunPageState;
  /** What runs in the place of a published version. */
  readonly blueprint: Blueprint | undefined;
  readonly variables: readonly RunVariable[];
  readonly usesCache: boolean;
}

/** What the client is asked to run: files that were picked are read now. */
export async function runOptionsOf(
  { prompt, media }: { readonly prompt: PanelPrompt; readonly media: MediaFiles },
  { page, blueprint, variables, usesCache: answerCache }: Form,
): Promise<ConversationOptions> {
  const { promptName, choice, model } = page;
  const { changed: modelParameterOverrides, tools } = await prompt.changedParameters(page);
  const { version, label } = versionOf(choice);
  const values = valuesOf(variables, vscode.l10n.t);
  const inputVariables = await media.read(variables, values);
  return {
    ...{ promptName, answerCache },
    ...(blueprint === undefined
      ? { promptVersion: version, promptReleaseLabel: label }
      : unpublishedOptions(blueprint, promptName)),
    ...(model !== undefined && { provider: model.provider, model: model.name }),
    // Given, the cache of templates is left out.
    ...(Object.keys(modelParameterOverrides).length > 0 && { modelParameterOverrides }),
    ...tools,
    ...(blueprint?.isRendered !== true && { inputVariables }),
  };
}
