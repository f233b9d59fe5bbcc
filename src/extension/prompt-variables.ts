import type { RunVariable } from '../protocol/run.ts';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const namesIn = (value: unknown): readonly string[] =>
  listOf(value).filter((name) => typeof name === 'string');

/** Names of a template's variables, in the order of its messages, and what each is given as. */
export function variablesOf({
  prompt_template: prompt,
}: {
  readonly prompt_template: Readonly<Record<string, unknown>>;
}): readonly RunVariable[] {
  const kinds = new Map<string, RunVariable['kind']>();
  const add = (name: string, kind: RunVariable['kind']): void => {
    if (!kinds.has(name)) kinds.set(name, kind);
  };
  for (const message of listOf(prompt['messages']).filter(isRecord)) {
    const { role, name } = message;
    // Its value is a list of messages.
    if (role === 'placeholder' && typeof name === 'string') add(name, 'json');
    for (const each of namesIn(message['input_variables'])) add(each, 'text');
  }
  for (const tool of listOf(prompt['tools']).filter(isRecord)) {
    if (tool['type'] === 'variable' && typeof tool['name'] === 'string') add(tool['name'], 'json');
  }
  for (const name of namesIn(prompt['input_variables'])) add(name, 'text');
  return [...kinds].map(([name, kind]) => ({ name, kind, text: '' }));
}
