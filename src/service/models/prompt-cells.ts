import * as z from 'zod';
import { RequestMetrics } from '../../api/cell.ts';
import type { PromptTemplate, Template } from '../../api/template.ts';
import { describeError, hasErrorCode, isPromptTablesError } from '../../core/errors.ts';
import type { Mapping } from '../../core/mapping.ts';
import { describeEnding, isAnswer } from '../../core/providers/ending.ts';
import type { LookUp } from '../../core/options.ts';
import type { HostProvider } from '../../core/providers/host/host-provider.ts';
import { ProviderError } from '../../core/providers/provider-error.ts';
import { isUnreached } from '../../core/providers/unreached.ts';
import type { ModelCall } from '../../core/providers/provider.ts';
import type { Reply } from '../../core/providers/reply.ts';
import type { Outcome } from '../../core/run/track.ts';
import type { CallKey } from '../engine/kept-calls.ts';
import { callKey, findCall, keepCall } from '../engine/kept-calls.ts';
import { CellProblem } from '../engine/problem.ts';
import type {
  EmbedOrder,
  BudgetOwner,
  PromptOrder,
  PromptRunner,
  Said,
  TextVectors,
  WorkflowOrder,
} from '../engine/prompts.ts';
import { Metered, MeteredProblem } from '../engine/prompts.ts';
import { jsonFromText, type Json } from '../engine/columns/json.ts';
import { Problem, ValidationProblem } from '../http/problem.ts';
import type { Log } from '../log.ts';
import type { Observer } from '../observe/observer.ts';
import { getPrompt } from '../prompts/get-prompt.ts';
import { chooseModel } from '../../core/kwargs/choose-model.ts';
import { argumentsFor, renderTemplate } from '../prompts/render.ts';
import { resolveSnippets } from '../prompts/resolve-snippets.ts';
import type { Prices } from '../requests/prices.ts';
import type { TrackedRun } from '../requests/track-run.ts';
import { trackRun } from '../requests/track-run.ts';
import { hasEstimatedUsage, usageOf } from '../requests/usage.ts';
import type { Database } from '../store/database.ts';
import { patiently } from '../store/patiently.ts';
import type { Reservation } from './ledger.ts';
import { Ledger } from './ledger.ts';
import { mostAtOnce, usualLimits, type ModelLimits } from './limits.ts';
import { logEmbedding } from './log-embedding.ts';
import { runWorkflowCell } from './workflow-cells.ts';
import type { Asked, Embedded } from './models.ts';
import { Models } from './models.ts';

interface PromptCellsOptions {
  readonly database: Database;
  readonly log: Log;
  readonly prices: Prices;
  readonly limits?: ModelLimits | undefined;
  readonly allowedHosts?: readonly string[] | undefined;
  readonly observer?: Observer;
  /** Where keys of providers are found. Default: the environment of the process. */
  readonly lookUp?: LookUp | undefined;
  /** For what a window in Restricted Mode has begun. */
  readonly restrictedLookUp?: LookUp | undefined;
  /** Asks language models of VS Code, and how many requests they may get at the same time. */
  readonly askWindow?: HostProvider | undefined;
  readonly windowRequests?: (() => number) | undefined;
}

/** Anything that JSON can hold, as JSON: what the engine keeps in cells. */
const jsonOf = (value: unknown): Json => jsonFromText(JSON.stringify(value ?? null));

/** What a reader expects in a cell: the text; without one, the calls of tools. */
function valueOf({ content, tool_calls: calls }: Reply): Json {
  const texts = content.flatMap((part) =>
    part['type'] === 'text' && typeof part['text'] === 'string' ? [part['text']] : [],
  );
  if (texts.length > 0) return texts.join('');
  if (calls.length > 0) return jsonOf(calls);
  return content.length === 0 ? null : jsonOf(content);
}

/** A conversation that goes on after the messages of a template. */
function continued(template: PromptTemplate, history: readonly Said[]): PromptTemplate {
  if (template.type !== 'chat') {
    throw new CellProblem(
      'prompt_invalid',
      'A conversation needs a chat prompt, not a completion.',
    );
  }
  const said = history.map(({ role, content }) => ({
    role,
    content: [{ type: 'text', text: content }],
  }));
  return { ...template, messages: [...(template['messages'] as unknown[]), ...said] };
}

