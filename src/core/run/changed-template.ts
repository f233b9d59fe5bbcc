import type { Template } from '../../api/template.ts';
import { destinationOf } from '../destination/destination.ts';
import { argumentsFor } from '../kwargs/arguments-for.ts';
import { chooseModel } from '../kwargs/choose-model.ts';
import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** What the change makes of them; the service may have spelled them otherwise: undefined. */
function withChanges(given: Mapping, old: Mapping, made: Mapping): Mapping | undefined {
  const result = new Map(Object.entries(given));
  for (const name of new Set([...Object.keys(old), ...Object.keys(made)])) {
    const [value, before, after] = [given[name], old[name], made[name]];
    if (isSame(before, after)) continue;
    if (before !== undefined && value === undefined) return undefined;
    if (isMapping(value) && isMapping(before) && isMapping(after)) {
      const inner = withChanges(value, before, after);
      if (inner === undefined) return undefined;
      result.set(name, inner);
    } else if (after === undefined) result.delete(name);
    else result.set(name, after);
  }
  return Object.fromEntries(result);
}

/**
 * The prompt with other messages or tools. Its arguments stay as they are (the service fills in
 * tools of its registry there), but for what the change makes of them.
 */
export function templateWith(
  template: Template,
  change: Readonly<Record<string, unknown>>,
): Template {
  const before = template.prompt_template;
  const prompt_template = { ...before, ...change };
  const { model } = chooseModel(template.metadata ?? null, {});
  if (model === undefined) return { ...template, prompt_template };
  // Of a custom provider, the language that is spoken there.
  const spoken = { ...model, provider: destinationOf(template).client ?? model.provider };
  const old: Mapping = argumentsFor(before, spoken, undefined) ?? {};
  const made: Mapping = argumentsFor(prompt_template, spoken, undefined) ?? {};
  const given = template.llm_kwargs;
  const changed = isMapping(given) ? withChanges(given, old, made) : undefined;
  return { ...template, prompt_template, llm_kwargs: changed ?? made };
}
