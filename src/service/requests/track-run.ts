import type { PromptTemplate } from '../../api/template.ts';
import type { BodyOf } from '../../api/endpoint.ts';
import type { trackRequest } from '../../api/tracking.ts';
import { withoutSteering } from '../../core/destination/steering.ts';
import type { Mapping } from '../../core/mapping.ts';
import { isMapping, textOf, without } from '../../core/mapping.ts';
import { Problem, ValidationProblem } from '../http/problem.ts';
import { timeOf } from '../http/times.ts';
import type { FoundPrompt } from '../prompts/get-prompt.ts';
import { getPrompt } from '../prompts/get-prompt.ts';
import type { Services } from '../services.ts';
import type { Session } from '../store/database.ts';
import { blueprintOf } from './blueprint.ts';
import { inputOfKwargs } from './input-of-kwargs.ts';
import { isOfProvider, requestInside } from '../traces/same-call.ts';
import { insertRequest, replaceRequest, type NewRequest } from './insert-request.ts';
import { apiTypeOf, replyOf, replyTemplate } from './reply-of.ts';
import { usageOf } from './usage.ts';

/** What logging needs of a service: workers log too, and have no routes. */
export type LogServices = Pick<Services, 'database' | 'log' | 'prices'>;

type TrackBody = BodyOf<typeof trackRequest>;

/** Arguments that are no parameters of the model. */
const notParameters = [
  'model',
  'modelId',
  'messages',
  'input',
  'prompt',
  'contents',
  'history',
  'system',
  'system_instruction',
  'tools',
  'stream',
  'stream_options',
];

/** The prompt as it was rendered, or undefined: a log is kept whatever became of the prompt. */
async function promptOf(
  services: LogServices,
  workspaceId: number,
  body: TrackBody,
): Promise<FoundPrompt | undefined> {
  const { prompt_id: id, prompt_version: version } = body;
  if (typeof id !== 'number') return undefined;
  try {
    return await services.database.read((session) =>
      getPrompt(session, workspaceId, id, {
        version,
        inputVariables: body.prompt_input_variables ?? {},
        renders: true,
      }),
    );
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof ValidationProblem)) throw error;
    services.log.info("The prompt of a logged request can't be rendered", {
      promptId: id,
      reason: error.message,
    });
    return undefined;
  }
}

/** A group of another workspace, or none at all, is left out: the log matters more. */
async function knownGroup(
  session: Session,
  workspaceId: number,
  id: number | null | undefined,
): Promise<number | null> {
  if (id === null || id === undefined || Math.abs(id) > 2 ** 48) return null;
  const group = await session.one<{ id: number }>(
    'select id from request_groups where id = ? and workspace_id = ?',
    [id, workspaceId],
  );
  return group?.id ?? null;
}

export interface TrackedRun {
  readonly requestId: number;
  readonly blueprint: Mapping;
  readonly price: number | null;
}

/**
 * Logs a run of a template: what the provider was asked, and what it answered. `alsoKeep` writes
 * what must be there exactly when the log is.
 */
export async function trackRun(
  services: LogServices,
  workspaceId: number,
  body: TrackBody,
  alsoKeep?: (session: Session, run: TrackedRun) => Promise<void>,
): Promise<TrackedRun> {
  const startedAt = timeOf(['body', 'request_start_time'], body.request_start_time) ?? Date.now();
  const endedAt = timeOf(['body', 'request_end_time'], body.request_end_time) ?? startedAt;
  // No key and no address is kept, whatever a client sends.
  const { kept: kwargs } = withoutSteering(body.kwargs);
  const prompt = await promptOf(services, workspaceId, body);
  const ownModel = isMapping(prompt?.metadata?.['model']) ? prompt.metadata['model'] : {};
  const response = body.request_response;
  const model =
    textOf(kwargs['model']) ||
    textOf(kwargs['modelId']) ||
    textOf(ownModel['name']) ||
    (isMapping(response) ? textOf(response['model']) : '');
  const provider = body.provider_type;
  const input: PromptTemplate = prompt?.template ?? inputOfKwargs(kwargs);
  const functionName = body.function_name;
  const reply = await replyOf(
    { provider, model, functionName, type: input.type, kwargs, response },
    services.log,
  );
  const output = replyTemplate(input.type, reply);
  const usage = usageOf(response);
  const price = await services.prices.priceOf({ provider, model, at: startedAt }, usage);
  const parameters = without(kwargs, ...notParameters);
  const apiType = apiTypeOf(functionName) ?? null;
  const metadata = prompt?.metadata ?? { model: { provider, name: model, parameters } };
  const blueprint = blueprintOf(input, output, metadata);
  return services.database.shortTransaction(async (session) => {
    const logged: NewRequest = {
      provider,
      model,
      functionName,
      apiType,
      prompt: prompt && { id: prompt.prompt.id, version: prompt.version.number },
      status: body.status ?? 'SUCCESS',
      errorType: body.error_type ?? null,
      errorMessage: body.error_message ?? null,
      input,
      output,
      parameters,
      response: response ?? {},
      variables: body.prompt_input_variables ?? {},
      metadata: body.metadata ?? {},
      tags: body.tags ?? [],
      scores: {},
      usage,
      price,
      startedAt,
      endedAt,
      groupId: await knownGroup(session, workspaceId, body.group_id),
      traceId: null,
      spanId: body.span_id ?? null,
    };
    const call = { provider, model, startedAt, endedAt };
    // A prompt that the client has run has its own way to say that its spans are not to be logged.
    const inside =
      prompt || !isOfProvider(functionName, provider)
        ? undefined
        : await requestInside(session, workspaceId, body.span_id, call);
    if (inside) await replaceRequest(session, inside.id, logged);
    const requestId = inside?.id ?? (await insertRequest(session, workspaceId, logged));
    const run = { requestId, blueprint, price };
    await alsoKeep?.(session, run);
    return run;
  });
}
