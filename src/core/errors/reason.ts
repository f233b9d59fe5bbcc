import { callAdvice } from './advice/calls.ts';
import { providerAdvice } from './advice/providers.ts';
import { serviceAdvice } from './advice/service.ts';
import { callReasons } from './reasons/calls.ts';
import { optionReasons } from './reasons/options.ts';
import { providerReasons } from './reasons/providers.ts';
import { serviceReasons } from './reasons/service.ts';
import { templateReasons } from './reasons/templates.ts';
import { workflowReasons } from './reasons/workflows.ts';
import type { Entry, SdkKind, Told } from './texts.ts';
import { fill, textFor } from './texts.ts';

/** Every text that an error of the core can have, by its kind. */
export const reasons = {
  ...serviceReasons,
  ...optionReasons,
  ...callReasons,
  ...providerReasons,
  ...templateReasons,
  ...workflowReasons,
};

/** Everything that an error advises, by its kind. */
export const advice = { ...serviceAdvice, ...callAdvice, ...providerAdvice };

type ReasonKind = keyof typeof reasons;
type AdviceKind = keyof typeof advice;

/** Why it failed: a kind, and what its message is filled in with. */
export type ErrorReason = { [Kind in ReasonKind]: Told<typeof reasons, Kind> }[ReasonKind];
/** What the reader can do about it: a kind, and what the hint is filled in with. */
export type ErrorAdvice = { [Kind in AdviceKind]: Told<typeof advice, Kind> }[AdviceKind];

export type SdkReason = SdkKind<typeof reasons>;
export type SdkAdvice = SdkKind<typeof advice>;
export type ReasonOf<Kind extends ReasonKind> = Told<typeof reasons, Kind>;
export type AdviceOf<Kind extends AdviceKind> = Told<typeof advice, Kind>;

const entryOf = (table: Readonly<Record<string, Entry>>, kind: string): Entry | undefined =>
  Object.hasOwn(table, kind) ? table[kind] : undefined;

/** Undefined for what another version of the core knows and this one does not. */
export const reasonEntry = (kind: string): Entry | undefined => entryOf(reasons, kind);
export const adviceEntry = (kind: string): Entry | undefined => entryOf(advice, kind);

export const messageOf = (reason: ErrorReason): string =>
  fill(textFor(reasons[reason.kind], reason), reason);
export const hintOf = (given: ErrorAdvice): string =>
  fill(textFor(advice[given.kind], given), given);
