import { JsonText, LONG } from '../http/json-text.ts';
import { cellId } from '../store/cell-id.ts';
import type { ColumnRecord } from '../store/records.ts';
import { isoTime } from './answers.ts';
import type { ShownCell } from './shown-cells.ts';

/** Types whose cells never wait for a computation: an absent record means an empty cell. */
const typedIn = new Set(['TEXT', 'COMPOSITION']);

/**
 * JSON text of what a reader sees: a string as it is, anything else as its JSON, null as null.
 * A stored `display` says otherwise.
 */
export function displayJson(value: string | null, display: string | null): string {
  if (display !== null) return display;
  if (value === null || value === 'null') return 'null';
  return value.startsWith('"') ? value : JSON.stringify(value);
}

const text = (value: string | null): string => (value === null ? 'null' : JSON.stringify(value));

/** What of a column is in its cells. */
export type ShownColumn = Pick<ColumnRecord, 'id' | 'cell_prefix' | 'type' | 'is_system'>;

/** What is before the display value, it, what is between, the value, and what follows. */
export type CellRest = readonly [string, string, string, string, string];

/** Whether its values are not to be copied. */
export const isLong = ([, display, , value]: CellRest): boolean =>
  display.length + value.length >= LONG;

export const joined = ([head, display, between, value, tail]: CellRest): string =>
  `${head}${display}${between}${value}${tail}`;

/** Writes cells as JSON text. One per answer: it remembers the last time it has formatted. */
export class CellWriter {
  readonly #sheetId: string;
  #lastTime = Number.NaN;
  #lastIso = '';

  constructor(sheetId: string) {
    this.#sheetId = sheetId;
  }

  /** `emptySince` is the time of a cell without a record: that of its row. */
  write(
    column: ShownColumn,
    rowIndex: number,
    record: ShownCell | undefined,
    emptySince: number,
  ): string {
    return this.#head(column, rowIndex) + joined(this.rest(column, record, emptySince));
  }

  /** Long values stay texts of their own, which nobody has to copy. */
  json(
    column: ShownColumn,
    rowIndex: number,
    record: ShownCell | undefined,
    emptySince: number,
  ): JsonText {
    const head = this.#head(column, rowIndex);
    const rest = this.rest(column, record, emptySince);
    return isLong(rest) ? new JsonText([head, ...rest]) : new JsonText(head + joined(rest));
  }

  #head(column: ShownColumn, rowIndex: number): string {
    return this.head(column, cellId(column.cell_prefix, rowIndex), String(rowIndex));
  }

  /** Where the cell is. */
  head(column: ShownColumn, id: string, rowIndex: string): string {
    return `{"id":"${id}","sheet_id":"${this.#sheetId}","column_id":"${column.id}","row_index":${rowIndex},`;
  }

  /** What is in it. */
  rest(column: ShownColumn, record: ShownCell | undefined, emptySince: number): CellRest {
    if (record === undefined) {
      const status = typedIn.has(column.type) || column.is_system === 1 ? 'completed' : 'stale';
      return [
        `"status":"${status}","display_value":`,
        'null',
        ',"value":',
        'null',
        `,"error":null,"input_hash":null,"updated_at":"${this.#iso(emptySince)}","request_metrics":null,"execution_id":null,"last_computed_version":null,"error_message":null}`,
      ];
    }
    const status = record.status === 'input' ? 'completed' : record.status;
    return [
      `"status":"${status}","display_value":`,
      displayJson(record.value, record.display),
      ',"value":',
      record.value ?? 'null',
      `,"error":${text(record.error)},"input_hash":${text(record.input_hash)},"updated_at":"${this.#iso(record.updated_at)}","request_metrics":${record.metrics ?? 'null'},"execution_id":${text(record.execution_id)},"last_computed_version":${String(record.last_computed_version)},"error_message":${text(record.error_message)}}`,
    ];
  }

  #iso(milliseconds: number): string {
    if (milliseconds !== this.#lastTime) {
      this.#lastTime = milliseconds;
      this.#lastIso = isoTime(milliseconds);
    }
    return this.#lastIso;
  }
}
