import type { VersionCharts, VersionFigures } from '../../protocol/charts.ts';
import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import { spellNumber, t } from '../common/language.ts';
import { Figure } from './figure.ts';
import { table } from './table.ts';
import { spell, spellDate, spellScore, unknown } from './words.ts';

export interface VersionsActions {
  readonly read: () => void;
  readonly stop: () => void;
}

type Value = (version: VersionFigures) => number | null;

const nameOf = ({ name, version }: VersionFigures): string =>
  name === '' ? `#${version}` : `#${version} ${name}`;

/** Cost, latency and score of the saved versions of a sheet, oldest first. */
export class VersionsPage {
  readonly element = el('div', 'metric');
  readonly #progress = el('span', '', { role: 'status' });
  readonly #stop: HTMLButtonElement;
  readonly #again: HTMLButtonElement;
  readonly #note = el('p', 'note dim');
  readonly #facts = el('div', 'facts');
  readonly #price = new Figure(t('Cost over versions'));
  readonly #latency = new Figure(t('Latency over versions'));
  readonly #score = new Figure(t('Score over versions'));

  constructor({ read, stop }: VersionsActions) {
    this.#stop = button({ label: t('Stop'), icon: 'debug-stop', look: 'secondary', run: stop });
    this.#again = button({ label: t('Refresh'), icon: 'refresh', look: 'secondary', run: read });
    this.#stop.hidden = true;
    this.element.append(
      el('div', 'reading', {}, [this.#progress, this.#stop, this.#again]),
      ...[this.#note, this.#facts],
      ...this.#figures.map(({ element }) => element),
    );
  }

  show({ state, versions, of, hasMore }: VersionCharts): void {
    const isReading = state === 'reading';
    this.#stop.hidden = !isReading;
    this.#again.hidden = isReading;
    const counts = [spellNumber(versions.length), spellNumber(of)] as const;
    const said = isReading
      ? t('Reading versions: {0} of {1}', ...counts)
      : t('Versions read: {0} of {1}', ...counts);
    setText(this.#progress, of === 0 ? '' : said);
    this.#showNote(versions, hasMore, isReading);
    this.#showFacts(versions);
    this.#draw(this.#price, versions, {
      label: t('Mean cost per cell in each saved version'),
      series: [{ name: t('Mean cost per cell'), value: ({ price }) => price.mean }],
      spell: (value) => spell('price', value),
      nothing: t('No saved version has cost data.'),
    });
    this.#draw(this.#latency, versions, {
      label: t('Latency of each saved version: mean and 95th percentile'),
      series: [
        { name: t('Mean'), value: ({ latency }) => latency.mean },
        { name: t('95th percentile'), value: ({ latency }) => latency.p95 },
      ],
      spell: (value) => spell('latency', value),
      nothing: t('No saved version has latency data.'),
    });
    this.#draw(this.#score, versions, {
      label: t('Score of each saved version'),
      series: [{ name: t('Score'), value: ({ score }) => score }],
      spell: spellScore,
      nothing: t(
        'No saved version has a score. A version keeps the score that the sheet has when it is saved.',
      ),
    });
  }

  redraw(): void {
    for (const figure of this.#figures) figure.redraw();
  }

  close(): void {
    for (const figure of this.#figures) figure.close();
  }

  get #figures(): readonly Figure[] {
    return [this.#price, this.#latency, this.#score];
  }

  /** What these numbers are not of. */
  #showNote(versions: readonly VersionFigures[], hasMore: boolean, isReading: boolean): void {
    const silent = versions.filter(({ isReported }) => !isReported).length;
    const isPart = versions.some(({ isReported, rows, of }) => isReported && rows !== of);
    const notes = [
      ...(versions.length === 0 && !isReading ? [t('The sheet has no saved versions.')] : []),
      ...(isPart
        ? [t('The service sends only the first rows of a long version; the table shows how many.')]
        : []),
      ...(silent > 0
        ? [t("The service doesn't return the contents of {0} versions.", spellNumber(silent))]
        : []),
      ...(hasMore ? [t('Older versions are not shown.')] : []),
    ];
    setText(this.#note, notes.join(' '));
  }

  #showFacts(versions: readonly VersionFigures[]): void {
    const number = (title: string) => ({ title, isNumber: true });
    const rows = versions.map((version) => {
      const { at, rows: read, of, isReported, cells, price, latency, tokens, score } = version;
      const rowsOf =
        of === null ? spellNumber(read) : t('{0} of {1}', spellNumber(read), spellNumber(of));
      const known = t('{0} of {1}', spellNumber(price.known), spellNumber(cells));
      return [
        ...[
          nameOf(version),
          spellDate(at),
          isReported ? rowsOf : unknown,
          isReported ? known : unknown,
        ],
        ...[spell('price', price.sum), spell('price', price.mean)],
        ...[spell('latency', latency.mean), spell('latency', latency.p95)],
        ...[spell('tokens', tokens.sum), spellScore(score)],
      ];
    });
    this.#facts.replaceChildren(
      ...(rows.length === 0
        ? []
        : [
            table(
              t('Saved versions in numbers'),
              [
                ...[{ title: t('Version') }, { title: t('Saved') }, number(t('Rows'))],
                ...[number(t('Cells with a cost')), number(t('Cost')), number(t('Mean cost'))],
                ...[number(t('Mean latency')), number(t('p95')), number(t('Tokens'))],
                number(t('Score')),
              ],
              rows,
            ),
          ]),
    );
  }

  #draw(
    figure: Figure,
    versions: readonly VersionFigures[],
    wanted: {
      readonly label: string;
      readonly series: readonly { readonly name: string; readonly value: Value }[];
      readonly spell: (value: number) => string;
      readonly nothing: string;
    },
  ): void {
    const series = wanted.series.map(({ name, value }) => ({ name, values: versions.map(value) }));
    if (series.every(({ values }) => values.every((value) => value === null))) {
      figure.nothing(wanted.nothing);
      return;
    }
    const names = versions.map(nameOf);
    const say = (value: number | null): string => (value === null ? unknown : wanted.spell(value));
    figure.show(
      { kind: 'line', label: wanted.label, categories: names, series, spell: wanted.spell },
      table(
        wanted.label,
        [{ title: t('Version') }, ...series.map(({ name }) => ({ title: name, isNumber: true }))],
        names.map((name, at) => [name, ...series.map(({ values }) => say(values[at] ?? null))]),
      ),
    );
  }
}
