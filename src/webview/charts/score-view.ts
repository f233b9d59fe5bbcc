import type {
  JudgedRow,
  JudgedRows,
  ScoreSpread,
  ScoreView,
  Verdict,
} from '../../protocol/charts.ts';
import { cutOffRows, verdicts } from '../../protocol/charts.ts';
import { button } from '../common/buttons.ts';
import { el } from '../common/dom.ts';
import { focusWithin } from '../common/focus.ts';
import { t, spellNumber } from '../common/language.ts';
import { Figure } from './figure.ts';
import { table } from './table.ts';
import { spellDate, spellDrift, spellScore, unknown } from './words.ts';

export interface ScoreActions {
  readonly calculate: () => void;
  readonly cancel: () => void;
  readonly edit: () => void;
  readonly judged: (verdict: Verdict, after: number | null) => Promise<JudgedRows>;
  readonly spread: () => Promise<ScoreSpread>;
  readonly openRow: (rowIndex: number) => void;
  readonly onFault: (error: unknown) => void;
}

const verdictWords: Readonly<Record<string, string>> = {
  pass: t('Pass'),
  warn: t('Warning'),
  fail: t('Fail'),
  error: t('Error'),
  skipped: t('Skipped'),
};
/** Within a sentence, and after a number. */
const verdictsWithin: Readonly<Record<string, string>> = {
  pass: t('pass'),
  warn: t('warning'),
  fail: t('fail'),
  error: t('error'),
  skipped: t('skipped'),
};
const verdictWord = (verdict: string | null): string =>
  verdict === null ? unknown : (verdictWords[verdict] ?? verdict);

const shares = (counts: Readonly<Record<string, number>>): string => {
  const said = verdicts.flatMap((verdict) => {
    const rows = counts[verdict] ?? 0;
    return rows === 0 ? [] : [`${spellNumber(rows)} ${verdictsWithin[verdict] ?? verdict}`];
  });
  return said.length === 0 ? unknown : `${said.join(', ')}${halves(counts)}`;
};

/** Rows whose answers were cut off: they are among the others. */
const halves = (counts: Readonly<Record<string, number>>): string => {
  const cutOff = counts[cutOffRows] ?? 0;
  return cutOff === 0 ? '' : ` (${t('{0} cut off', spellNumber(cutOff))})`;
};

const spelledRows = (rows: number | null): string => (rows === null ? unknown : spellNumber(rows));

/** The score of a sheet: now, by its parts, over saved versions, and the rows that did not pass. */
export class ScorePage {
  readonly element = el('div', 'metric');
  readonly #actions: ScoreActions;
  readonly #now = el('section', 'score-now', { 'aria-label': t('Score now') });
  readonly #parts = el('section', 'figure', { 'aria-label': t('Parts') });
  readonly #columns = new Figure(t('By column'));
  readonly #spread = new Figure(t('Distribution'));
  readonly #history = new Figure(t('Over saved versions'));
  readonly #rows = el('section', 'figure', { 'aria-label': t('Rows') });
  readonly #verdict = el('select', 'select', { 'aria-label': t('Rows with the verdict') });
  readonly #list = el('div', 'rows');
  #shownFor = '';

