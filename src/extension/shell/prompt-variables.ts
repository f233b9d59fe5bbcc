import type { Mapping } from '../../core/mapping.ts';
import type { VariableForm } from '../../core/templates/prompt-variables.ts';
import { promptVariables } from '../../core/templates/prompt-variables.ts';
import type { RunVariable } from '../../protocol/run.ts';

const asTyped: Readonly<Record<VariableForm, Pick<RunVariable, 'kind' | 'as'>>> = {
  text: { kind: 'text' },
  list: { kind: 'text', as: 'list' },
  media: { kind: 'text', as: 'media' },
  messages: { kind: 'json' },
  tools: { kind: 'json' },
};

/** Names of a template's variables, in the order of its messages, and how each is typed in. */
export const variablesOf = (template: {
  readonly prompt_template: Mapping;
  readonly metadata?: Mapping | null | undefined;
}): readonly RunVariable[] =>
  promptVariables(template).map(({ name, form }) => ({ name, ...asTyped[form], text: '' }));