/** Why no request was sent. Throws when it was cancelled. */
function notAsked(error: unknown, signal: AbortSignal): unknown {
  signal.throwIfAborted();
  if (!isPromptTablesError(error)) return error;
  const code = isUnreached(error) ? 'model_failed' : 'no_model';
  return new CellProblem(code, describeError(error), { cause: error });
}

/** `problem`: why the answer is none. */
const KeptRun = z.object({
  value: z.unknown(),
  metrics: RequestMetrics,
  problem: z.string().optional(),
});

/** Why an answer is none; undefined for one that can be used, if only by half. */
const problemOf = (outcome: Outcome, provider: string): string | undefined =>
  outcome.kind === 'whole' && !isAnswer(outcome.ending)
    ? describeEnding(outcome.ending, provider)
    : undefined;

/** What a cell gets of an answer that was paid for. */
function meteredOf({ value, metrics, problem }: z.output<typeof KeptRun>): Metered {
  if (problem !== undefined) throw new MeteredProblem(problem, metrics);
  return new Metered(value as Json, metrics);
}
const KeptVectors = z.object({ vectors: z.array(z.array(z.number())), metrics: RequestMetrics });

/** What a request has cost that is over; null when nobody knows. Refused ones cost nothing. */
function costOf(
  outcome: Outcome | Embedded['outcome'],
  price: number | null | undefined,
): number | null {
  if (typeof price === 'number') return price;
  const error = outcome.kind === 'failed' ? outcome.error : undefined;
  return error instanceof ProviderError && error.status !== undefined ? 0 : null;
}

/** What goes with a request. */
interface Hooks<Answer, Result> {
  readonly beforeSending: (call: ModelCall) => Promise<void>;
  readonly settle: (answer: Answer) => Promise<Result>;
}

/** Asks models for cells and for nodes of workflows: renders, asks, logs. */
export class PromptCells implements PromptRunner {
  readonly mostAtOnce: number;
  readonly #options: PromptCellsOptions;
  readonly #models: Models;
  readonly #ledger: Ledger;
  readonly #workspaces = new Map<number, number>();

  constructor(options: PromptCellsOptions) {
    this.#options = options;
    this.mostAtOnce = mostAtOnce(options.limits ?? usualLimits);
    this.#models = new Models(options);
    this.#ledger = new Ledger(options.database, options.log, options.prices);
  }

