import type { Ending } from '../../core/providers/ending.ts';
import type { EndingKind } from '../../core/providers/ending-kinds.ts';
import type { RunEnding } from '../../protocol/run.ts';

const shown: Readonly<Record<EndingKind, RunEnding['kind'] | undefined>> = {
  complete: undefined,
  cutOff: 'length',
  refused: 'refused',
  filtered: 'filtered',
  empty: 'empty',
  ...{ unknown: 'other', malformed: 'other', failed: 'other' },
};

/** What a page shows of it; undefined: the answer is whole, as far as the provider says. */
export function shownEnding({ kind, reason }: Ending): RunEnding | undefined {
  const presentation = shown[kind];
  return presentation === undefined ? undefined : { kind: presentation, reason: reason ?? kind };
}
