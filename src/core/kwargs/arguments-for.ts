import type { PromptTemplate } from '../../api/template.ts';
import type { Mapping } from '../mapping.ts';
import { fillSchema } from '../templates/schema-variables.ts';
import type { ChosenModel } from './family.ts';
import { kwargsOf } from './kwargs.ts';

/** Arguments of a call for a template that is rendered already, or is to stay unrendered. */
export function argumentsFor(
  template: PromptTemplate,
  model: ChosenModel | undefined,
  variables: Mapping | undefined,
): Mapping | null {
  if (model === undefined) return null;
  const format = model.parameters['response_format'];
  if (variables === undefined || format === undefined) return kwargsOf(template, model);
  const filled = fillSchema(format, variables, ['response_format']);
  return kwargsOf(template, {
    ...model,
    parameters: { ...model.parameters, response_format: filled },
  });
}
