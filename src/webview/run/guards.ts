/**
 * Checks what the extension sends: enough of its shape that nothing here can trip over it. The
 * full truth of the values is the extension's business.
 */
import { endingKinds, outputKinds, runStates } from '../../protocol/run.ts';
import type { RunPanelView, ViewEvents } from '../../protocol/run.ts';
import {
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
import { choice, problem, runVariables } from '../common/run-checks.ts';

const page = shape({
  panelId: text,
  connectionId: text,
  promptName: text,
  choice,
  model: optional(shape({ provider: text, name: text })),
  unpublished: optional(shape({ kind: oneOf(['document', 'kept']), uri: optional(text) })),
});
const face = shape({
  name: text,
  choice: text,
  version: optional(number),
  model: optional(text),
  connection: shape({ name: text, local: flag }),
  isCached: optional(flag),
  ignored: optional(text),
  sentTo: optional(text),
  variables: runVariables,
});
const status = shape({
  runId: number,
  state: oneOf(runStates),
  elapsedMs: number,
  firstTokenMs: optional(number),
  inputTokens: optional(number),
  outputTokens: optional(number),
  requestId: optional(number),
  priceUsd: optional(nullable(number)),
  problem: optional(problem),
  ending: optional(shape({ kind: oneOf(endingKinds), reason: text })),
});
const part = { id: text, kind: oneOf(outputKinds), title: optional(text), text };

const progress = shape({ status, changes: listOf(shape({ ...part, replace: flag })) });
const rival = shape({
  kind: oneOf(['last', 'model']),
  title: text,
  run: shape({ status, parts: listOf(shape(part)) }),
});

const events: { readonly [Name in keyof ViewEvents]: Check } = {
  prompt: shape({ page, face: nullable(face), problem: nullable(problem) }),
  started: status,
  progress,
  rival: nullable(rival),
  rivalStarted: status,
  rivalProgress: progress,
};

const view = shape({
  page,
  face: nullable(face),
  problem: nullable(problem),
  run: shape({ status, parts: listOf(shape(part)) }),
  rival: nullable(rival),
  isMarkdown: flag,
});

const misfit = (what: string): Error =>
  new Error(
    t('The extension sent {0} that the panel does not understand. Reload the window.', what),
  );

export function asView(value: unknown): RunPanelView {
  if (!view(value)) throw misfit(t('a prompt'));
  return value as RunPanelView;
}

export function asSource(value: unknown): string {
  if (!shape({ source: text })(value)) throw misfit(t('an image'));
  const { source } = value as { readonly source: string };
  if (!/^data:image\/(?:png|jpeg|gif|webp|avif);base64,/.test(source)) throw misfit(t('an image'));
  return source;
}

export function checkIncoming(kind: 'request' | 'event', name: string, payload: unknown): unknown {
  const check: Check | undefined =
    kind === 'request'
      ? name === 'start'
        ? (value) => value === null
        : undefined
      : Object.hasOwn(events, name)
        ? events[name as keyof ViewEvents]
        : undefined;
  if (check?.(payload) !== true) throw misfit(`"${name}"`);
  return payload;
}
