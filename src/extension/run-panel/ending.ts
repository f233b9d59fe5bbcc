import type { EndingKind } from '../../core/providers/ending.ts';
import { saidEnding } from '../../core/providers/ending.ts';
import type { RunEnding } from '../../protocol/run.ts';

const shown: Readonly<Record<EndingKind, RunEnding['kind'] | undefined>> = {
  complete: undefined,
  cutOff: 'length',
  refused: 'refused',
  filtered: 'filtered',
  ...{ unknown: 'other', empty: 'other', malformed: 'other', failed: 'other' },
};

/** Undefined: the answer is whole, as far as the provider says. */
export function endingOf(response: unknown): RunEnding | undefined {
  const { kind, reason } = saidEnding(response);
  const face = shown[kind];
  return face === undefined ? undefined : { kind: face, reason: reason ?? kind };
}
