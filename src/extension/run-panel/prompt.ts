import type { Template } from '../../api/template.ts';
import type { PromptFace, RunPageState } from '../../protocol/run.ts';
import type { App } from '../app.ts';
import { choiceText, modelOf } from '../pick-prompt.ts';
import type { PromptAddress } from '../prompt-address.ts';
import { placeOf } from '../run-problem.ts';
import { versionOf } from '../prompt-address.ts';
import type { RememberedVariables } from '../run-variables.ts';
import { variablesOf } from '../prompt-variables.ts';

export function faceOf(
  app: App,
  address: RunPageState,
  template: Template,
  remembered: RememberedVariables,
): PromptFace {
  const model = address.model?.name ?? modelOf(template);
  return {
    name: template.prompt_name,
    choice: choiceText(address.choice),
    ...(typeof template.version === 'number' && { version: template.version }),
    ...(model !== undefined && { model }),
    connection: placeOf(app, address.connectionId),
    variables: remembered.fill(
      { connectionId: address.connectionId, name: address.promptName },
      variablesOf(template),
    ),
  };
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
