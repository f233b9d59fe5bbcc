import type { RequestMetrics } from '../../api/cell.ts';
import type { PromptTemplate } from '../../api/template.ts';
import { describeError } from '../../core/errors.ts';
import { errorTypeOfThrown } from '../../core/providers/provider-error.ts';
import { emptyReply } from '../../core/providers/reply.ts';
import { insertRequest } from '../requests/insert-request.ts';
import { replyTemplate } from '../requests/reply-of.ts';
import type { LogServices } from '../requests/track-run.ts';
import { usageOf } from '../requests/usage.ts';
import type { CallKey } from '../engine/kept-calls.ts';
import { keepCall } from '../engine/kept-calls.ts';
import { jsonFromText } from '../engine/columns/json.ts';
import type { EmbedOrder } from '../engine/prompts.ts';
import type { Embedded } from './models.ts';

const inputOf = (texts: readonly string[]): PromptTemplate => ({
  type: 'chat',
  messages: texts.map((text) => ({ role: 'user', content: [{ type: 'text', text }] })),
  input_variables: [],
});

/**
 * Writes down that texts were turned into vectors. The vectors themselves are kept only until the
 * cell has them.
 */
export async function logEmbedding(
  services: LogServices,
  workspaceId: number,
  { texts, callContext }: EmbedOrder,
  { model: { provider, name: model }, outcome, startedAt, endedAt }: Embedded,
  key: CallKey,
): Promise<RequestMetrics> {
  const isWhole = outcome.kind === 'whole';
  const response = isWhole ? outcome.response : undefined;
  const usage = usageOf(response);
  // Vectors are no tokens: that none are counted is no gap.
  const price = await services.prices.priceOf(
    { provider, model, at: startedAt },
    { ...usage, outputTokens: usage.outputTokens ?? 0 },
  );
  return services.database.transaction(async (session) => {
    const requestId = await insertRequest(session, workspaceId, {
      provider,
      model,
      functionName: 'openai.embeddings.create',
      apiType: 'embeddings',
      prompt: undefined,
      status: isWhole ? 'SUCCESS' : 'ERROR',
      errorType: isWhole ? null : errorTypeOfThrown(outcome.error),
      errorMessage: isWhole ? null : describeError(outcome.error),
      input: inputOf(texts),
      output: replyTemplate('chat', emptyReply),
      parameters: {},
      response: response ?? {},
      variables: {},
      metadata:
        callContext.budgetOwner.kind !== 'operation' ? callContext.budgetOwner.metadata : {},
      tags: [],
      scores: {},
      usage,
      price,
      startedAt,
      endedAt,
      groupId: null,
      traceId: null,
      spanId: null,
    });
    const metrics: RequestMetrics = {
      request_count: 1,
      request_ids: [requestId],
      latency_ms: endedAt - startedAt,
      price,
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      trace_ids: [],
    };
    if (isWhole) {
      const kept = JSON.stringify({ vectors: outcome.vectors, metrics });
      await keepCall(session, key, jsonFromText(kept));
    }
    return metrics;
  });
}
