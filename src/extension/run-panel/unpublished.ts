import * as vscode from 'vscode';
import type { Client } from '../../core/index.ts';
import { referencesOf } from '../../core/templates/snippet-references.ts';
import type { PromptPresentation, RunPageState, RunVariable } from '../../protocol/run.ts';
import type { App } from '../shell/app.ts';
import type { Blueprint } from '../shell/choice-schema.ts';
import { modelOf } from '../ask/pick-prompt.ts';
import { placeOf } from '../panels/run-problem.ts';
import type { RememberedVariables } from '../ask/run-variables.ts';
import { steeredPresentation } from './steered.ts';
import { variablesOf } from '../shell/prompt-variables.ts';

/** Its own variables, then those of the snippets in it, as far as these can be had. */
export async function variablesIn(
  app: App,
  client: Client,
  blueprint: Pick<Blueprint, 'prompt_template' | 'metadata'>,
  signal: AbortSignal,
): Promise<readonly RunVariable[]> {
  const found = new Map(variablesOf(blueprint).map((variable) => [variable.name, variable]));
  for (const { name, version, label } of referencesOf(blueprint.prompt_template)) {
    try {
      const snippet = await client.templates.getRaw(name, { version, label }, { signal });
      for (const variable of variablesOf(snippet)) {
        if (!found.has(variable.name)) found.set(variable.name, variable);
      }
    } catch (error) {
      // The run itself says what is wrong with it.
      app.errors.note(error, `Reading the snippet ${name}`);
    }
  }
  return [...found.values()];
}

/** Head and form of a prompt that is not published. */
export async function unpublishedPresentation(
  app: App,
  { connectionId, promptName, model: asked }: RunPageState,
  blueprint: Blueprint,
  { remembered, signal }: { remembered: RememberedVariables; signal: AbortSignal },
): Promise<PromptPresentation> {
  const client = await app.connections.client(connectionId, { signal });
  const isRendered = blueprint.isRendered === true;
  const variables = isRendered ? [] : await variablesIn(app, client, blueprint, signal);
  const model = asked?.name ?? modelOf(blueprint);
  return {
    name: promptName,
    choice: isRendered ? vscode.l10n.t('as logged') : vscode.l10n.t('not published'),
    ...(model !== undefined && { model }),
    ...steeredPresentation({ metadata: blueprint.metadata }, asked),
    connection: placeOf(app, connectionId),
    variables: remembered.fill({ connectionId, name: promptName }, variables),
  };
}