  constructor(actions: ScoreActions) {
    this.#actions = actions;
    for (const verdict of ['fail', 'error', 'warn', 'pass', 'skipped'] as const) {
      this.#verdict.append(el('option', '', { value: verdict }, [verdictWord(verdict)]));
    }
    this.#verdict.addEventListener('change', () => this.#showRows(null));
    this.#rows.append(
      el('div', 'rows-head', {}, [el('h2', '', {}, [t('Rows')]), this.#verdict]),
      this.#list,
    );
    this.element.append(
      ...[this.#now, this.#parts, this.#columns.element, this.#spread.element],
      ...[this.#history.element, this.#rows],
    );
  }

  show(score: ScoreView): void {
    this.#showNow(score);
    this.#showParts(score);
    this.#showColumns(score);
    this.#showHistory(score);
    const shownFor = score.kind === 'scorecard' ? (score.calculatedAt ?? '') : '';
    const isJudged = shownFor !== '';
    this.#rows.hidden = !isJudged;
    this.#spread.element.hidden = !isJudged;
    if (isJudged && shownFor !== this.#shownFor) {
      this.#showRows(null);
      this.#readSpread();
    }
    this.#shownFor = shownFor;
  }

  redraw(): void {
    for (const figure of this.#figures) figure.redraw();
  }

  close(): void {
    for (const figure of this.#figures) figure.close();
  }

  get #figures(): readonly Figure[] {
    return [this.#columns, this.#spread, this.#history];
  }

  #showColumns({ columns, kind }: ScoreView): void {
    this.#columns.element.hidden = columns.length === 0;
    if (columns.length === 0) return;
    const titles = columns.map(({ title }) => title);
    const isCard = kind === 'scorecard';
    this.#columns.show(
      {
        kind: 'bars',
        label: t('Score of each column'),
        categories: titles,
        series: [{ name: t('Score'), values: columns.map(({ score }) => score) }],
        spell: spellScore,
      },
      table(
        t('Score by column'),
        [
          { title: t('Column') },
          { title: t('Score'), isNumber: true },
          ...(isCard ? [{ title: t('Steps that use it'), isNumber: true }] : []),
        ],
        columns.map(({ title, score, parts }) => [
          ...[title, spellScore(score)],
          ...(isCard ? [spellNumber(parts)] : []),
        ]),
      ),
    );
  }

  #readSpread(): void {
    this.#actions.spread().then(
      (spread) => this.#showSpread(spread),
      (error: unknown) => this.#actions.onFault(error),
    );
  }

  #showSpread({ bins, rows, unscored, hasMore }: ScoreSpread): void {
    if (rows === unscored) {
      this.#spread.nothing(t('No row has a score.'));
      return;
    }
    const edge = (at: number): string => spellScore(at / bins.length);
    const names = bins.map((_, at) => t('{0} to {1}', edge(at), edge(at + 1)));
    const about = [
      hasMore ? t('Rows: the first {0}.', spellNumber(rows)) : t('Rows: {0}.', spellNumber(rows)),
      ...(unscored > 0 ? [t('{0} of them have no score.', spellNumber(unscored))] : []),
    ].join(' ');
    this.#spread.show(
      {
        kind: 'bars',
        label: t('How many rows have which score'),
        categories: names,
        series: [{ name: t('Rows'), values: bins }],
        spell: (value) => spellNumber(value),
      },
      table(
        t('Rows by score'),
        [{ title: t('Score') }, { title: t('Rows'), isNumber: true }],
        names.map((name, at) => [name, spellNumber(bins[at] ?? 0)]),
      ),
      about,
    );
  }

  #showNow(score: ScoreView): void {
    const { kind, isRunning, done } = score;
    if (kind === 'none') {
      const none = t('This sheet has no score yet. A scorecard scores each row.');
      this.#now.replaceChildren(
        el('p', '', {}, [none]),
        button({
          label: t('Make scorecard…'),
          icon: 'add',
          look: 'primary',
          run: this.#actions.edit,
        }),
      );
      return;
    }
    const scored =
      score.totalRows === null
        ? unknown
        : t(
            '{0} of {1} rows have a score',
            spellNumber(score.scoredRows ?? 0),
            spellNumber(score.totalRows),
          );
    const isCard = kind === 'scorecard';
    const facts: readonly (readonly [string, string])[] = [
      ...(isCard
        ? ([
            [t('Verdict'), verdictWord(score.verdict)],
            [t('Drift'), spellDrift(score.drift)],
          ] as const)
        : []),
      [t('Coverage'), isCard ? scored : `${scored}${halves(score.verdicts)}`],
      ...(isCard ? ([[t('Rows'), shares(score.verdicts)]] as const) : []),
      [t('Calculated'), score.calculatedAt === null ? t('never') : spellDate(score.calculatedAt)],
    ];
    const progress =
      done === null
        ? t('Calculating…')
        : t('Calculating: {0} of {1} rows', spellNumber(done.rows), spellNumber(done.of));
    const state = isRunning
      ? progress
      : score.isStale
        ? t('Out of date: cells or the scorecard have changed since.')
        : '';
    const hadFocus = this.#now.contains(document.activeElement);
    const action = isRunning
      ? button({
          label: t('Cancel calculation'),
          icon: 'circle-slash',
          look: 'secondary',
          run: this.#actions.cancel,
        })
      : button({
          label: t('Calculate'),
          icon: 'refresh',
          look: 'primary',
          run: this.#actions.calculate,
        });
    this.#now.replaceChildren(
      el('div', 'score-head', {}, [
        el('h2', '', { dir: 'auto' }, [score.name || t('Score')]),
        el('span', `big ${score.verdict ?? ''}`, {}, [spellScore(score.score)]),
        ...(isRunning && kind === 'score' ? [] : [action]),
        button({
          label: isCard ? t('Edit scorecard…') : t('Make scorecard…'),
          icon: isCard ? 'edit' : 'add',
          look: 'secondary',
          run: this.#actions.edit,
        }),
      ]),
      el('p', 'state', { role: 'status' }, [state]),
      ...(score.problem === null ? [] : [el('p', 'fault', {}, [score.problem])]),
      el(
        'dl',
        'facts-list',
        {},
        facts.map(([name, value]) =>
          el('div', '', {}, [el('dt', '', {}, [name]), el('dd', '', {}, [value])]),
        ),
      ),
    );
    if (hadFocus) focusWithin(action);
  }

  #showParts({ parts, kind }: ScoreView): void {
    this.#parts.hidden = parts.length === 0;
    const number = (title: string) => ({ title, isNumber: true });
    const isCard = kind === 'scorecard';
    this.#parts.replaceChildren(
      el('h2', '', {}, [t('Parts')]),
      table(
        t('Parts of the score'),
        [
          ...[{ title: isCard ? t('Step') : t('Column') }, number(t('Score')), number(t('Rows'))],
          ...(isCard ? [number(t('Weight')), number(t('Drift')), { title: t('Verdicts') }] : []),
        ],
        parts.map(({ title, score, rows, weight, drift, verdicts: counts }) => [
          ...[title, spellScore(score)],
          ...(isCard
            ? [spelledRows(rows), spellScore(weight), spellDrift(drift), shares(counts)]
            : [`${spelledRows(rows)}${halves(counts)}`]),
        ]),
      ),
    );
  }

  #showHistory({ history }: ScoreView): void {
    if (history.length === 0) {
      this.#history.nothing(
        t(
          'No saved version has a score. A version keeps the score that the sheet has when it is saved.',
        ),
      );
      return;
    }
    const names = history.map(({ name, version }) =>
      name === '' ? `#${version}` : `#${version} ${name}`,
    );
    this.#history.show(
      {
        kind: 'line',
        label: t('Score of each saved version'),
        categories: names,
        series: [{ name: t('Score'), values: history.map(({ score }) => score) }],
        spell: spellScore,
      },
      table(
        t('Scores of saved versions'),
        [
          { title: t('Version') },
          { title: t('Saved') },
          { title: t('Score'), isNumber: true },
          { title: t({ message: 'Change', comment: 'a difference' }), isNumber: true },
          { title: t('Verdict') },
        ],
        history.map(({ at, score, verdict, isStale }, place) => [
          names[place] ?? '',
          spellDate(at),
          isStale ? t('{0} (out of date)', spellScore(score)) : spellScore(score),
          spellDrift(place === 0 ? null : score - (history[place - 1]?.score ?? score)),
          verdictWord(verdict),
        ]),
      ),
    );
  }

  #showRows(after: number | null): void {
    const verdict = this.#verdict.value as Verdict;
    this.#actions.judged(verdict, after).then(
      (page) => {
        if (verdict === this.#verdict.value) this.#addRows(page, after === null);
      },
      (error: unknown) => this.#actions.onFault(error),
    );
  }

  #addRows({ rows, next }: JudgedRows, isFirst: boolean): void {
    if (isFirst) this.#list.replaceChildren();
    this.#list.querySelector('.more')?.remove();
    if (isFirst && rows.length === 0) {
      const none = t(
        'No row has the verdict {0}.',
        verdictsWithin[this.#verdict.value] ?? this.#verdict.value,
      );
      this.#list.append(el('p', 'dim', {}, [none]));
      return;
    }
    this.#list.append(...rows.map((row) => this.#row(row)));
    if (next !== null && rows.length > 0) {
      const more = button({
        label: t('More rows'),
        look: 'secondary',
        run: () => this.#showRows(next),
      });
      more.classList.add('more');
      this.#list.append(more);
    }
  }

  #row({ rowIndex, score, verdict, reasons }: JudgedRow): HTMLElement {
    const open = button({
      label: t('Open row {0}', spellNumber(rowIndex)),
      icon: 'go-to-file',
      look: 'secondary',
      run: () => this.#actions.openRow(rowIndex),
    });
    return el('article', 'row', { 'aria-label': t('Row index {0}', rowIndex) }, [
      el('div', 'row-head', {}, [
        open,
        el('span', '', {}, [`${verdictWord(verdict)}, ${spellScore(score)}`]),
      ]),
      ...(reasons.length === 0
        ? []
        : [
            el(
              'ul',
              'reasons',
              {},
              reasons.map((reason) => el('li', '', { dir: 'auto' }, [reason])),
            ),
          ]),
    ]);
  }
}
