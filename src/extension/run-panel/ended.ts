import type { PromptPresentation, RunPageState, RunVariable } from '../../protocol/run.ts';
import type { App } from '../shell/app.ts';
import type { Blueprint } from '../shell/choice-schema.ts';
import { choiceText, modelOf } from '../ask/pick-prompt.ts';
import type { EndedRun } from '../kept-runs/run-history.ts';
import { placeOf } from '../panels/run-problem.ts';
import type { RunRecord } from './records.ts';

/**
 * A run of a prompt as the history keeps it. `page`: what it was begun with, though something else
 * may be chosen by now, which `presentation` is of then.
 */
export function endedPrompt(
  app: App,
  page: RunPageState,
  presentation: PromptPresentation | null,
  variables: readonly RunVariable[],
  record: RunRecord,
  blueprint: Blueprint | undefined,
): EndedRun {
  const { connectionId, promptName: name, choice, unpublished, parameters } = page;
  const { model: askedModel } = page;
  const { state, elapsedMs, inputTokens, outputTokens, requestId, problem, ending } = record.status;
  const isUnpublished = unpublished !== undefined;
  const own =
    !isUnpublished && presentation?.choice === choiceText(choice) ? presentation : undefined;
  const version = choice.kind === 'version' && !isUnpublished ? choice.version : own?.version;
  const model = askedModel?.name ?? own?.model ?? (blueprint && modelOf(blueprint));
  const output = record.parts
    .filter(({ kind }) => kind !== 'thinking' && kind !== 'image')
    .map(({ text }) => text)
    .join('\n\n');
  return {
    ...{ kind: 'prompt', connectionId, name, choice, state, elapsedMs },
    workspace: placeOf(app, connectionId).name,
    startedAt: Date.now() - elapsedMs,
    ...(isUnpublished && { isUnpublished }),
    ...(version !== undefined && { version }),
    ...(model !== undefined && { model }),
    ...(askedModel !== undefined && { askedModel }),
    ...(parameters !== undefined && { parameters }),
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(requestId !== undefined && { requestId }),
    ...(problem !== undefined && { problem: problem.message }),
    ...(ending !== undefined && { ending }),
    detail: { variables, output, record, ...(blueprint !== undefined && { blueprint }) },
  };
}
