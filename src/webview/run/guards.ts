/**
 * Checks what the extension sends: enough of its shape that nothing here can trip over it. The
 * full truth of the values is the extension's business.
 */
import {
  endingKinds,
  outputKinds,
  parameterKinds,
  parameterTargets,
  runStates,
  schemaVerdictKinds,
} from '../../protocol/run.ts';
import { toolSources } from '../../protocol/chat.ts';
import type { ParameterFault, RunPanelView, ViewEvents } from '../../protocol/run.ts';
import {
  anyOf,
  flag,
  listOf,
  nullable,
  number,
  oneOf,
  optional,
  shape,
  text,
  type Check,
} from '../common/checks.ts';
import { t } from '../common/language.ts';
import { incomingOf, readerOf } from '../common/read.ts';
import { choice, problem, runVariables } from '../common/run-checks.ts';

const page = shape({
  panelId: text,
  connectionId: text,
  promptName: text,
  choice,
  model: optional(shape({ provider: text, name: text })),
  parameters: optional(listOf(shape({ name: text, text }))),
  unpublished: optional(
    anyOf(shape({ kind: oneOf(['document']), uri: text }), shape({ kind: oneOf(['kept']) })),
  ),
});
const parameters = shape({
  provider: text,
  model: text,
  isOtherModel: flag,
  fields: listOf(
    shape({
      name: text,
      kind: oneOf(parameterKinds),
      own: text,
      min: optional(number),
      max: optional(number),
      words: optional(listOf(text)),
    }),
  ),
  others: optional(text),
  savesTo: optional(oneOf(parameterTargets)),
});
const presentation = shape({
  name: text,
  choice: text,
  version: optional(number),
  model: optional(text),
  isEditorModel: optional(flag),
  connection: shape({ name: text, local: flag }),
  isCached: optional(flag),
  ignored: optional(text),
  sentTo: optional(text),
  parameters: optional(parameters),
  variables: runVariables,
});
const status = shape({
  runId: number,
  state: oneOf(runStates),
  elapsedMs: number,
  firstTokenMs: optional(number),
  inputTokens: optional(number),
  outputTokens: optional(number),
  isEstimated: optional(flag),
  requestId: optional(number),
  priceUsd: optional(nullable(number)),
  problem: optional(problem),
  ending: optional(shape({ kind: oneOf(endingKinds), reason: text })),
  cachedAt: optional(number),
  schema: optional(shape({ kind: oneOf(schemaVerdictKinds), text: optional(text) })),
});
const part = { id: text, kind: oneOf(outputKinds), title: optional(text), text };

const progress = shape({ status, changes: listOf(shape({ ...part, replace: flag })) });
const comparisonRun = shape({
  kind: oneOf(['last', 'model']),
  title: text,
  run: shape({ status, parts: listOf(shape(part)) }),
});

const result = { text, source: oneOf(toolSources), cutFrom: optional(number) };
const chatCall = shape({
  ...{ id: text, name: text, misfit: optional(text), draft: optional(text) },
  ...{ result: optional(shape(result)), isAsked: optional(flag), problem: optional(text) },
});
const chatTurn = shape({
  ...{ id: number, parent: nullable(number), text: optional(text), status },
  results: listOf(shape({ ...result, name: text })),
  ...{ parts: listOf(shape(part)), calls: listOf(chatCall), isUsable: flag },
});
const chat = shape({
  ...{ turns: listOf(chatTurn), head: nullable(number), stopsBefore: listOf(text) },
  draft: shape({ text, edits: nullable(number) }),
});

const events: { readonly [Name in keyof ViewEvents]: Check<ViewEvents[Name]> } = {
  prompt: shape({ page, presentation: nullable(presentation), problem: nullable(problem) }),
  started: status,
  progress,
  comparisonRun: nullable(comparisonRun),
  comparisonStarted: status,
  comparisonProgress: progress,
  chat,
  chatTurn,
  chatHead: shape({ head: number }),
  chatProgress: shape({ turn: number, status, changes: listOf(shape({ ...part, replace: flag })) }),
};

const view: Check<RunPanelView> = shape({
  page,
  presentation: nullable(presentation),
  problem: nullable(problem),
  run: shape({ status, parts: listOf(shape(part)) }),
  comparisonRun: nullable(comparisonRun),
  isMarkdown: flag,
  usesCache: flag,
  chat,
});

const dataUrl = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/;
const image = shape({ source: (value): value is string => text(value) && dataUrl.test(value) });

const read = readerOf('panel');
export const asView = read(view, () => t('a prompt'));
const verdict = shape({ faults: listOf(shape({ name: text, message: text })) });
const asVerdict = read(verdict, () => t('a check of parameters'));
export const asFaults = (value: unknown): readonly ParameterFault[] => asVerdict(value).faults;
const asImage = read(image, () => t('an image'));
export const asSource = (value: unknown): string => asImage(value).source;

export const checkIncoming = incomingOf('panel', { events, requests: { start: oneOf([null]) } });
