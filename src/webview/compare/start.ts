import type {
  ComparisonEvents,
  ComparisonRequests,
  ComparisonView,
  RowFilter,
} from '../../protocol/compare.ts';
import { rowFilters } from '../../protocol/compare.ts';
import { el } from '../common/dom.ts';
import { openFrame } from '../common/frame.ts';
import type { Page } from '../common/page.ts';
import { asView, checkIncoming } from './guards.ts';
import { RowsView } from './rows-view.ts';

function positionIn(state: unknown): number {
  const { position } = (state ?? {}) as { readonly position?: unknown };
  return Number.isSafeInteger(position) && Number(position) >= 0 ? Number(position) : 0;
}

function filterIn(state: unknown): RowFilter {
  const { filter } = (state ?? {}) as { readonly filter?: unknown };
  return rowFilters.find((one) => one === filter) ?? 'all';
}

/** Changes come in swarms. */
const pauseMs = 300;

/** Puts the comparison of two columns into the page and connects it. */
export function startComparison(page: Page): () => void {
  const { root, state } = page;
  const frame = openFrame<ComparisonRequests, ComparisonEvents>(page, {
    handlers: {},
    listeners: { changed: () => readAnew() },
    check: checkIncoming,
  });
  const { channel, problems, signal, open, end } = frame;
  const body = el('div', 'comparison');
  root.replaceChildren(el('main', 'view', {}, [problems.element, body]));

  /** Of the view that is shown: it ends when the sheet is read anew. */
  let shown = new AbortController();
  const chosenScores = { left: '', right: '' };
  let pause: ReturnType<typeof setTimeout> | undefined;
  const read = async (): Promise<ComparisonView> => asView(await channel.request('ready', null));
  function readAnew(): void {
    clearTimeout(pause);
    pause = setTimeout(() => open(read, show), pauseMs);
  }
  signal.addEventListener('abort', () => clearTimeout(pause));

  function show(view: ComparisonView): void {
    const isFirst = body.childElementCount === 0;
    shown.abort();
    shown = new AbortController();
    const ending = AbortSignal.any([signal, shown.signal]);
    const rows = new RowsView({ view, frame, state, chosenScores, signal: ending });
    body.replaceChildren(...rows.parts);
    rows.begin(positionIn(state.get()), filterIn(state.get()));
    if (isFirst) rows.focus();
  }

  open(read, show);
  return end;
}
