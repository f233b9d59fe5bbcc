import type { Template } from '../../api/template.ts';
import { TemplateError } from '../errors.ts';
import { mappings } from '../mapping.ts';
import { builtInToolsOf, functionToolsOf, toolChoiceOf } from '../providers/template-parts.ts';
import { renderTemplate } from '../templates/render-template.ts';
import { templateWith } from './changed-template.ts';
import type { GivenOptions } from './given.ts';
import { refuse } from './given.ts';

type GivenTools = Pick<
  GivenOptions,
  'tools' | 'toolChoice' | 'hasVariables' | 'inputVariables' | 'blueprint' | 'promptName'
>;

/** A choice that providers would be sent nothing of, or an error. */
function demandChoice({ prompt_template: prompt }: Template): void {
  const choice = toolChoiceOf(prompt);
  const names = functionToolsOf(prompt).map(({ name }) => name);
  const hint = 'Give tools too, or leave toolChoice out.';
  if (choice === undefined) refuse('toolChoice names nothing', hint);
  else if (choice.kind === 'function' && !names.includes(choice.name)) {
    refuse(`toolChoice names ${choice.name}, which isn't a function of the prompt`, hint);
  } else if (names.length === 0 && builtInToolsOf(prompt).length === 0) {
    refuse('toolChoice is given, and the prompt has no tools', hint);
  }
}

/** The older form of tools has no choice that all models know. */
function withoutFunctions(prompt: Template['prompt_template']): Template['prompt_template'] {
  const { functions, ...rest } = prompt;
  if (mappings(rest['tools']).length > 0 || mappings(functions).length === 0) return rest;
  return {
    ...rest,
    tools: mappings(functions).map((made) => ({ type: 'function', function: made })),
  };
}

/** The prompt with the tools that were given in the place of its own. */
export function withGivenTools(template: Template, given: GivenTools): Template {
  const { tools, toolChoice } = given;
  if (tools === undefined && toolChoice === undefined) return template;
  const own = withoutFunctions(template.prompt_template);
  if (own.type === 'completion') refuse('a completion has no tools', 'Give a prompt of messages.');
  if (mappings(tools ?? own['tools']).some(({ type }) => type === 'registry')) {
    throw new TemplateError(
      { kind: 'registry-tool', name: given.promptName },
      { hint: { kind: 'publish-tool' } },
    );
  }
  const isFilled = given.blueprint !== undefined && !given.hasVariables;
  const filled =
    tools === undefined || isFilled
      ? tools
      : renderTemplate({ ...own, messages: [], tools }, given.inputVariables)['tools'];
  const changed = templateWith(template, {
    ...{ tools: tools === undefined ? own['tools'] : filled, functions: undefined },
    ...(toolChoice !== undefined && { tool_choice: toolChoice, function_call: undefined }),
  });
  if (toolChoice !== undefined) demandChoice(changed);
  return changed;
}
