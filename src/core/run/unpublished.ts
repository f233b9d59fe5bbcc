import type { Template } from '../../api/template.ts';
import { TemplateError } from '../errors.ts';
import type { CallOptions } from '../http/call.ts';
import { argumentsFor } from '../kwargs/arguments-for.ts';
import { chooseModel } from '../kwargs/choose-model.ts';
import { mappings } from '../mapping.ts';
import { joinedText } from '../providers/template-parts.ts';
import type { SnippetReference } from '../templates/snippet-references.ts';
import { mapTexts, referencesOf, replaceReferences } from '../templates/snippet-references.ts';
import { renderTemplate } from '../templates/render-template.ts';
import type { RunContext } from './context.ts';
import type { GivenBlueprint, GivenOptions } from './given.ts';

type Prompt = GivenBlueprint['prompt_template'];

const keyOf = ({ name, version, label }: SnippetReference): string =>
  JSON.stringify([name, version, label]);

/** Snippets are published: the service resolves those that they use themselves. */
async function withSnippets(
  { templates }: Pick<RunContext, 'templates'>,
  prompt: Prompt,
  options: CallOptions,
): Promise<Prompt> {
  const texts = new Map<string, string>();
  for (const reference of referencesOf(prompt)) {
    const { name, version, label } = reference;
    const { prompt_template: snippet } = await templates.getRaw(name, { version, label }, options);
    if (snippet.type !== 'completion') {
      throw new TemplateError(
        { kind: 'not-a-snippet', name },
        { hint: { kind: 'correct-reference' } },
      );
    }
    texts.set(keyOf(reference), joinedText(snippet['content']));
  }
  return mapTexts(prompt, (text) =>
    replaceReferences(text, (reference) => texts.get(keyOf(reference)) ?? ''),
  ) as Prompt;
}

/** A prompt as it was given, in the form in which the service answers published ones: filled in. */
export async function unpublishedTemplate(
  context: Pick<RunContext, 'templates'>,
  { promptName, inputVariables, hasVariables, provider, model, ...given }: GivenOptions,
  blueprint: GivenBlueprint,
  options: CallOptions,
): Promise<Template> {
  if (mappings(blueprint.prompt_template['tools']).some(({ type }) => type === 'registry')) {
    throw new TemplateError(
      { kind: 'registry-tool', name: promptName },
      { hint: { kind: 'publish-tool' } },
    );
  }
  const { prompt_template: prompt } = blueprint;
  const rendered = hasVariables
    ? renderTemplate(await withSnippets(context, prompt, options), inputVariables)
    : prompt;
  const chosen = chooseModel(blueprint.metadata ?? null, {
    ...{ provider, model, model_parameter_overrides: given.modelParameterOverrides },
  });
  return {
    id: 0,
    prompt_name: promptName,
    prompt_template: rendered,
    metadata: chosen.metadata,
    llm_kwargs: argumentsFor(rendered, chosen.model, hasVariables ? inputVariables : undefined),
  };
}
