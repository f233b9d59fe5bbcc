/** Checks what the extension sends: enough of its shape that nothing here can trip over it. */
import type {
  ColumnFoot,
  Interval,
  MatrixCell,
  MatrixEvents,
  MatrixProgress,
  MatrixView,
  WholeAnswer,
} from '../../protocol/matrix.ts';
import { cellStates, haltKinds } from '../../protocol/matrix.ts';
import { endingKinds } from '../../protocol/run.ts';
import {
  flag,
  listOf,
  number,
  oneOf,
  optional,
  shape,
  text,
  whole,
  type Check,
} from '../common/checks.ts';
import { t } from '../common/language.ts';
import { incomingOf, readerOf } from '../common/read.ts';

const cell: Check<MatrixCell> = shape({
  columnId: text,
  caseId: whole,
  state: oneOf(cellStates),
  excerpt: text,
  length: whole,
  ending: optional(shape({ kind: oneOf(endingKinds), reason: text })),
  problem: optional(shape({ message: text, hint: optional(text), variable: optional(text) })),
  scores: listOf(
    shape({
      scorerId: text,
      pass: optional(flag),
      problem: optional(text),
      isRunning: optional(flag),
    }),
  ),
  elapsedMs: optional(number),
  inputTokens: optional(number),
  outputTokens: optional(number),
  requestId: optional(number),
  priceUsd: optional(number),
  isCached: optional(flag),
  isDifferent: optional(flag),
});

const interval: Check<Interval> = shape({ mean: number, low: number, high: number });
const foot: Check<ColumnFoot> = shape({
  columnId: text,
  answered: whole,
  failed: whole,
  cut: whole,
  scored: whole,
  passRate: optional(interval),
  score: optional(interval),
  p50Ms: optional(number),
  p95Ms: optional(number),
  inputTokens: optional(number),
  outputTokens: optional(number),
  costUsd: optional(number),
  priced: whole,
  firsts: whole,
});

const progress: Check<MatrixProgress> = shape({
  isRunning: flag,
  total: whole,
  answered: whole,
  failed: whole,
  costUsd: optional(number),
  unpriced: whole,
  halt: optional(oneOf(haltKinds)),
});

type Best = readonly [number, string];
const best: Check<Best> = (value): value is Best =>
  Array.isArray(value) && value.length === 2 && whole(value[0]) && text(value[1]);

const view: Check<MatrixView> = shape({
  page: shape({ matrixId: text }),
  title: text,
  connection: shape({ name: text, local: flag }),
  columns: listOf(shape({ id: text, title: text, detail: text, isUnpublished: flag })),
  cases: listOf(shape({ id: whole, title: text, summary: text })),
  scorers: listOf(shape({ id: text, title: text })),
  cells: listOf(cell),
  foots: listOf(foot),
  best: listOf(best),
  progress,
});

const changes: Check<MatrixEvents['cells']> = shape({
  cells: listOf(cell),
  foots: listOf(foot),
  progress,
});
const answer: Check<WholeAnswer> = shape({ text, first: optional(text) });

const read = readerOf('page');
export const asView = read(view, () => t('a comparison'));
export const asAnswer = read(answer, () => t('an answer'));
export const checkIncoming = incomingOf('page', { events: { changed: view, cells: changes } });
