import type {
  ComparedRow,
  ComparedSide,
  ComparisonEvents,
  ComparisonRequests,
  ComparisonView,
  RowFilter,
  Verdict,
  VerdictCounts,
} from '../../protocol/compare.ts';
import { rowFilters } from '../../protocol/compare.ts';
import { pageSize } from '../../protocol/grid.ts';
import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import { openFrame } from '../common/frame.ts';
import { headParts } from '../common/head.ts';
import { t, spellNumber } from '../common/language.ts';
import type { Page } from '../common/page.ts';
import { differencesOf, partElements } from './differences.ts';
import { asCounts, asList, asRow, asView, checkIncoming } from './guards.ts';
import { ListView } from './list-view.ts';
import { RowList } from './row-list.ts';

function positionIn(state: unknown): number {
  const { position } = (state ?? {}) as { readonly position?: unknown };
  return Number.isSafeInteger(position) && Number(position) >= 0 ? Number(position) : 0;
}

function filterIn(state: unknown): RowFilter {
  const { filter } = (state ?? {}) as { readonly filter?: unknown };
  return rowFilters.find((one) => one === filter) ?? 'all';
}

/** Puts the comparison of two columns into the page and connects it. */
export function startComparison(page: Page): () => void {
  const { root, state } = page;
  const { channel, problems, signal, fail, open, end } = openFrame<
    ComparisonRequests,
    ComparisonEvents
  >(page, {
    listeners: { changed: () => readAnew() },
    check: checkIncoming,
  });
  const body = el('div', 'comparison');
  root.replaceChildren(el('main', 'view', {}, [problems.element, body]));

  /** Of the view that is shown: it ends when the sheet is read anew. */
  let shown = new AbortController();
  const chosenScores = { left: '', right: '' };
  let pause: ReturnType<typeof setTimeout> | undefined;
  const read = async (): Promise<ComparisonView> => asView(await channel.request('ready', null));
  /** Changes come in swarms. */
  function readAnew(): void {
    clearTimeout(pause);
    pause = setTimeout(() => open(read, show), 300);
  }
  signal.addEventListener('abort', () => clearTimeout(pause));

  function show(view: ComparisonView): void {
    const isFirst = body.childElementCount === 0;
    shown.abort();
    shown = new AbortController();
    const ending = AbortSignal.any([signal, shown.signal]);
    const { left, right, columns, rowCount, target } = view;
    let row: ComparedRow | undefined;
    /** Where the keys have led so far; the row there may still be on its way. */
    let position = 0;
    let asked: AbortController | undefined;
    /** Of all rows that were ever decided; the list knows better once it has looked at all. */
    let counts = view.byHand;
    const where = el('span', 'where', { role: 'status' });
    const byHand = el('span', 'counts', { role: 'status' });
    const byScore = el('span', 'counts', { role: 'status' });
    const note = el('p', 'dim', { role: 'status' });
    const pane = (title: string): { readonly head: HTMLElement; readonly text: HTMLElement } => ({
      head: el('h2', 'pane-title', { dir: 'auto' }, [title]),
      text: el('div', 'pane-text', {
        tabindex: '0',
        role: 'region',
        'aria-label': title,
        dir: 'auto',
      }),
    });
    const list = new RowList(rowCount, async (at) =>
      asList(await channel.request('list', { page: at }, ending)),
    );
    const rows = new ListView(list, {
      go: (to) => void go(to),
      choose: (filter) => void choose(filter),
      looked: () => setText(byHand, spellCounts(list.counts ?? counts)),
      fail,
      signal: ending,
    });
    const panes = { left: pane(left.title), right: pane(right.title) };

    const spellCounts = ({ left: one, right: other, tie }: VerdictCounts): string =>
      [
        `${left.title} ${spellNumber(one)}`,
        `${right.title} ${spellNumber(other)}`,
        t('ties {0}', spellNumber(tie)),
      ].join(' · ');

    function fill(side: ComparedSide, element: HTMLElement, parts: readonly Node[]): void {
      if (side.text === null) element.replaceChildren(el('span', 'dim', {}, [t('no value')]));
      else if (side.text === '') element.replaceChildren(el('span', 'dim', {}, [t('empty')]));
      else element.replaceChildren(...parts);
    }

    function draw(now: ComparedRow): void {
      row = now;
      state.set({ target, position: now.position, filter: list.filter });
      rows.mark(now.position);
      const difference = differencesOf(now.left.text ?? '', now.right.text ?? '');
      fill(now.left, panes.left.text, partElements(difference.left, 'del'));
      fill(now.right, panes.right.text, partElements(difference.right, 'ins'));
      const isSame = now.left.text === now.right.text;
      setText(note, isSame ? t('Both are the same.') : '');
      setText(where, t('Row {0} of {1}', spellNumber(now.position + 1), spellNumber(rowCount)));
      drawVerdict(now.verdict);
      previous.disabled = now.position === 0;
      next.disabled = now.position >= rowCount - 1;
    }

    function drawVerdict(verdict: Verdict | null): void {
      for (const [name, each] of Object.entries(choices)) {
        each.setAttribute('aria-pressed', String(name === verdict));
      }
      for (const name of ['left', 'right'] as const) {
        panes[name].head.classList.toggle('wins', verdict === name);
      }
    }

    async function go(to: number): Promise<void> {
      if (to < 0 || to >= rowCount) return;
      position = to;
      asked?.abort();
      asked = new AbortController();
      const { signal: stop } = asked;
      try {
        const now = asRow(await channel.request('row', { position: to }, stop));
        problems.show('run', null);
        if (!stop.aborted) draw(now);
      } catch (error) {
        if (stop.aborted) return;
        position = row?.position ?? 0;
        fail(error);
      }
    }
    async function step(by: 1 | -1): Promise<void> {
      const from = position;
      try {
        const to = await list.step(from, by, ending);
        // Another key may have led elsewhere meanwhile.
        if (position !== from) return;
        if (to !== undefined) await go(to);
        else if (list.filter !== 'all') setText(where, t('No more of these rows.'));
        rows.draw();
      } catch (error) {
        if (!ending.aborted) fail(error);
      }
    }
    async function choose(filter: RowFilter): Promise<void> {
      list.choose(filter);
      rows.showFilter(filter);
      state.set({ target, position, filter });
      rows.draw();
      // The row that is shown is one of those that are listed, where there is any.
      try {
        await list.look(Math.floor(position / pageSize));
        if (list.positionAt(list.indexOf(position)) === position) rows.mark(position);
        else if (filter !== 'all') await stepOr(1, -1);
      } catch (error) {
        if (!ending.aborted) fail(error);
      }
    }
    async function stepOr(by: 1 | -1, other: 1 | -1): Promise<void> {
      const to =
        (await list.step(position, by, ending)) ?? (await list.step(position, other, ending));
      if (to !== undefined) await go(to);
      else setText(where, t('No matching rows.'));
      rows.draw();
    }

    /** A decision leads on to the next row, so that a hand stays on the keys. */
    async function decide(verdict: Verdict | null): Promise<void> {
      // Not about a row that nobody has seen yet.
      if (row === undefined || row.position !== position) return;
      const decided = row;
      row = { ...decided, verdict };
      drawVerdict(verdict);
      const saved = channel.request('decide', { rowIndex: decided.rowIndex, verdict });
      list.decide(decided.position, verdict);
      rows.draw();
      if (verdict !== null) void step(1);
      try {
        counts = asCounts(await saved);
        setText(byHand, spellCounts(list.counts ?? counts));
      } catch (error) {
        fail(error);
        list.decide(decided.position, decided.verdict);
        if (row.position === decided.position) draw(decided);
        else rows.draw();
      }
    }

    const choice = (label: string, keys: string, verdict: Verdict): HTMLButtonElement =>
      button({ label, keys, look: 'secondary', run: () => void decide(verdict) });
    const choices: Readonly<Record<Verdict, HTMLButtonElement>> = {
      left: choice(t('Left is better'), '1', 'left'),
      right: choice(t('Right is better'), '2', 'right'),
      tie: choice(t('Tie'), '3', 'tie'),
    };
    const previous = button({
      label: t('Previous row'),
      keys: 'K',
      icon: 'arrow-up',
      look: 'secondary',
      run: () => void step(-1),
    });
    const next = button({
      label: t('Next row'),
      keys: 'J',
      icon: 'arrow-down',
      look: 'secondary',
      run: () => void step(1),
    });

    const openDiff = (): void => {
      if (row === undefined) return;
      channel.request('openDiff', { position: row.position }).catch(fail);
    };
    const score = (label: string): HTMLSelectElement => {
      const element = el('select', 'select', { 'aria-label': label });
      element.append(el('option', '', { value: '' }, [label]));
      for (const { id, title } of columns) element.append(el('option', '', { value: id }, [title]));
      return element;
    };
    const scores = {
      left: score(t('Score of the left column')),
      right: score(t('Score of the right column')),
    };
    for (const side of ['left', 'right'] as const) {
      scores[side].value = chosenScores[side];
      // A column that was deleted meanwhile.
      if (scores[side].selectedIndex < 0) scores[side].value = '';
      scores[side].addEventListener('change', () => {
        chosenScores[side] = scores[side].value;
      });
    }
    async function countScores(): Promise<void> {
      const request = { leftId: scores.left.value, rightId: scores.right.value };
      if (request.leftId === '' || request.rightId === '') {
        setText(byScore, t('Select both score columns first.'));
        return;
      }
      try {
        setText(byScore, t('Counting…'));
        const wins = asCounts(await channel.request('count', request, ending));
        setText(byScore, spellCounts(wins));
      } catch (error) {
        setText(byScore, '');
        fail(error);
      }
    }

    const keys: Readonly<Record<string, () => void>> = {
      1: () => void decide('left'),
      2: () => void decide('right'),
      3: () => void decide('tie'),
      0: () => void decide(null),
      j: () => void step(1),
      k: () => void step(-1),
      d: openDiff,
    };
    document.addEventListener(
      'keydown',
      (event) => {
        const isTyping = event.target instanceof HTMLSelectElement;
        if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
        const act = keys[event.key.toLowerCase()];
        if (act === undefined) return;
        event.preventDefault();
        act();
      },
      { signal: ending },
    );

    body.replaceChildren(
      el('header', 'head', {}, [...headParts(`${left.title} ↔ ${right.title}`, view.connection)]),
      el('div', 'tools', { role: 'group', 'aria-label': t('Row') }, [
        previous,
        next,
        where,
        choices.left,
        choices.right,
        choices.tie,
        button({ label: t('Undecided'), keys: '0', run: () => void decide(null) }),
        button({ label: t('Open in diff editor'), keys: 'D', icon: 'diff', run: openDiff }),
      ]),
      el('p', 'tally', {}, [t('Human preference:'), ' ', byHand]),
      note,
      el('div', 'beside', {}, [
        rows.element,
        el('div', 'panes', {}, [
          el('section', 'pane', {}, [panes.left.head, panes.left.text]),
          el('section', 'pane', {}, [panes.right.head, panes.right.text]),
        ]),
      ]),
      el('div', 'tools', { role: 'group', 'aria-label': t('Wins by score') }, [
        scores.left,
        scores.right,
        button({
          label: t('Count wins by score'),
          look: 'secondary',
          run: () => void countScores(),
        }),
        byScore,
      ]),
    );
    if (rowCount === 0) setText(where, t('The sheet has no rows.'));
    else void go(Math.min(rowCount - 1, positionIn(state.get()))).then(() => rows.draw());
    const filter = filterIn(state.get());
    if (filter !== 'all') void choose(filter);
    if (isFirst) next.focus();
  }

  open(read, show);
  return end;
}
