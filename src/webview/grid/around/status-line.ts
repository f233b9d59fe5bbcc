import type { GridSheet, MetricTotals } from '../../../protocol/grid-sheet.ts';
import type { SelectionSummary } from '../../../protocol/grid-work.ts';
import type { GridActions } from '../actions/grid-actions.ts';
import { el } from '../../common/dom.ts';
import { button } from '../../common/buttons.ts';
import { icon } from '../../common/icons.ts';
import {
  language,
  spellDecimals,
  spellDigits,
  spellNumber,
  spellPrice,
  t,
} from '../../common/language.ts';
import { spellLoaded } from './log-bar.ts';
import { statusPresentation } from '../rows/cells.ts';
import { sizeOf } from '../cursor/selection.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import { spellDuration } from './progress.ts';

export function spellLatency(ms: number): string {
  if (ms < 1000) return t('{0} ms', spellNumber(Math.round(ms * 10) / 10));
  return ms < 60_000 ? t('{0} s', spellDecimals(ms / 1000, 2)) : spellDuration(ms / 1000);
}

function spellMetric(metric: string): (value: number) => string {
  if (/price|cost/i.test(metric)) return spellPrice;
  if (/latency|duration/i.test(metric)) return spellLatency;
  return (value) => spellNumber(value);
}

/** Known statuses in the order of their urgency; others after them. */
const order = ['running', 'queued', 'failed', 'error', 'stale', 'cancelled', 'completed'];

/** Minor facts make room where the view is narrow. */
const separated = (text: string, isMinor = false): HTMLElement =>
  el('span', `fact${isMinor ? ' minor' : ''}`, {}, [text]);

function totalsElement(
  { metric, label, count, sum, average, min, max, loaded }: MetricTotals,
  rowCount: number,
): HTMLElement {
  const spell = spellMetric(metric);
  const reported = (value: number | null): string => (value === null ? '–' : spell(value));
  const part = (look: string, name: string, value: string): HTMLElement =>
    el('span', look, {}, [el('span', 'total-name', {}, [name]), ` ${value}`]);
  const isReported = loaded !== undefined && loaded.median !== null;
  const isPart = isReported && loaded.rows < rowCount;
  const negative = loaded?.negative ?? 0;
  const isWrong = negative > 0 || (min !== null && min < 0);
  const element = el('span', 'fact totals', {}, [
    el('span', 'totals-name', {}, [label]),
    part('total', t('sum'), spell(sum)),
    part('total', t('avg'), reported(average)),
    part('total minor', t('min'), reported(min)),
    part('total minor', t('max'), reported(max)),
    ...(isReported
      ? [
          part('total', t('p50'), reported(loaded.median)),
          part('total', t('p95'), reported(loaded.p95)),
        ]
      : []),
    ...(isPart
      ? [
          el('span', 'total total-name', {}, [
            t('{0} of {1} rows loaded', spellNumber(loaded.rows), spellNumber(rowCount)),
          ]),
        ]
      : []),
    ...(isWrong
      ? [el('span', 'total wrong', {}, [icon('warning'), ` ${t('values below zero')}`])]
      : []),
    el('span', 'total total-name', {}, [
      count === 1 ? t('1 value') : t('{0} values', spellNumber(count)),
    ]),
  ]);
  element.title = [
    t('{0} over {1} cells that have a value.', label, spellNumber(count)),
    ...(isReported
      ? [t('p50 and p95 are based on the {0} loaded rows.', spellNumber(loaded.rows))]
      : []),
    ...(isWrong
      ? [t('Some values are negative, which is invalid; they are included in the sum.')]
      : []),
  ].join('\n');
  return element;
}

