import * as z from 'zod';
import { withoutSteering } from '../destination/steering.ts';
import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';
import { chooseModel } from './choose-model.ts';
import type { Family } from './family.ts';
import { familyOf } from './family.ts';
import { settledName, settleParameters } from './parameters.ts';

/**
 * A parameter as somebody is asked for it. `word`: any single word, of which some are known; makers
 * of models add to them. Bounds are those of the provider's own documentation, and only where it
 * refuses what is beyond.
 */
export type ParameterFact = { readonly name: string } & (
  | { readonly kind: 'number'; readonly min: number; readonly max?: number }
  | { readonly kind: 'whole'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'flag' }
  /** `holds`: what the JSON is at its top. */
  | { readonly kind: 'json'; readonly holds: 'object' | 'texts' }
);

const temperature = (max?: number): ParameterFact => ({
  ...{ name: 'temperature', kind: 'number', min: 0 },
  ...(max !== undefined && { max }),
});
const maxTokens: ParameterFact = { name: 'max_tokens', kind: 'whole', min: 1 };
const topP: ParameterFact = { name: 'top_p', kind: 'number', min: 0, max: 1 };
const topK: ParameterFact = { name: 'top_k', kind: 'whole', min: 0 };
const penalties = (min: number, max: number): readonly ParameterFact[] => [
  { name: 'frequency_penalty', kind: 'number', min, max },
  { name: 'presence_penalty', kind: 'number', min, max },
];
const seed: ParameterFact = { name: 'seed', kind: 'whole' };
const stop: ParameterFact = { name: 'stop', kind: 'json', holds: 'texts' };
const effort: ParameterFact = {
  ...{ name: 'reasoning_effort', kind: 'word' },
  words: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'],
};
const parallel: ParameterFact = { name: 'parallel_tool_calls', kind: 'flag' };
const object = (name: string): ParameterFact => ({ name, kind: 'json', holds: 'object' });
const format = object('response_format');

/** What each family takes, in the order in which it is asked for. */
const facts: Readonly<Record<Family, readonly ParameterFact[]>> = {
  openai: [
    ...[temperature(2), maxTokens, topP, effort],
    { name: 'verbosity', kind: 'word', words: ['low', 'medium', 'high'] },
    ...[...penalties(-2, 2), seed, stop, parallel],
    { name: 'service_tier', kind: 'word', words: ['auto', 'default', 'flex', 'priority'] },
    format,
  ],
  // Servers of all makers: what is too much for one is nothing for another.
  compatible: [
    ...[temperature(), maxTokens, topP, effort, ...penalties(-2, 2), seed, stop, parallel, format],
  ],
  anthropic: [
    ...[temperature(1), maxTokens, topP, topK, object('thinking'), stop, parallel, format],
  ],
  google: [
    ...[temperature(2), maxTokens, topP, topK, object('thinking_config'), ...penalties(-2, 2)],
    ...[seed, stop, format],
  ],
  bedrock: [
    ...[temperature(1), maxTokens, topP, stop, object('additionalModelRequestFields'), format],
  ],
  mistral: [
    ...[temperature(1.5), maxTokens, topP, ...penalties(-2, 2)],
    { name: 'seed', kind: 'whole', min: 0 },
    ...[stop, parallel, { name: 'safe_prompt', kind: 'flag' } as const, format],
  ],
  cohere: [
    ...[temperature(), maxTokens, topP, { ...topK, max: 500 }, object('thinking')],
    ...[...penalties(0, 1), { name: 'seed', kind: 'whole', min: 0 } as const, stop, format],
  ],
  openrouter: [
    ...[temperature(2), maxTokens, topP, topK, object('reasoning'), ...penalties(-2, 2)],
    ...[seed, stop, parallel, format],
  ],
};

/** OpenAI's Responses API has fewer, and leaves out what it doesn't have. */
const notInResponses = new Set([
  ...['frequency_penalty', 'presence_penalty', 'seed', 'stop', 'verbosity'],
]);
/** APIs that make something else than an answer in words: nothing is known of what they take. */
const withoutFacts = new Set(['images', 'video', 'speech']);

interface Model {
  readonly provider: string;
  readonly name: string;
  readonly apiType: string | undefined;
}

function factsOf(model: Model): readonly ParameterFact[] {
  const { apiType } = model;
  if (apiType !== undefined && withoutFacts.has(apiType)) return [];
  const family = familyOf(model);
  const all = facts[family];
  return family === 'openai' && apiType === 'responses'
    ? all.filter(({ name }) => !notInResponses.has(name))
    : all;
}

const numeric = (schema: z.ZodNumber, { min, max }: { min?: number; max?: number }) => {
  const above = min === undefined ? schema : schema.min(min);
  return max === undefined ? above : above.max(max);
};

/** What a value of a parameter must be. */
export function schemaOf(fact: ParameterFact): z.ZodType {
  switch (fact.kind) {
    case 'number':
      return numeric(z.number(), fact);
    case 'whole':
      return numeric(z.int(), fact);
    case 'word':
      return z.string().regex(/^\S{1,100}$/);
    case 'flag':
      return z.boolean();
    case 'json':
      return fact.holds === 'texts'
        ? z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])
        : z.record(z.string(), z.unknown());
  }
}

/** A parameter of a prompt's model, with the value that it has there. */
export interface ModelParameter {
  readonly fact: ParameterFact;
  /** As the prompt has it, or as the provider calls it: the name to override it by. */
  readonly name: string;
  /** Undefined: the prompt doesn't set it. */
  readonly own: unknown;
}

export interface ModelParameters {
  readonly provider: string;
  readonly model: string;
  readonly parameters: readonly ModelParameter[];
  /** Parameters of the prompt that nothing is known of, or not of such a value: they stay. */
  readonly others: Mapping;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * The parameters that a prompt's model takes, with the prompt's own values: those that a run with
 * this choice of a model would use. Undefined: there is no model.
 */
export function modelParametersOf(
  metadata: Mapping | null,
  choice: { readonly provider?: string | undefined; readonly model?: string | undefined } = {},
): ModelParameters | undefined {
  const { model } = chooseModel(metadata, choice);
  if (model === undefined) return undefined;
  const { kept } = withoutSteering(model.parameters);
  const own = settleParameters(kept);
  const spelled = spellingsOf(metadata);
  const known = factsOf({ ...model, apiType: textOf(model.apiType)?.replaceAll('.', '-') });
  const parameters = known.flatMap((fact): readonly ModelParameter[] => {
    const value = own[fact.name];
    const name = Object.hasOwn(own, fact.name) ? (spelled.get(fact.name) ?? fact.name) : fact.name;
    const isOdd = value !== undefined && !schemaOf(fact).safeParse(value).success;
    return isOdd ? [] : [{ fact, name, own: value }];
  });
  const shown = new Set(parameters.map(({ fact }) => fact.name));
  const others = Object.entries(own).filter(([name]) => !shown.has(name));
  return {
    ...{ provider: model.provider, model: model.name, parameters },
    others: Object.fromEntries(others.map(([name, value]) => [spelled.get(name) ?? name, value])),
  };
}

/** How a prompt spells each of its parameters, by the names of this folder. */
function spellingsOf(metadata: Mapping | null): ReadonlyMap<string, string> {
  const model = metadata?.['model'];
  const parameters = isMapping(model) ? model['parameters'] : undefined;
  const given = isMapping(parameters) ? Object.keys(parameters) : [];
  const spelled = new Map(given.map((name) => [settledName(name), name]));
  // Of two spellings at once the plain one counts.
  for (const name of given) if (settledName(name) === name) spelled.set(name, name);
  return spelled;
}
