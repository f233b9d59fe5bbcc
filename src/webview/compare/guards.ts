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

const named = shape({ id: text, title: text });
const counts = shape({ left: whole, right: whole, tie: whole });
const side = shape({ text: nullable(text), status: text });
const view = shape({
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
const row = shape({
  position: whole,
  rowIndex: whole,
  left: side,
  right: side,
  verdict: nullable(oneOf(verdicts)),
});

const listed = listOf(shape({ rowIndex: whole, isSame: flag, verdict: nullable(oneOf(verdicts)) }));

function checked(check: Check, what: string, value: unknown): unknown {
  if (check(value)) return value;
  throw new Error(
    t('The extension sent {0} that the page does not understand. Reload the window.', what),
  );
}

export const asView = (value: unknown) => checked(view, t('a comparison'), value) as ComparisonView;
export const asRow = (value: unknown) => checked(row, t('a row'), value) as ComparedRow;
export const asCounts = (value: unknown) => checked(counts, t('counts'), value) as VerdictCounts;
export const asList = (value: unknown) => checked(listed, t('rows'), value) as readonly ListedRow[];

export function checkIncoming(kind: 'request' | 'event', name: string, payload: unknown): unknown {
  if (kind === 'event' && name === 'changed') return payload;
  throw new Error(`The comparison was sent an unfit ${kind}: ${name}`);
}
