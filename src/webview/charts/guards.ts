/** Checks what the extension sends: enough of its shape that nothing here can trip over it. */
import type { ChartsEvents, ChartsView, JudgedRows, ScoreSpread } from '../../protocol/charts.ts';
import { chartTabs } from '../../protocol/charts.ts';
import {
  flag,
  listOf,
  nullable,
  number,
  oneOf,
  recordOf,
  shape,
  text,
  type Check,
} from '../common/checks.ts';
import { t } from '../common/language.ts';

const facts = shape({
  ...{
    known: number,
    negative: number,
    sum: nullable(number),
    mean: nullable(number),
    min: nullable(number),
  },
  ...{ max: nullable(number), median: nullable(number), p95: nullable(number) },
  bins: listOf(number),
});
const scale = shape({
  edges: listOf(number),
  history: listOf(shape({ at: text, mean: number, known: number })),
});
const ofMetrics = (check: Check): Check => shape({ latency: check, price: check, tokens: check });
const charts = shape({
  state: oneOf(['reading', 'done', 'stopped']),
  ...{ rows: number, of: nullable(number), isSampled: flag },
  columns: listOf(shape({ id: text, title: text, cells: number, metrics: ofMetrics(facts) })),
  scales: ofMetrics(scale),
});
const part = shape({
  ...{ title: text, weight: nullable(number), score: nullable(number), rows: nullable(number) },
  ...{ verdicts: recordOf(number), drift: nullable(number) },
});
const point = shape({
  ...{ version: number, name: text, at: text, score: number },
  ...{ verdict: nullable(text), isStale: flag },
});
const scoredColumn = shape({ title: text, score: number, parts: number });
const versions = shape({
  state: oneOf(['idle', 'reading', 'done', 'stopped']),
  ...{ of: number, hasMore: flag },
  versions: listOf(
    shape({
      ...{ version: number, name: text, at: text, rows: number, of: nullable(number) },
      ...{ isTold: flag, cells: number, score: nullable(number) },
      ...{ latency: facts, price: facts, tokens: facts },
    }),
  ),
});
const spread = shape({ bins: listOf(number), rows: number, unscored: number, hasMore: flag });
const score = shape({
  kind: oneOf(['scorecard', 'score', 'none']),
  ...{ name: text, status: text, isRunning: flag, score: nullable(number) },
  done: nullable(shape({ rows: number, of: number })),
  ...{ verdict: nullable(text), drift: nullable(number), isStale: flag },
  ...{ calculatedAt: nullable(text), scoredRows: nullable(number), totalRows: nullable(number) },
  ...{
    verdicts: recordOf(number),
    parts: listOf(part),
    columns: listOf(scoredColumn),
    history: listOf(point),
  },
  problem: nullable(text),
});
const events: { readonly [Name in keyof ChartsEvents]: Check } = {
  charts,
  score,
  versions,
  tab: shape({ tab: oneOf(chartTabs) }),
  problem: shape({ where: oneOf(['charts', 'score', 'versions']), message: text }),
};

export function checkIncoming(kind: 'request' | 'event', name: string, payload: unknown): unknown {
  const check =
    kind === 'event' && Object.hasOwn(events, name)
      ? events[name as keyof ChartsEvents]
      : undefined;
  if (check?.(payload) !== true) throw new Error(`The charts were sent an unfit ${kind}: ${name}`);
  return payload;
}

const view = shape({
  sheet: text,
  connection: shape({ name: text, local: flag }),
  tab: oneOf(chartTabs),
  page: shape({ connectionId: text, tableId: text, sheetId: text, tab: oneOf(chartTabs) }),
});
const judged = shape({
  rows: listOf(
    shape({ rowIndex: number, score: nullable(number), verdict: text, reasons: listOf(text) }),
  ),
  next: nullable(number),
});

const misfit = (what: string): Error =>
  new Error(
    t('The extension sent {0} that the charts do not understand. Reload the window.', what),
  );

export function asView(given: unknown): ChartsView {
  if (!view(given)) throw misfit(t('a sheet'));
  return given as ChartsView;
}

export function asJudged(given: unknown): JudgedRows {
  if (!judged(given)) throw misfit(t('rows'));
  return given as JudgedRows;
}

export function asSpread(given: unknown): ScoreSpread {
  if (!spread(given)) throw misfit(t('a distribution'));
  return given as ScoreSpread;
}
