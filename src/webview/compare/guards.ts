/** Checks what the extension sends: enough of its shape that nothing here can trip over it. */
import type {
  ComparedRow,
  ComparisonView,
  ListedRow,
  VerdictCounts,
} from '../../protocol/compare.ts';
import { verdicts } from '../../protocol/compare.ts';
import { flag, listOf, nullable, oneOf, shape, text, whole, type Check } from '../common/checks.ts';
import { t } from '../common/language.ts';
import { readerOf } from '../common/read.ts';

const named = shape({ id: text, title: text });
const counts: Check<VerdictCounts> = shape({ left: whole, right: whole, tie: whole });
const side = shape({ text: nullable(text), status: text });
const view: Check<ComparisonView> = shape({
  sheet: text,
  connection: shape({ name: text, local: flag }),
  left: named,
  right: named,
  columns: listOf(named),
  rowCount: whole,
  byHand: counts,
  target: shape({
    ...{ connectionId: text, tableId: text, sheetId: text, leftId: text, rightId: text },
  }),
});
const row: Check<ComparedRow> = shape({
  position: whole,
  rowIndex: whole,
  left: side,
  right: side,
  verdict: nullable(oneOf(verdicts)),
});

const listed: Check<readonly ListedRow[]> = listOf(
  shape({ rowIndex: whole, isSame: flag, verdict: nullable(oneOf(verdicts)) }),
);

const read = readerOf('page');
export const asView = read(view, () => t('a comparison'));
export const asRow = read(row, () => t('a row'));
export const asCounts = read(counts, () => t('counts'));
export const asList = read(listed, () => t('rows'));

export function checkIncoming(kind: 'request' | 'event', name: string, payload: unknown): unknown {
  if (kind === 'event' && name === 'changed') return payload;
  throw new Error(`The comparison was sent an unfit ${kind}: ${name}`);
}
