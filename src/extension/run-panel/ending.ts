import type { RunEnding } from '../../protocol/run.ts';

/** How an answer ended, as providers say it, each in its own words. */

type Plain = Readonly<Record<string, unknown>>;

const plain = (value: unknown): Plain =>
  typeof value === 'object' && value !== null ? (value as Plain) : {};
const firstOf = (value: unknown): Plain => plain(Array.isArray(value) ? value[0] : undefined);
const allOf = (value: unknown): readonly Plain[] => (Array.isArray(value) ? value.map(plain) : []);

/** Ends of an answer that is whole. */
const whole = new Set([
  ...['stop', 'end_turn', 'stop_sequence', 'tool_calls', 'tool_use', 'tool_call', 'function_call'],
  ...['complete', 'completed', 'eos', 'eos_token', 'end', 'finish', 'finished', 'success'],
]);
const cutOff = new Set([
  ...['length', 'max_tokens', 'max_output_tokens', 'model_length', 'token_limit'],
  ...['model_context_window_exceeded'],
]);
const filtered = new Set([
  ...['content_filter', 'content_filtered', 'guardrail_intervened', 'error_toxic', 'safety'],
  ...['recitation', 'blocklist', 'prohibited_content', 'spii', 'image_safety', 'language'],
  ...['image_prohibited_content', 'image_recitation', 'model_armor', 'moderation'],
]);
/** What says that nothing is known. */
const unknown = new Set(['', 'finish_reason_unspecified', 'unspecified', 'null', 'in_progress']);

/** The word of the provider, wherever its answer has it. */
function reasonIn(response: unknown): string | undefined {
  const answer = plain(response);
  const inner = plain(answer['response']);
  const places = [
    // OpenAI's chat and completions, Mistral, OpenRouter, xAI, Groq, DeepSeek.
    ...allOf(answer['choices']).map((choice) => choice['finish_reason']),
    // Gemini.
    ...allOf(answer['candidates']).map(
      (candidate) => candidate['finishReason'] ?? candidate['finish_reason'],
    ),
    plain(answer['promptFeedback'])['blockReason'],
    plain(answer['prompt_feedback'])['block_reason'],
    // The responses API says that an answer is incomplete, and why beside it.
    plain(answer['incomplete_details'])['reason'],
    plain(inner['incomplete_details'])['reason'],
    // Anthropic, Bedrock, Cohere.
    answer['stop_reason'],
    plain(answer['message'])['stop_reason'],
    answer['stopReason'],
    answer['finish_reason'],
  ].filter((reason): reason is string => typeof reason === 'string');
  const said = places.filter((reason) => !unknown.has(reason.toLowerCase()));
  // Of several choices the one that is not whole counts.
  return said.find((reason) => !whole.has(reason.toLowerCase())) ?? said[0];
}

const isRefusal = (response: unknown): boolean => {
  const answer = plain(response);
  const { message } = firstOf(answer['choices']);
  const { refusal } = plain(message);
  const parts = allOf(answer['output']).flatMap(({ content }) => allOf(content));
  return (
    (typeof refusal === 'string' && refusal !== '') || parts.some(({ type }) => type === 'refusal')
  );
};

/** Undefined: the answer is whole, as far as the provider says. */
export function endingOf(response: unknown): RunEnding | undefined {
  const reason = reasonIn(response);
  const word = reason?.toLowerCase() ?? '';
  if (word === 'refusal' || isRefusal(response)) return { kind: 'refused', reason: 'refusal' };
  if (reason === undefined || whole.has(word)) return undefined;
  if (cutOff.has(word)) return { kind: 'length', reason };
  return { kind: filtered.has(word) ? 'filtered' : 'other', reason };
}
