import { parseJson } from '../../core/http/json.ts';
import type { Json } from '../engine/index.ts';
import { humanAnswer, isManual } from '../engine/index.ts';
import { stringifyInTurns } from '../http/long-text.ts';
import { invalid } from '../http/problem.ts';
import type { Session } from '../store/database.ts';
import type { ColumnRecord, SheetRecord } from '../store/records.ts';
import type { TimeSlice } from '../turn.ts';
import { displayJson } from './cell-json.ts';
import type { ShownCell } from './shown-cells.ts';

export interface Edit {
  /** HUMAN cells are complete with an answer and wait, stale, without one. */
  readonly status: 'input' | 'completed' | 'stale';
  readonly value: string | null;
  readonly display: string | null;
  readonly num: number | null;
}

/** The stored form of a sent value; a display value that only repeats the value is not stored. */
export interface SentCell {
  readonly value?: unknown;
  readonly display_value?: string | null | undefined;
}

/** About how long it is; of anything but a text it is not known before it is stored. */
export const lengthOf = ({ value, display_value: display }: SentCell): number =>
  (typeof value === 'string' ? value.length : 0) + (display?.length ?? 0);

export interface PlacedEdit {
  readonly rowIndex: number;
  readonly columnKey: number;
  readonly edit: Edit;
}

async function inputOf(body: SentCell, slice: TimeSlice): Promise<Edit> {
  const { value: given, display_value: display } = body;
  const sent = given === undefined ? display : given;
  const value = sent === null || sent === undefined ? null : await stringifyInTurns(sent, slice);
  const shown = typeof display === 'string' ? await stringifyInTurns(display, slice) : null;
  return {
    status: 'input',
    value,
    display: shown === null || shown === displayJson(value, null) ? null : shown,
    num: typeof sent === 'number' ? sent : null,
  };
}

/** A person's answer, checked. What is shown is always the answer itself. */
async function answerOf(
  { config_json: config, title }: ColumnRecord,
  body: SentCell,
  slice: TimeSlice,
): Promise<Edit> {
  const sent = body.value === undefined ? body.display_value : body.value;
  const answer = humanAnswer(parseJson(config) as Json, title, (sent ?? null) as Json);
  return {
    status: answer === null ? 'stale' : 'completed',
    value: answer === null ? null : await stringifyInTurns(answer, slice),
    display: null,
    num: typeof answer === 'number' ? answer : null,
  };
}

/** What is stored for a sent cell; throws when the column can't be written or refuses the value. */
export async function editOf(
  column: ColumnRecord,
  body: SentCell,
  slice: TimeSlice,
): Promise<Edit> {
  const isHuman = isManual(column.type);
  if ((column.type !== 'TEXT' && !isHuman) || column.is_system === 1) {
    throw invalid(
      `Cells of "${column.title}" are computed (${column.type}) and can't be written; only TEXT and HUMAN cells can.`,
    );
  }
  return isHuman ? answerOf(column, body, slice) : inputOf(body, slice);
}

export const isSameCell = (old: ShownCell | undefined, edit: Edit): boolean =>
  (old?.value ?? null) === edit.value &&
  (old?.display ?? null) === edit.display &&
  (old?.status ?? edit.status) === edit.status;

/** Of a sheet that is locked. */
export async function storeEdits(
  session: Session,
  sheet: SheetRecord,
  edits: readonly PlacedEdit[],
): Promise<void> {
  const now = Date.now();
  // The version that this very edit makes.
  const version = sheet.version_count + 1;
  await session.insertMany(
    {
      table: 'cells',
      columns: {
        sheet_key: 'int',
        row_index: 'int',
        column_key: 'int',
        status: 'text',
        value: 'text',
        display: 'text',
        num: 'real',
        last_computed_version: 'int',
        updated_at: 'int',
      },
      conflict: `on conflict (sheet_key, row_index, column_key) do update set status = excluded.status,
       value = excluded.value, display = excluded.display, num = excluded.num,
       last_computed_version = excluded.last_computed_version, updated_at = excluded.updated_at`,
    },
    edits.map(({ rowIndex, columnKey, edit: { status, value, display, num } }) => [
      sheet.key,
      rowIndex,
      columnKey,
      status,
      value,
      display,
      num,
      status === 'completed' ? version : null,
      now,
    ]),
  );
}
