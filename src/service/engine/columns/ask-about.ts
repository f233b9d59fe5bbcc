import type { RequestMetrics } from '../../../api/cell.ts';
import { CellProblem } from '../problem.ts';
import { Metered, MeteredProblem } from '../prompts.ts';
import type { Tools } from './column-kind.ts';
import { toText, type Json } from './json.ts';

const message = (role: string, text: string): object => ({
  role,
  input_variables: [],
  template_format: 'f-string',
  content: [{ type: 'text', text }],
});

/**
 * Asks the model at hand something about a value. The value and the question go in as variables,
 * so that nothing in them is taken for a part of the template.
 */
export async function askAbout(
  { prompts, callContext, signal, onBegin }: Tools,
  instructions: string,
  { value, question }: { readonly value: Json; readonly question: string },
): Promise<{ readonly text: string; readonly metrics: RequestMetrics }> {
  if (prompts === undefined) {
    throw new CellProblem('not_supported', "This process doesn't call models.");
  }
  const answer = await prompts.run({
    template: {
      promptTemplate: {
        type: 'chat',
        messages: [
          message('system', instructions),
          message('user', '<question>\n{question}\n</question>\n\n<text>\n{value}\n</text>'),
        ],
        input_variables: ['question', 'value'],
      },
      metadata: undefined,
    },
    variables: { value: toText(value), question },
    model: {},
    templateOnly: false,
    verbose: false,
    callContext,
    signal,
    onBegin,
  });
  if (!(answer instanceof Metered)) {
    throw new CellProblem('internal', 'The model was not asked.');
  }
  return { text: toText(answer.value), metrics: answer.metrics };
}

const added = (left: number | null | undefined, right: number | null | undefined): number | null =>
  typeof left === 'number' && typeof right === 'number' ? left + right : null;

/** What several requests have cost together; null where one of them is not known. */
export function totalOf(all: readonly RequestMetrics[]): RequestMetrics {
  const sumOf = (name: 'cut_off_count' | 'estimated_count'): number =>
    all.reduce((sum, { [name]: count }) => sum + (count ?? 0), 0);
  const [cutOff, estimated] = [sumOf('cut_off_count'), sumOf('estimated_count')];
  const total = all.reduce((left, right) => ({
    request_count: (left.request_count ?? 0) + (right.request_count ?? 0),
    request_ids: [...(left.request_ids ?? []), ...(right.request_ids ?? [])],
    latency_ms: added(left.latency_ms, right.latency_ms),
    price: added(left.price, right.price),
    input_tokens: added(left.input_tokens, right.input_tokens),
    output_tokens: added(left.output_tokens, right.output_tokens),
    trace_ids: [],
  }));
  return {
    ...total,
    ...(cutOff > 0 && { cut_off_count: cutOff }),
    ...(estimated > 0 && { estimated_count: estimated }),
  };
}

/** What was asked before the one that failed has been paid for, too. */
export function withCost(error: unknown, paid: readonly RequestMetrics[]): never {
  if (!(error instanceof CellProblem) || paid.length === 0) throw error;
  const own = error instanceof MeteredProblem ? [error.metrics] : [];
  throw new MeteredProblem(error.message, totalOf([...paid, ...own]), { cause: error });
}
