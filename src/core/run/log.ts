import { NotLoggedError, TemplateError, describeError, isPromptTablesError } from '../errors.ts';
import { endingOf } from '../providers/ending.ts';
import type { Reply } from '../providers/reply.ts';
import type { Run } from './context.ts';
import type { RunResult } from './options.ts';
import type { Outcome } from './track.ts';
import { track } from './track.ts';

/** Logs a whole answer. That it can't be logged never costs the answer. */
export async function logged(
  { context, facts, place }: Run,
  response: unknown,
  reply: Reply,
  own: RunResult['prompt_blueprint'],
): Promise<RunResult> {
  const { throwOnError, logger } = context.settled;
  const ending = endingOf(response, reply);
  await place?.keep(response, ending);
  try {
    const { request_id, prompt_blueprint } = await track(context, facts, {
      ...{ kind: 'whole', response },
      ending,
    });
    const logged = facts.given.isTurn === true ? undefined : prompt_blueprint;
    return { request_id, raw_response: response, prompt_blueprint: logged ?? own };
  } catch (error) {
    const result: RunResult = {
      request_id: null,
      raw_response: response,
      prompt_blueprint: own,
    };
    const failure = new NotLoggedError(
      { kind: 'not-logged', words: describeError(error) },
      { result, cause: error, hint: { kind: 'use-result' } },
    );
    if (throwOnError) throw failure;
    logger.warn(failure.message);
    return result;
  }
}

/** Logs what did not go well, and gives its id. A failure to do so must not hide the first one. */
export async function logFailure(
  { context, facts }: Run,
  outcome: Outcome,
): Promise<number | undefined> {
  const { error } = outcome.kind === 'whole' ? { error: undefined } : outcome;
  // Nothing was sent: a missing key or a bad setting is no request.
  if (
    isPromptTablesError(error) &&
    (error.code === 'configuration' || error instanceof TemplateError)
  ) {
    return undefined;
  }
  try {
    return (await track(context, facts, outcome)).request_id;
  } catch (cause) {
    context.settled.logger.warn(`A failed request was not logged. ${describeError(cause)}`);
    return undefined;
  }
}
