import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';

/** What a variable is given as: a text, lists of texts (`list`, `media`), of messages, of tools. */
export type VariableForm = 'text' | 'list' | 'media' | 'messages' | 'tools';

export interface PromptVariable {
  readonly name: string;
  readonly form: VariableForm;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const namesIn = (value: unknown): readonly string[] =>
  listOf(value).filter((name) => typeof name === 'string');

/** Variables that stand for the values of an enum, wherever they are in a JSON schema. */
function enumsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(enumsIn);
  if (!isMapping(value)) return [];
  const { type, name } = value;
  if (type === 'enum_variable' && typeof name === 'string') return [name];
  return Object.values(value).flatMap(enumsIn);
}

function mediaIn({ content }: Mapping): readonly string[] {
  return listOf(content)
    .filter(isMapping)
    .flatMap(({ type, name, image_variable: image }) => {
      if (type === 'media_variable' && typeof name === 'string') return [name];
      return typeof image === 'string' ? [image] : [];
    });
}

/** Names of a template's variables, in the order of its messages, and what each is given as. */
export function promptVariables({
  prompt_template: prompt,
  metadata,
}: {
  readonly prompt_template: Mapping;
  readonly metadata?: Mapping | null | undefined;
}): readonly PromptVariable[] {
  const found = new Map<string, VariableForm>();
  const add = (names: readonly string[], form: VariableForm): void => {
    for (const name of names) if (!found.has(name)) found.set(name, form);
  };
  for (const holder of [...listOf(prompt['messages']).filter(isMapping), prompt]) {
    const { role, name } = holder;
    if (role === 'placeholder' && typeof name === 'string') add([name], 'messages');
    const media = new Set(mediaIn(holder));
    if (holder !== prompt) {
      for (const each of namesIn(holder['input_variables'])) {
        add([each], media.has(each) ? 'media' : 'text');
      }
    }
    add([...media], 'media');
  }
  for (const tool of listOf(prompt['tools']).filter(isMapping)) {
    if (tool['type'] === 'variable' && typeof tool['name'] === 'string')
      add([tool['name']], 'tools');
  }
  add(enumsIn([prompt['tools'], prompt['functions'], metadata?.['model']]), 'list');
  add(namesIn(prompt['input_variables']), 'text');
  return [...found].map(([name, form]) => ({ name, form }));
}
