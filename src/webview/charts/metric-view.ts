import type { MetricName, SheetCharts } from '../../protocol/charts.ts';
import { el } from '../common/dom.ts';
import { t, spellNumber } from '../common/language.ts';
import { Figure } from './figure.ts';
import { table } from './table.ts';
import { metricThing, metricWithin, metricWords, spell, spellDates, unknown } from './words.ts';

/** One metric of a sheet: by column, how it is distributed, and how it went over time. */
export class MetricView {
  readonly element = el('div', 'metric');
  readonly #metric: MetricName;
  readonly #note = el('p', 'note dim');
  readonly #columns = new Figure(t('By column'));
  readonly #spread = new Figure(t('Distribution'));
  readonly #history = new Figure(t('Over time'));
  readonly #facts = el('div', 'facts');

  constructor(metric: MetricName) {
    this.#metric = metric;
    this.element.append(
      ...[this.#note, this.#facts, this.#columns.element],
      ...[this.#spread.element, this.#history.element],
    );
  }

  show(charts: SheetCharts): void {
    const metric = this.#metric;
    const shown = charts.columns.filter(({ metrics }) => metrics[metric].known > 0);
    const negative = charts.columns.reduce((sum, one) => sum + one.metrics[metric].negative, 0);
    const known = shown.reduce((sum, { metrics }) => sum + metrics[metric].known, 0);
    const cells = charts.columns.reduce((sum, one) => sum + one.cells, 0);
    this.#note.textContent =
      charts.columns.length === 0
        ? t('No cell of this sheet has called a model yet.')
        : [
            t(
              '{0} of {1} cells have {2}.',
              spellNumber(known),
              spellNumber(cells),
              metricThing[metric],
            ),
            ...(negative > 0
              ? [
                  t(
                    'Excluded as invalid: {0} cells with {1} below zero.',
                    spellNumber(negative),
                    metricThing[metric],
                  ),
                ]
              : []),
            ...(charts.isSampled
              ? [t('Percentiles, distribution, and history are based on a sample.')]
              : []),
          ].join(' ');
    this.#showFacts(charts);
    const nothing = t('Nothing to draw: no cell has {0}.', metricThing[metric]);
    if (shown.length === 0) {
      for (const figure of this.#figures) figure.nothing(nothing);
      return;
    }
    const spelled = (value: number): string => spell(metric, value);
    const word = metricWords[metric];
    const titles = shown.map(({ title }) => title);
    const mean = shown.map(({ metrics }) => metrics[metric].mean);
    const p95 = shown.map(({ metrics }) => metrics[metric].p95);
    this.#columns.show(
      {
        kind: 'bars',
        label: t('{0} of each column: mean and 95th percentile', word),
        categories: titles,
        series: [
          { name: t('Mean'), values: mean },
          { name: t('95th percentile'), values: p95 },
        ],
        spell: spelled,
      },
      table(
        t('{0} by column', word),
        [
          { title: t('Column') },
          { title: t('Mean'), isNumber: true },
          { title: t('95th percentile'), isNumber: true },
        ],
        titles.map((title, at) => [
          title,
          spell(metric, mean[at] ?? null),
          spell(metric, p95[at] ?? null),
        ]),
      ),
    );
    this.#showSpread(charts, shown);
    this.#showHistory(charts);
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

  /** The numbers themselves stand first: a picture only goes with them. */
  #showFacts({ columns }: SheetCharts): void {
    const metric = this.#metric;
    const hasTotal = metric !== 'latency';
    const number = (title: string) => ({ title, isNumber: true });
    const rows = columns.map(({ title, cells, metrics }) => {
      const facts = metrics[metric];
      const say = (value: number | null): string => spell(metric, value);
      return [
        title,
        t('{0} of {1}', spellNumber(facts.known), spellNumber(cells)),
        ...(hasTotal ? [say(facts.sum)] : []),
        ...[say(facts.mean), say(facts.median), say(facts.p95), say(facts.min), say(facts.max)],
      ];
    });
    this.#facts.replaceChildren(
      ...(columns.length === 0
        ? []
        : [
            table(
              t('{0} of each column in numbers', metricWords[metric]),
              [
                ...[{ title: t('Column') }, number(t('Cells with a value'))],
                ...(hasTotal ? [number(t('Total'))] : []),
                ...[number(t('Mean')), number(t('Median')), number(t('p95'))],
                ...[number(t('Minimum')), number(t('Maximum'))],
              ],
              rows,
            ),
          ]),
    );
  }

  #showSpread({ scales }: SheetCharts, shown: SheetCharts['columns']): void {
    const metric = this.#metric;
    const { edges } = scales[metric];
    const names = edges.map((edge, at) => {
      const next = edges[at + 1];
      const from = spell(metric, edge);
      if (next !== undefined) return t('{0} to {1}', from, spell(metric, next));
      return at === 0 ? from : t('{0} and more', from);
    });
    this.#spread.show(
      {
        kind: 'stacked',
        label: t('How many cells have which {0}', metricWithin[metric]),
        categories: edges.map((edge) => spell(metric, edge)),
        series: shown.map(({ title, metrics }) => ({ name: title, values: metrics[metric].bins })),
        spell: (value) => spellNumber(value),
      },
      table(
        t('Cells by bin'),
        [{ title: metricWords[metric] }, ...shown.map(({ title }) => ({ title, isNumber: true }))],
        names.map((name, at) => [
          name,
          ...shown.map(({ metrics }) => spellNumber(metrics[metric].bins[at] ?? 0)),
        ]),
      ),
    );
  }

  #showHistory({ scales }: SheetCharts): void {
    const metric = this.#metric;
    const { history } = scales[metric];
    if (history.length === 0) {
      this.#history.nothing(t('The service does not say when the cells were computed.'));
      return;
    }
    const dates = spellDates(history.map(({ at }) => at));
    this.#history.show(
      {
        kind: 'line',
        label: t('Mean {0} by time of computation', metricWithin[metric]),
        categories: dates,
        series: [{ name: t('Mean'), values: history.map(({ mean }) => mean) }],
        spell: (value) => spell(metric, value),
      },
      table(
        t('Means over time'),
        [
          { title: t('Computed from') },
          { title: t('Mean'), isNumber: true },
          { title: t('Cells'), isNumber: true },
        ],
        history.map(({ mean, known }, at) => [
          dates[at] ?? unknown,
          spell(metric, mean),
          spellNumber(known),
        ]),
      ),
    );
  }
}
