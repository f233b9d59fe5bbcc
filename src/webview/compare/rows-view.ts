import type {
  ComparedRow,
  ComparisonRequests,
  ComparisonView,
  RowFilter,
  Verdict,
  VerdictCounts,
} from '../../protocol/compare.ts';
import { pageSize } from '../../protocol/grid-cells.ts';
import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import type { Frame } from '../common/frame.ts';
import { headParts } from '../common/head.ts';
import { t, spellNumber } from '../common/language.ts';
import type { Page } from '../common/page.ts';
import { asCounts, asList, asRow } from './guards.ts';
import { ListView } from './list-view.ts';
import { PairView } from './pair-view.ts';
import { RowList } from './row-list.ts';
import { ScoreWins, type ChosenScores } from './score-wins.ts';

export interface RowsViewParts {
  readonly view: ComparisonView;
  readonly frame: Frame<ComparisonRequests>;
  readonly state: Page['state'];
  readonly chosenScores: ChosenScores;
  /** Aborted when the sheet is read anew. */
  readonly signal: AbortSignal;
}

/** The rows of a comparison: one is shown, and a hand on the keys decides one after the other. */
export class RowsView {
  readonly parts: readonly HTMLElement[];
  readonly #parts: RowsViewParts;
  readonly #list: RowList;
  readonly #rows: ListView;
  readonly #pair: PairView;
  readonly #where = el('span', 'where', { role: 'status' });
  readonly #byHand = el('span', 'counts', { role: 'status' });
  readonly #choices: Readonly<Record<Verdict, HTMLButtonElement>>;
  readonly #previous: HTMLButtonElement;
  readonly #next: HTMLButtonElement;
  /** Of all rows that were ever decided; the list knows better once it has looked at all. */
  #counts: VerdictCounts;
  #row: ComparedRow | undefined;
  /** Where the keys have led so far; the row there may still be on its way. */
  #position = 0;
  #asked: AbortController | undefined;

