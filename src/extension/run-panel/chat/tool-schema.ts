import type { ConversationState, TurnToolCall } from '../../../core/index.ts';
import { isMapping } from '../../../core/mapping.ts';
import type { Mapping } from '../../../core/mapping.ts';
import { functionToolsOf } from '../../../core/providers/template-parts.ts';
import type { Translate } from '../../shell/translate.ts';
import type { checkAnswer } from '../answer-schema.ts';

type Prompt = NonNullable<ConversationState['prompt']>;

/** Functions that the prompt offers; those of a registry stand in the arguments that the service made. */
export function toolsOf({ prompt_template, llm_kwargs }: Prompt) {
  const known = functionToolsOf(prompt_template);
  const sent = functionToolsOf({ type: 'chat', tools: llm_kwargs?.['tools'] });
  const names = new Set(known.map(({ name }) => name));
  return [...known, ...sent.filter(({ name }) => !names.has(name))];
}

/** Where the arguments of a call don't fit, in words; undefined: they fit, or nobody says what would. */
export function misfitOf(
  { name, arguments: given }: TurnToolCall,
  { prompt }: ConversationState,
  t: Translate,
  check: typeof checkAnswer,
): string | undefined {
  if (prompt === null) return undefined;
  const tool = toolsOf(prompt).find((one) => one.name === name);
  if (tool === undefined) return t('The prompt has no tool of this name.');
  const { kind, text = '' } = check(given.trim() === '' ? '{}' : given, tool.parameters, t);
  switch (kind) {
    case 'fits':
    case 'incomplete':
      return undefined;
    case 'differs':
      return t("The arguments don't match the schema of the tool: {0}", text);
    case 'notJson':
      return t("The arguments aren't JSON: {0}", text);
    case 'unusable':
      return t("The arguments weren't checked, because the schema can't be used: {0}", text);
  }
}

/** What a tool says that it answers: a JSON schema. Undefined: any text. */
export function resultSchemaOf({ prompt_template: prompt }: Prompt, name: string): unknown {
  const tools: readonly unknown[] = Array.isArray(prompt['tools']) ? prompt['tools'] : [];
  const made = tools
    .filter(isMapping)
    .map((tool): Mapping => (isMapping(tool['function']) ? tool['function'] : tool))
    .find((tool) => tool['name'] === name);
  return made?.['response_schema'] ?? made?.['output_schema'] ?? undefined;
}