  async run(order: PromptOrder): Promise<Json | Metered> {
    const { variables, signal, onBegin, callContext } = order;
    const number = callContext.nextNumber();
    const workspaceId = await this.#workspaceOf(callContext.budgetOwner);
    const template = await this.#render(workspaceId, order);
    if (order.templateOnly) return jsonOf(template.prompt_template);
    const asks = [template.llm_kwargs, template.metadata, template.prompt_template, order.verbose];
    const key = callKey(callContext, number, asks);
    const kept = await this.#keptRun(key);
    if (kept !== undefined) return kept;
    return this.#paying(
      order,
      (hooks) =>
        this.#models.ask(template, {
          ...{ variables, signal, onBegin, overrides: order.model.parameters },
          ...{ isRestricted: callContext.budgetOwner.isRestricted, ...hooks },
        }),
      (asked: Asked) =>
        patiently(
          async (isAgain) =>
            (isAgain ? await this.#keptRun(key) : undefined) ??
            this.#settle(workspaceId, order, key, asked),
        ),
    );
  }

  async embed(order: EmbedOrder): Promise<TextVectors> {
    const { texts, signal, onBegin, callContext } = order;
    const key = callKey(callContext, callContext.nextNumber(), texts);
    const workspaceId = await this.#workspaceOf(callContext.budgetOwner);
    const kept = await this.#keptVectors(key);
    if (kept !== undefined) return kept;
    return this.#paying(
      order,
      (hooks) =>
        this.#models.embed(texts, {
          ...{ signal, onBegin, isRestricted: callContext.budgetOwner.isRestricted },
          ...hooks,
        }),
      (embedded: Embedded) =>
        patiently(async (isAgain) => {
          const stored = isAgain ? await this.#keptVectors(key) : undefined;
          if (stored !== undefined) return stored;
          const { outcome } = embedded;
          const metrics = await logEmbedding(this.#options, workspaceId, order, embedded, key);
          if (outcome.kind === 'whole') return { vectors: outcome.vectors, metrics };
          throw new MeteredProblem(describeError(outcome.error), metrics, { cause: outcome.error });
        }),
    );
  }

  /** What an earlier attempt has paid for. */
  async #keptRun(key: CallKey): Promise<Metered | undefined> {
    const kept = KeptRun.safeParse(await findCall(this.#options.database, key));
    return kept.success ? meteredOf(kept.data) : undefined;
  }

  async #keptVectors(key: CallKey): Promise<TextVectors | undefined> {
    const kept = KeptVectors.safeParse(await findCall(this.#options.database, key));
    return kept.success ? kept.data : undefined;
  }

  async runWorkflow(order: WorkflowOrder): Promise<Metered> {
    const workspaceId = await this.#workspaceOf(order.tools.callContext.budgetOwner);
    return runWorkflowCell(this.#options.database, workspaceId, order);
  }

  close(): Promise<void> {
    return this.#models.close();
  }

  /** Asks within the ceiling of whoever pays, and counts what it has cost. */
  async #paying<
    Answer extends { readonly outcome: Outcome | Embedded['outcome'] },
    Result extends { readonly metrics: RequestMetrics },
  >(
    { callContext, signal }: Pick<PromptOrder, 'callContext' | 'signal'>,
    ask: (hooks: Hooks<Answer, Result>) => Promise<Result>,
    settle: (answer: Answer) => Promise<Result>,
  ): Promise<Result> {
    const held: { reservation?: Reservation; answer?: Answer } = {};
    // Nothing, until something has been sent.
    let price: number | null = 0;
    try {
      return await ask({
        beforeSending: async (call) => {
          held.reservation = await this.#ledger.reserve(callContext.budgetOwner, call, signal);
        },
        settle: async (answer) => {
          held.answer = answer;
          price = null;
          const result = await settle(answer);
          price = costOf(answer.outcome, result.metrics.price);
          return result;
        },
      });
    } catch (error) {
      if (held.answer === undefined) throw notAsked(error, signal);
      if (error instanceof MeteredProblem) {
        price = costOf(held.answer.outcome, error.metrics.price);
      }
      throw error;
    } finally {
      await held.reservation?.settle(price);
    }
  }

  async #settle(
    workspaceId: number,
    order: PromptOrder,
    key: CallKey,
    { outcome, reply, tracked, latencyMs }: Asked,
  ): Promise<Metered> {
    const { budgetOwner } = order.callContext;
    const response = outcome.kind === 'failed' ? undefined : outcome.response;
    const usage = usageOf(response);
    const isEstimated = hasEstimatedUsage(response);
    const metricsOf = ({ requestId, price }: TrackedRun): RequestMetrics => ({
      request_count: 1,
      request_ids: [requestId],
      latency_ms: latencyMs,
      price,
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      trace_ids: [],
      ...(outcome.kind === 'whole' && outcome.ending.kind === 'cutOff' && { cut_off_count: 1 }),
      ...(isEstimated && { estimated_count: 1 }),
    });
    const valueIn = (answer: Reply, { blueprint }: TrackedRun): Json =>
      order.verbose ? jsonOf(blueprint) : valueOf(answer);
    const body = {
      ...tracked,
      // A prompt that stands in the column is none of the registry.
      prompt_id: 'nameOrId' in order.template ? tracked.prompt_id : null,
      api_key: '',
      ...(budgetOwner.kind !== 'operation' && {
        metadata: { ...tracked.metadata, ...budgetOwner.metadata },
      }),
    };
    // Also when the cell was cancelled meanwhile: the request was made.
    const problem = problemOf(outcome, tracked.provider_type);
    const keptOf = (answer: Reply, logged: TrackedRun) => ({
      value: problem === undefined ? valueIn(answer, logged) : null,
      metrics: metricsOf(logged),
      ...(problem !== undefined && { problem }),
    });
    const run = await trackRun(this.#options, workspaceId, body, async (session, logged) => {
      if (reply !== undefined) await keepCall(session, key, jsonOf(keptOf(reply, logged)));
    });
    if (reply !== undefined) return meteredOf(keptOf(reply, run));
    const error = outcome.kind === 'whole' ? undefined : outcome.error;
    throw new MeteredProblem(describeError(error), metricsOf(run), { cause: error });
  }

  /** The rendered template with the arguments of its model, or of the one that is at hand. */
  async #render(workspaceId: number, order: PromptOrder): Promise<Template> {
    const { template, model } = order;
    try {
      const rendered = await this.#rendered(workspaceId, order, model);
      if (rendered.llm_kwargs !== null || order.templateOnly) return rendered;
      const { provider, name } = await this.#models.defaultModel(
        order.callContext.budgetOwner.isRestricted,
      );
      return await this.#rendered(workspaceId, order, { ...model, provider, name });
    } catch (error) {
      if (hasErrorCode(error, 'configuration')) {
        throw new CellProblem('no_model', describeError(error), { cause: error });
      }
      if (!(error instanceof Problem) && !(error instanceof ValidationProblem)) throw error;
      const name = 'nameOrId' in template ? ` "${template.nameOrId}"` : ' of the column';
      const why =
        error instanceof ValidationProblem
          ? error.detail.map(({ msg }) => msg).join(' ')
          : error.message;
      throw new CellProblem('prompt_invalid', `The prompt${name} can't be run. ${why}`, {
        cause: error,
      });
    }
  }

  #rendered(
    workspaceId: number,
    { template, variables, history }: PromptOrder,
    wanted: PromptOrder['model'],
  ): Promise<Template> {
    const choice = {
      provider: wanted.provider,
      model: wanted.name,
      model_parameter_overrides: wanted.parameters,
    };
    return this.#options.database.read(async (session) => {
      const withHistory = (rendered: PromptTemplate): PromptTemplate =>
        history === undefined ? rendered : continued(rendered, history);
      if ('nameOrId' in template) {
        const found = await getPrompt(session, workspaceId, template.nameOrId, {
          ...choice,
          version: template.version,
          label: template.label,
          inputVariables: variables,
          renders: true,
        });
        const whole = withHistory(found.template);
        return {
          id: found.prompt.id,
          prompt_name: found.prompt.name,
          version: found.version.number,
          prompt_template: whole,
          metadata: found.metadata,
          llm_kwargs:
            history === undefined
              ? found.kwargs
              : argumentsFor(whole, chooseModel(found.metadata, choice).model, variables),
        };
      }
      const own = (template.metadata ?? null) as Mapping | null;
      const { model, metadata } = chooseModel(own, choice);
      const resolved = await resolveSnippets(session, workspaceId, template.promptTemplate);
      const rendered = withHistory(
        renderTemplate(resolved.template as Template['prompt_template'], variables),
      );
      return {
        id: 0,
        prompt_name: 'inline template',
        version: null,
        prompt_template: rendered,
        metadata,
        llm_kwargs: argumentsFor(rendered, model, variables),
      };
    });
  }

  async #workspaceOf(budgetOwner: BudgetOwner): Promise<number> {
    if (budgetOwner.kind !== 'operation') return budgetOwner.workspaceId;
    const { sheetKey } = budgetOwner;
    const known = this.#workspaces.get(sheetKey);
    if (known !== undefined) return known;
    const sheet = await this.#options.database.one<{ workspace_id: number }>(
      'select workspace_id from sheets where key = ?',
      [sheetKey],
    );
    if (sheet === undefined) throw new CellProblem('internal', 'The sheet no longer exists.');
    this.#workspaces.set(sheetKey, sheet.workspace_id);
    return sheet.workspace_id;
  }
}