  constructor(parts: RowsViewParts) {
    const { view, frame, signal, chosenScores } = parts;
    const { channel, fail } = frame;
    this.#parts = parts;
    this.#counts = view.byHand;
    this.#list = new RowList(view.rowCount, async (at) =>
      asList(await channel.request('list', { page: at }, signal)),
    );
    this.#rows = new ListView(this.#list, {
      go: (to) => void this.#go(to),
      choose: (filter) => void this.choose(filter),
      looked: () => this.#showCounts(),
      fail,
      signal,
    });
    this.#pair = new PairView(view);
    const choice = (label: string, keys: string, verdict: Verdict): HTMLButtonElement =>
      button({ label, keys, look: 'secondary', run: () => void this.#decide(verdict) });
    this.#choices = {
      left: choice(t('Left is better'), '1', 'left'),
      right: choice(t('Right is better'), '2', 'right'),
      tie: choice(t('Tie'), '3', 'tie'),
    };
    this.#previous = button({
      label: t('Previous row'),
      keys: 'K',
      icon: 'arrow-up',
      look: 'secondary',
      run: () => void this.#step(-1),
    });
    this.#next = button({
      label: t('Next row'),
      keys: 'J',
      icon: 'arrow-down',
      look: 'secondary',
      run: () => void this.#step(1),
    });
    const wins = new ScoreWins({
      ...{ columns: view.columns, chosen: chosenScores, fail },
      count: async (asked) => asCounts(await channel.request('count', asked, signal)),
      spell: (counts) => this.#spell(counts),
    });
    this.parts = [
      el('header', 'head', {}, [
        ...headParts(`${view.left.title} ↔ ${view.right.title}`, view.connection),
      ]),
      this.#tools(),
      el('p', 'tally', {}, [t('Human preference:'), ' ', this.#byHand]),
      this.#pair.note,
      el('div', 'beside', {}, [this.#rows.element, this.#pair.element]),
      wins.element,
    ];
    this.#listen();
  }

  focus(): void {
    this.#next.focus();
  }

  /** Begins where the user was. */
  begin(position: number, filter: RowFilter): void {
    const { rowCount } = this.#parts.view;
    if (rowCount === 0) setText(this.#where, t('The sheet has no rows.'));
    else void this.#go(Math.min(rowCount - 1, position)).then(() => this.#rows.draw());
    if (filter !== 'all') void this.choose(filter);
  }

  async choose(filter: RowFilter): Promise<void> {
    const { view, state } = this.#parts;
    this.#list.choose(filter);
    this.#rows.showFilter(filter);
    state.set({ target: view.target, position: this.#position, filter });
    this.#rows.draw();
    // The row that is shown is one of those that are listed, where there is any.
    try {
      await this.#list.look(Math.floor(this.#position / pageSize));
      const isListed = this.#list.positionAt(this.#list.indexOf(this.#position)) === this.#position;
      if (isListed) this.#rows.mark(this.#position);
      else if (filter !== 'all') await this.#stepOr(1, -1);
    } catch (error) {
      this.#failUnlessOver(error);
    }
  }

  #tools(): HTMLElement {
    const { left, right, tie } = this.#choices;
    return el('div', 'tools', { role: 'group', 'aria-label': t('Row') }, [
      this.#previous,
      this.#next,
      this.#where,
      left,
      right,
      tie,
      button({ label: t('Undecided'), keys: '0', run: () => void this.#decide(null) }),
      button({
        label: t('Open in diff editor'),
        keys: 'D',
        icon: 'diff',
        run: () => this.#openDiff(),
      }),
    ]);
  }

  #listen(): void {
    const keys: Readonly<Record<string, () => void>> = {
      1: () => void this.#decide('left'),
      2: () => void this.#decide('right'),
      3: () => void this.#decide('tie'),
      0: () => void this.#decide(null),
      j: () => void this.#step(1),
      k: () => void this.#step(-1),
      d: () => this.#openDiff(),
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
      { signal: this.#parts.signal },
    );
  }

  #spell({ left: one, right: other, tie }: VerdictCounts): string {
    const { left, right } = this.#parts.view;
    return [
      `${left.title} ${spellNumber(one)}`,
      `${right.title} ${spellNumber(other)}`,
      t('ties {0}', spellNumber(tie)),
    ].join(' · ');
  }

  #showCounts(): void {
    setText(this.#byHand, this.#spell(this.#list.counts ?? this.#counts));
  }

  #draw(row: ComparedRow): void {
    const { view, state } = this.#parts;
    const { rowCount, target } = view;
    this.#row = row;
    state.set({ target, position: row.position, filter: this.#list.filter });
    this.#rows.mark(row.position);
    this.#pair.show(row);
    setText(this.#where, t('Row {0} of {1}', spellNumber(row.position + 1), spellNumber(rowCount)));
    this.#drawVerdict(row.verdict);
    this.#previous.disabled = row.position === 0;
    this.#next.disabled = row.position >= rowCount - 1;
  }

  #drawVerdict(verdict: Verdict | null): void {
    for (const [name, each] of Object.entries(this.#choices)) {
      each.setAttribute('aria-pressed', String(name === verdict));
    }
    this.#pair.showVerdict(verdict);
  }

  async #go(to: number): Promise<void> {
    const { view, frame } = this.#parts;
    if (to < 0 || to >= view.rowCount) return;
    this.#position = to;
    this.#asked?.abort();
    this.#asked = new AbortController();
    const { signal: stop } = this.#asked;
    try {
      const row = asRow(await frame.channel.request('row', { position: to }, stop));
      frame.problems.show('run', null);
      if (!stop.aborted) this.#draw(row);
    } catch (error) {
      if (stop.aborted) return;
      this.#position = this.#row?.position ?? 0;
      frame.fail(error);
    }
  }

  async #step(by: 1 | -1): Promise<void> {
    const from = this.#position;
    try {
      const to = await this.#list.step(from, by, this.#parts.signal);
      // Another key may have led elsewhere meanwhile.
      if (this.#position !== from) return;
      if (to !== undefined) await this.#go(to);
      else if (this.#list.filter !== 'all') setText(this.#where, t('No more of these rows.'));
      this.#rows.draw();
    } catch (error) {
      this.#failUnlessOver(error);
    }
  }

  async #stepOr(by: 1 | -1, other: 1 | -1): Promise<void> {
    const { signal } = this.#parts;
    const to =
      (await this.#list.step(this.#position, by, signal)) ??
      (await this.#list.step(this.#position, other, signal));
    if (to !== undefined) await this.#go(to);
    else setText(this.#where, t('No matching rows.'));
    this.#rows.draw();
  }

  /** A decision leads on to the next row, so that a hand stays on the keys. */
  async #decide(verdict: Verdict | null): Promise<void> {
    const { channel, fail } = this.#parts.frame;
    const decided = this.#row;
    // Not about a row that nobody has seen yet.
    if (decided === undefined || decided.position !== this.#position) return;
    this.#row = { ...decided, verdict };
    this.#drawVerdict(verdict);
    const saved = channel.request('decide', { rowIndex: decided.rowIndex, verdict });
    this.#list.decide(decided.position, verdict);
    this.#rows.draw();
    if (verdict !== null) void this.#step(1);
    try {
      this.#counts = asCounts(await saved);
      this.#showCounts();
    } catch (error) {
      fail(error);
      this.#list.decide(decided.position, decided.verdict);
      if (this.#row.position === decided.position) this.#draw(decided);
      else this.#rows.draw();
    }
  }

  #openDiff(): void {
    if (this.#row === undefined) return;
    const { channel, fail } = this.#parts.frame;
    channel.request('openDiff', { position: this.#row.position }).catch(fail);
  }

  #failUnlessOver(error: unknown): void {
    if (!this.#parts.signal.aborted) this.#parts.frame.fail(error);
  }
}