/** The foot of the view: how much there is, how it stands, what it cost. */
export class StatusLine {
  readonly element = el('footer', 'status-line', { 'aria-label': t('Sheet summary') });
  readonly #model: SheetModel;
  readonly #actions: GridActions;
  readonly #sheet = el('span', 'facts');
  readonly #selection = el('span', 'facts');
  readonly #savingText = el('span', 'saving-text');
  readonly #savingFill = el('span', 'bar-fill');
  readonly #savingBar = el(
    'div',
    'bar',
    { role: 'progressbar', 'aria-valuemin': '0', 'aria-valuemax': '100' },
    [this.#savingFill],
  );
  readonly #saving = el('span', 'saving', { role: 'group', 'aria-label': t('Saving') }, [
    el('span', 'spinner', { 'aria-hidden': 'true' }),
    this.#savingText,
    this.#savingBar,
  ]);
  #stop: HTMLElement | undefined;
  readonly #summary = el('span', 'facts summary', {
    role: 'group',
    'aria-label': t('Sum of the selection'),
  });

  constructor(model: SheetModel, actions: GridActions) {
    this.#model = model;
    this.#actions = actions;
    // The numbers come after the first painting, and must find their line there.
    this.#sheet.append(separated('\u00a0'));
    this.#saving.hidden = true;
    this.element.append(this.#saving, this.#selection, this.#summary, this.#sheet);
    const { changes } = model;
    // Numbers come after the first rows: to prepare their spelling takes as long as a screen of rows.
    changes.eachFrame(['sheet', 'layout', 'rows', 'operations', 'painted'], () => {
      if (model.view.isPainted) this.#show();
    });
    changes.eachFrame(['saving'], () => this.#showSaving());
    changes.eachFrame(['selection', 'layout', 'sheet'], () => this.#showSelection());
  }

  /** Work on many cells that is under way, and edits that wait for the service. */
  #showSaving(): void {
    const { saving, unsavedCounts } = this.#model.sheet;
    const waiting = unsavedCounts?.waiting ?? 0;
    this.#saving.hidden = !saving && waiting === 0;
    if (saving) {
      this.#savingText.textContent =
        saving.message === '' ? saving.title : `${saving.title}: ${saving.message}`;
      this.#savingFill.style.width = `${saving.percent ?? 0}%`;
      this.#savingBar.hidden = saving.percent === undefined;
      this.#savingBar.setAttribute('aria-valuenow', String(Math.round(saving.percent ?? 0)));
      this.#savingBar.setAttribute('aria-label', saving.title);
      if (this.#stop === undefined) {
        this.#stop = button({
          label: t('Stop'),
          icon: 'debug-stop',
          look: 'secondary',
          run: this.#actions.stopSaving,
        });
        this.#saving.append(this.#stop);
      }
      return;
    }
    this.#stop?.remove();
    this.#stop = undefined;
    this.#savingBar.hidden = true;
    this.#savingText.textContent =
      waiting === 1
        ? t('1 cell not saved yet')
        : t('{0} cells not saved yet', spellNumber(waiting));
  }

  #show(): void {
    const model = this.#model;
    const { sheet } = model;
    if (sheet.log !== undefined) {
      const sums = sheet.totals
        .filter(({ count }) => count > 0)
        .map((one) => totalsElement(one, model.rowCount));
      this.#sheet.replaceChildren(separated(spellLoaded(sheet.log)), ...sums);
      return;
    }
    const rows = model.isCountKnown
      ? model.rowCount === 1
        ? t('1 row')
        : t('{0} rows', spellNumber(model.rowCount))
      : t('{0}+ rows', spellNumber(Math.max(0, model.rowCount - 100)));
    const columns = sheet.columns.length;
    this.#sheet.replaceChildren(
      separated(rows),
      separated(columns === 1 ? t('1 column') : t('{0} columns', columns), true),
      ...(sheet.version === undefined
        ? []
        : [separated(t('Version {0}', spellNumber(sheet.version)))]),
      ...this.#counts(sheet),
      // Without a single value there is nothing to sum up: a sheet of plain columns shows none.
      ...sheet.totals
        .filter(({ count }) => count > 0)
        .map((one) => totalsElement(one, model.rowCount)),
    );
  }

  #showSelection(): void {
    const { rows, columns } = sizeOf(this.#model.selection);
    const isWorthSaying = rows * columns > 1;
    this.#summary.replaceChildren();
    this.#selection.replaceChildren(
      ...(isWorthSaying
        ? [separated(t('{0} × {1} cells selected', spellNumber(rows), columns))]
        : []),
    );
  }

  showSummary(summary: SelectionSummary): void {
    const { numbers, sum, min, max, nulls, empties, distinct, scanned, rows } = summary;
    const facts: readonly (readonly [string, string])[] = [
      [t('values'), spellNumber(summary.values)],
      ...(numbers === 0
        ? []
        : ([
            [t('sum'), spellDigits(sum)],
            [
              t('avg'),
              (Number(sum) / numbers).toLocaleString(language, { maximumSignificantDigits: 12 }),
            ],
            [t('min'), spellDigits(min ?? '0')],
            [t('max'), spellDigits(max ?? '0')],
          ] as const)),
      ...(nulls === 0 ? [] : ([[t('null'), spellNumber(nulls)]] as const)),
      ...(empties === 0 ? [] : ([[t('empty'), spellNumber(empties)]] as const)),
      [
        t('distinct'),
        summary.isDistinctAtLeast
          ? t('at least {0}', spellNumber(distinct))
          : spellNumber(distinct),
      ],
    ];
    const part = scanned < rows;
    this.#summary.replaceChildren(
      el('span', 'fact totals', {}, [
        ...facts.map(([name, value]) =>
          el('span', 'total', {}, [el('span', 'total-name', {}, [name]), ` ${value}`]),
        ),
        ...(part ? [t('{0} of {1} rows loaded', spellNumber(scanned), spellNumber(rows))] : []),
      ]),
    );
  }

  showSummaryFault(message: string): void {
    this.#summary.replaceChildren(separated(message));
  }

  #counts({ statusCounts }: GridSheet): readonly HTMLElement[] {
    const place = (status: string): number => (order.indexOf(status.toLowerCase()) + 8) % 8;
    return Object.entries(statusCounts)
      .filter(([, count]) => count > 0)
      .sort(([a], [b]) => place(a) - place(b))
      .map(([status, count]) => {
        const { within, look } = statusPresentation(status);
        return el('span', `fact count ${look}`, {}, [
          el('span', 'badge', {}, [`${spellNumber(count)} ${within}`]),
        ]);
      });
  }
}
