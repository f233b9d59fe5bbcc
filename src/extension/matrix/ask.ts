import { isPromptTablesError } from '../../core/errors.ts';
import type { Client, RunChunk } from '../../core/index.ts';
import { ProviderError } from '../../core/providers/provider-error.ts';
import type { Ending } from '../../core/providers/ending.ts';
import type { RunProblem, RunVariable } from '../../protocol/run.ts';
import { valuesOf } from '../ask/run-variables.ts';
import { RunSession } from '../run-panel/session.ts';
import { unpublishedOptions } from '../run-panel/unpublished-options.ts';
import type { Blueprint } from '../shell/choice-schema.ts';
import type { Asked, Asking, Judged } from './engine.ts';
import { judgePrompt, judgmentIn } from './judge.ts';
import type { Source } from './plan.ts';
import { valueIn } from './plan.ts';
import type { Answer, Verdict } from './records.ts';
import type { Translate } from '../shell/translate.ts';
import { scoreHere } from './scorers.ts';

export interface AskParts {
  readonly client: (signal: AbortSignal) => Promise<Pick<Client, 'run'>>;
  readonly problemOf: (error: unknown) => RunProblem;
  readonly endingOf: (response: unknown) => Ending;
  readonly note: (error: unknown) => void;
  /** The window is being closed. */
  readonly isLeaving: () => boolean;
  /** A case's values as a run panel would be given them. */
  readonly filled: (variable: RunVariable, value: unknown) => RunVariable;
  /** Values with media as data. */
  readonly readMedia: (
    variables: readonly RunVariable[],
    values: Readonly<Record<string, unknown>>,
  ) => Promise<Readonly<Record<string, unknown>>>;
  readonly usesCache: () => boolean;
  readonly t: Translate;
}

/** Whatever the case, it goes the same way: a key is missing or wrong, the model or prompt isn't there. */
function isOfColumn(error: unknown): boolean {
  if (!isPromptTablesError(error)) return false;
  if (error instanceof ProviderError) {
    const { errorType, status } = error;
    return (
      errorType === 'PROVIDER_AUTH_ERROR' ||
      errorType === 'PROVIDER_QUOTA_LIMIT' ||
      status === 403 ||
      status === 404
    );
  }
  return ['authentication', 'configuration', 'not_found'].includes(error.code);
}

interface OneRun {
  readonly start: (signal: AbortSignal) => Promise<AsyncIterable<RunChunk>>;
  readonly onText: (text: string) => void;
  readonly signal: AbortSignal;
}

/** One run of a panel, without its panel: what is salvaged, counted and said of it is the same. */
function runOnce(parts: AskParts, { start, onText, signal }: OneRun): Promise<Asking> {
  const { problemOf, endingOf, note, isLeaving } = parts;
  return new Promise((resolve) => {
    let failure: unknown;
    const session = new RunSession({
      ...{ problemOf, endingOf, isLeaving },
      start: (_, stop) => start(stop),
      emit: (name) => {
        if (name === 'progress' && session.isRunning) onText(session.text);
      },
      note: (error) => {
        failure = error;
        note(error);
      },
      ...{ onState: () => undefined, save: () => undefined, onProgress: () => undefined },
      onEnd: (_, { status }) => {
        signal.removeEventListener('abort', stop);
        const { state, elapsedMs, firstTokenMs, inputTokens, outputTokens, requestId } = status;
        const { ending, problem, cachedAt, isEstimated } = status;
        const answer: Answer = {
          state: state === 'done' || state === 'failed' ? state : 'stopped',
          text: session.text,
          elapsedMs,
          ...(firstTokenMs !== undefined && { firstTokenMs }),
          ...(inputTokens !== undefined && { inputTokens }),
          ...(outputTokens !== undefined && { outputTokens }),
          ...(requestId !== undefined && { requestId }),
          ...(ending !== undefined && { ending }),
          ...(problem !== undefined && { problem }),
          ...(cachedAt !== undefined && { isCached: true }),
          ...(isEstimated !== undefined && { isEstimated }),
        };
        session.dispose();
        resolve({ answer, isOfColumn: state === 'failed' && isOfColumn(failure) });
      },
    });
    const stop = (): void => session.stop();
    signal.addEventListener('abort', stop);
    session.begin([]);
    if (signal.aborted) stop();
  });
}

/** By which the log of requests finds them. */
const tag = 'compare-many';

function taggedBlueprint({
  blueprint,
  promptName,
}: Extract<Source, { readonly kind: 'unpublished' }>) {
  const options = unpublishedOptions(blueprint, promptName);
  return { ...options, tags: [...options.tags, tag] };
}

/** Asks the model of a column about a case. */
export const askModelOf =
  (parts: AskParts) =>
  ({ column, case: one, signal, onText }: Asked): Promise<Asking> => {
    const { source, model, parameters } = column;
    const start = async (stop: AbortSignal): Promise<AsyncIterable<RunChunk>> => {
      const variables = column.variables.flatMap((variable) => {
        const found = valueIn(one.values, variable.name);
        return found === undefined ? [] : [parts.filled(variable, found.value)];
      });
      const inputVariables = await parts.readMedia(variables, valuesOf(variables, parts.t));
      const client = await parts.client(stop);
      return client.run(
        {
          promptName: source.promptName,
          ...(source.kind === 'version'
            ? { promptVersion: source.version, tags: [tag] }
            : taggedBlueprint(source)),
          ...(model !== undefined && { provider: model.provider, model: model.name }),
          ...(parameters !== undefined && { modelParameterOverrides: parameters }),
          ...{ inputVariables, stream: true as const, answerCache: parts.usesCache() },
        },
        { signal: stop },
      );
    };
    return runOnce(parts, { start, onText, signal });
  };

/** So often a scorer may take too long, and it isn't tried any more. */
const mostSlow = 3;

/** Scores an answer: here, or by a model that is asked about it. */
export function judgeBy(parts: AskParts): (judged: Judged) => Promise<Verdict> {
  const { t } = parts;
  const slow = new Map<string, number>();
  return async ({ scorer, case: one, text, signal }) => {
    const { id: scorerId } = scorer;
    if (scorer.kind !== 'assertion') {
      const problem = t('checking takes too long');
      // Each time VS Code waits for it: thousands of answers are not held up like that.
      if ((slow.get(scorerId) ?? 0) >= mostSlow) return { scorerId, problem };
      const verdict = scoreHere(scorer, text, one, t);
      if (verdict.problem === problem) slow.set(scorerId, (slow.get(scorerId) ?? 0) + 1);
      return verdict;
    }
    const promptBlueprint: Blueprint = judgePrompt(scorer, text);
    const start = async (stop: AbortSignal): Promise<AsyncIterable<RunChunk>> =>
      (await parts.client(stop)).run(
        {
          promptName: t('Assertion'),
          ...{ promptBlueprint, tags: ['assertion', tag], stream: true as const },
          answerCache: parts.usesCache(),
        },
        { signal: stop },
      );
    const { answer } = await runOnce(parts, { start, onText: () => undefined, signal });
    const { requestId } = answer;
    const asked = { scorerId, ...(requestId !== undefined && { requestId }) };
    if (answer.state !== 'done') {
      return { ...asked, problem: answer.problem?.message ?? t('It was stopped.') };
    }
    const pass = judgmentIn(answer.text);
    return pass === undefined
      ? {
          ...asked,
          problem: t('The model answered neither true nor false: {0}', answer.text.slice(0, 200)),
        }
      : { ...asked, pass };
  };
}
