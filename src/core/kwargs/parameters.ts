import type { Mapping } from '../mapping.ts';

/**
 * The names that one and the same setting has at different providers, under the one that is used
 * inside here. Any other parameter is kept under the name that it has.
 */
const spellings: Readonly<Record<string, readonly string[]>> = {
  max_tokens: [
    'maxTokens',
    'max_output_tokens',
    'maxOutputTokens',
    'max_completion_tokens',
    'maxCompletionTokens',
    'max_tokens_to_sample',
    'maxTokensToSample',
  ],
  top_p: ['topP', 'p'],
  top_k: ['topK', 'k'],
  stop: ['stop_sequences', 'stopSequences', 'stopSequence'],
  seed: ['random_seed', 'randomSeed'],
  frequency_penalty: ['frequencyPenalty'],
  presence_penalty: ['presencePenalty'],
  response_format: ['responseFormat'],
  reasoning_effort: ['reasoningEffort'],
  parallel_tool_calls: ['parallelToolCalls'],
  logit_bias: ['logitBias'],
  top_logprobs: ['topLogprobs'],
  service_tier: ['serviceTier'],
};

const settled: ReadonlyMap<string, string> = new Map(
  Object.entries(spellings).flatMap(([name, others]) => others.map((other) => [other, name])),
);

/** The name inside here of a parameter that may be spelled in a provider's way. */
export const settledName = (name: string): string => settled.get(name) ?? name;

/** Parameters by the names of this folder. A value of null means: not set. */
export function settleParameters(parameters: Mapping): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null || value === undefined) continue;
    const known = settledName(name);
    // Two spellings at once: the plain one wins, whatever their order.
    if (known !== name && Object.hasOwn(parameters, known)) continue;
    result[known] = value;
  }
  return result;
}

/** Anthropic demands a limit; every model of theirs takes this one. */
const ANTHROPIC_MAX_TOKENS = 4096;

/** What a call needs that says nothing of it. */
export const defaultParameters = (family: string): Mapping =>
  family === 'anthropic' ? { max_tokens: ANTHROPIC_MAX_TOKENS } : {};
