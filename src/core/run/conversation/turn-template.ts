import type { Template } from '../../../api/template.ts';
import { destinationOf } from '../../destination/destination.ts';
import { argumentsFor } from '../../kwargs/arguments-for.ts';
import { chooseModel } from '../../kwargs/choose-model.ts';
import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * The prompt with other messages. Its arguments stay as they are (the service fills in tools of its
 * registry there), but for what the messages make of them.
 */
export function templateWith(template: Template, messages: readonly unknown[]): Template {
  const before = template.prompt_template;
  const prompt_template = { ...before, messages };
  const { model } = chooseModel(template.metadata ?? null, {});
  if (model === undefined) return { ...template, prompt_template };
  // Of a custom provider, the language that is spoken there.
  const spoken = { ...model, provider: destinationOf(template).client ?? model.provider };
  const old: Mapping = argumentsFor(before, spoken, undefined) ?? {};
  const made: Mapping = argumentsFor(prompt_template, spoken, undefined) ?? {};
  const changed = Object.entries(made).filter(([name, value]) => !isSame(value, old[name]));
  const given = template.llm_kwargs;
  const isAlike = isMapping(given) && changed.every(([name]) => Object.hasOwn(given, name));
  return {
    ...template,
    prompt_template,
    llm_kwargs: isAlike ? { ...given, ...Object.fromEntries(changed) } : made,
  };
}
