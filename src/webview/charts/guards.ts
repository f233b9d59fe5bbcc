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
import { incomingOf, readerOf } from '../common/read.ts';

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
const ofMetrics = <Value>(check: Check<Value>) =>
  shape({ latency: check, price: check, tokens: check });
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
      ...{ isReported: flag, cells: number, score: nullable(number) },
      ...{ latency: facts, price: facts, tokens: facts },
    }),
  ),
});
const spread: Check<ScoreSpread> = shape({
  bins: listOf(number),
  rows: number,
  unscored: number,
  hasMore: flag,
});
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
const events: { readonly [Name in keyof ChartsEvents]: Check<ChartsEvents[Name]> } = {
  charts,
  score,
  versions,
  tab: shape({ tab: oneOf(chartTabs) }),
  problem: shape({ where: oneOf(['charts', 'score', 'versions']), message: text }),
};

export const checkIncoming = incomingOf('charts', { events });

const view: Check<ChartsView> = shape({
  sheet: text,
  connection: shape({ name: text, local: flag }),
  tab: oneOf(chartTabs),
  page: shape({ connectionId: text, tableId: text, sheetId: text, tab: oneOf(chartTabs) }),
});
const judged: Check<JudgedRows> = shape({
  rows: listOf(
    shape({ rowIndex: number, score: nullable(number), verdict: text, reasons: listOf(text) }),
  ),
  next: nullable(number),
});

const read = readerOf('charts');
export const asView = read(view, () => t('a sheet'));
export const asJudged = read(judged, () => t('rows'));
export const asSpread = read(spread, () => t('a distribution'));
