import type { Template } from '../../api/template.ts';
import type { PromptPresentation, RunPageState } from '../../protocol/run.ts';
import type { App } from '../shell/app.ts';
import { choiceText, modelOf } from '../ask/pick-prompt.ts';
import type { PromptAddress } from '../shell/prompt-address.ts';
import { placeOf } from '../panels/run-problem.ts';
import { isEditorModel } from '../language-models/models.ts';
import { steeredPresentation } from './steered.ts';
import { versionOf } from '../shell/prompt-address.ts';
import type { RememberedVariables } from '../ask/run-variables.ts';
import { variablesOf } from '../shell/prompt-variables.ts';

export function presentationOf(
  app: App,
  address: RunPageState,
  template: Template,
  remembered: RememberedVariables,
): PromptPresentation {
  const model = address.model?.name ?? modelOf(template);
  return {
    name: template.prompt_name,
    choice: choiceText(address.choice),
    ...(typeof template.version === 'number' && { version: template.version }),
    ...(model !== undefined && { model }),
    ...steeredPresentation(template, address.model),
    connection: placeOf(app, address.connectionId),
    variables: remembered.fill(
      { connectionId: address.connectionId, name: address.promptName },
      variablesOf(template),
    ),
  };
}

/** The copy in memory that a run would use while the service can not be reached. */
export function cachedPrompt(
  app: App,
  { connectionId, promptName, choice, model }: RunPageState,
): Template | undefined {
  const { version, label } = versionOf(choice);
  const client = app.connections.openClient(connectionId);
  return client?.cachedTemplates(promptName).findLast(
    (kept) =>
      (kept.version ?? undefined) === version &&
      (kept.label ?? undefined) === label &&
      // The service knows none of VS Code's models: it was asked for the prompt alone.
      (isEditorModel(model)
        ? (kept.provider ?? kept.model ?? undefined) === undefined
        : (kept.provider ?? undefined) === model?.provider &&
          (kept.model ?? undefined) === model?.name),
  )?.template;
}

/** The prompt as it was published: its form is made from it, its run fetches it anew. */
export async function loadPrompt(
  app: App,
  { connectionId, promptName, choice }: PromptAddress,
  signal: AbortSignal,
): Promise<Template> {
  const client = await app.connections.client(connectionId, { signal });
  return client.templates.getRaw(promptName, versionOf(choice), { signal });
}
