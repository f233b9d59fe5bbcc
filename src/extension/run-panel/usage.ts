/** Tokens as providers count them, each in its own words. */

import type { Mapping } from '../../core/mapping.ts';
import { isMapping } from '../../core/mapping.ts';

export interface Tokens {
  readonly input?: number;
  readonly output?: number;
  /** Counted by somebody else than who bills for them. */
  readonly isEstimated?: boolean;
}

const plain = (value: unknown): Mapping => (isMapping(value) ? value : {});

/** The sum of those of the fields that are numbers; undefined when none is. */
function sum(counts: Mapping, ...fields: readonly string[]): number | undefined {
  const numbers = fields.map((field) => counts[field]).filter((value) => typeof value === 'number');
  return numbers.length === 0 ? undefined : numbers.reduce((total, value) => total + value, 0);
}

/** Input, then output: the first line of which anything is there counts. */
const spellings: readonly (readonly [readonly string[], readonly string[]])[] = [
  // OpenAI's chat API, Mistral, OpenRouter, xAI, Groq, DeepSeek.
  [['prompt_tokens'], ['completion_tokens']],
  // Gemini counts what it thought apart.
  [
    ['promptTokenCount', 'toolUsePromptTokenCount'],
    ['candidatesTokenCount', 'thoughtsTokenCount'],
  ],
  [
    ['prompt_token_count', 'tool_use_prompt_token_count'],
    ['candidates_token_count', 'thoughts_token_count'],
  ],
  // Anthropic counts what came out of its cache, or went into it, apart; the responses API does not.
  [['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'], ['output_tokens']],
  [['inputTokens', 'cacheReadInputTokens', 'cacheWriteInputTokens'], ['outputTokens']],
];

/** From the whole answer of any provider. What it does not tell stays absent, never zero. */
export function tokensOf(response: unknown): Tokens {
  const whole = plain(response);
  const usage = plain(whole['usage']);
  return { ...countsIn(whole, usage), ...(usage['estimated'] === true && { isEstimated: true }) };
}

function countsIn(whole: Mapping, usage: Mapping): Tokens {
  const places = [
    usage,
    // Cohere.
    plain(usage['tokens']),
    plain(plain(whole['meta'])['tokens']),
    plain(whole['usageMetadata']),
    plain(whole['usage_metadata']),
    plain(plain(whole['response'])['usage']),
    plain(plain(whole['message'])['usage']),
  ];
  for (const place of places) {
    for (const [inputs, outputs] of spellings) {
      const input = sum(place, ...inputs);
      const output = sum(place, ...outputs);
      if (input === undefined && output === undefined) continue;
      // Servers that do not count fill in zeros.
      if (input === 0 && (output ?? 0) === 0) continue;
      return {
        ...(input !== undefined && { input }),
        ...(output !== undefined && { output }),
      };
    }
  }
  return {};
}
