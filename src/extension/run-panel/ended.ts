import type { PromptFace, RunPageState, RunVariable } from '../../protocol/run.ts';
import type { App } from '../app.ts';
import type { EndedRun } from '../run-history.ts';
import { placeOf } from '../run-problem.ts';
import type { RunRecord } from './records.ts';

/** A run of a prompt as the history keeps it. */
export function endedPrompt(
  app: App,
  { connectionId, promptName: name, choice }: RunPageState,
  face: PromptFace | null,
  variables: readonly RunVariable[],
  record: RunRecord,
): EndedRun {
  const { state, elapsedMs, inputTokens, outputTokens, requestId, problem } = record.status;
  const { version, model } = face ?? {};
  const output = record.parts
    .filter(({ kind }) => kind !== 'thinking' && kind !== 'image')
    .map(({ text }) => text)
    .join('\n\n');
  return {
    ...{ kind: 'prompt', connectionId, name, choice, state, elapsedMs },
    workspace: placeOf(app, connectionId).name,
    startedAt: Date.now() - elapsedMs,
    ...(version !== undefined && { version }),
    ...(model !== undefined && { model }),
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(requestId !== undefined && { requestId }),
    ...(problem !== undefined && { problem: problem.message }),
    detail: { variables, output, record },
  };
}
