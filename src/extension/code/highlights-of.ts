/** What of a call is colored. */
import type { CodeCall, Given } from '../../core/code-index/call.ts';
import type { Span } from '../../core/code-index/tokens.ts';

export const highlightKinds = ['name', 'label', 'variable'] as const;
type HighlightKind = (typeof highlightKinds)[number];

/** Of a string its text, of a constant its name; what is computed is left as it is. */
function spansOf(given: Given<string> | undefined): readonly Span[] {
  return given?.kind === 'literal' && given.value !== '' ? [given.inner ?? given.span] : [];
}

/** Each place once, though calls stand within calls. */
export function highlightsOf(
  calls: readonly CodeCall[],
): Readonly<Record<HighlightKind, readonly Span[]>> {
  const placed = (spans: readonly Span[]): readonly Span[] => [
    ...new Map(spans.map((span) => [span.from, span])).values(),
  ];
  return {
    name: placed(calls.flatMap(({ name }) => spansOf(name))),
    label: placed(calls.flatMap(({ label }) => spansOf(label))),
    variable: placed(
      calls.flatMap(({ variables }) => (variables?.entries ?? []).map(({ span }) => span)),
    ),
  };
}
