import type { Cell } from '../../api/cell.ts';
import { getCell, recalculateCells, updateCell, writeCells } from '../../api/cell.ts';
import type { AnswerOf, BodyOf } from '../../api/endpoint.ts';
import { ResponseFormatError } from '../errors.ts';
import type { CallOptions } from '../http/call.ts';
import type { AlsoCamelCase } from '../spelling.ts';
import { asSent } from '../spelling.ts';
import type { ApiContext } from './context.ts';
import type { SheetRef } from './ref.ts';
import { sheetParams } from './ref.ts';

/** `value`, `displayValue`: either or both. */
export type CellPatch = BodyOf<typeof updateCell>;
/** `{ cell, version, stale_count }`: `version` is the sheet's afterwards. */
export type UpdatedCell = AnswerOf<typeof updateCell>;

/** One cell of many: by `row_index` and `column_id`; `expected` is what it must still hold. */
export type CellWrite = BodyOf<typeof writeCells>['cells'][number];
/** `results` are in the order of the request. */
export type WrittenCells = AnswerOf<typeof writeCells>;

/** What recalculating exactly these cells came to. */
export type Recalculation =
  | {
      readonly kind: 'queued';
      /** Watch it like an operation id. */
      readonly executionId: string;
      readonly cellCount: number;
    }
  | { readonly kind: 'nothing'; readonly message: string | undefined };

/** Cells by their id. One that was never computed has an id that is no UUID. */
export function makeCells({ call }: ApiContext) {
  return {
    /** With its full value, also where a row page shortens it. */
    get: async (ref: SheetRef, cellId: string, options: CallOptions = {}): Promise<Cell> => {
      const params = { ...sheetParams(ref), cell_id: cellId };
      return (await call(getCell, { params }, options)).cell;
    },

    /** TEXT columns only. `stale_count` cells depend on it and must be computed again. */
    update: (
      ref: SheetRef,
      cellId: string,
      body: AlsoCamelCase<CellPatch>,
      options: CallOptions = {},
    ): Promise<UpdatedCell> => {
      const params = { ...sheetParams(ref), cell_id: cellId };
      return call(updateCell, { params, body: asSent<CellPatch>(body) }, options);
    },

    /** Many at once; the local service only. Others answer that there is no such address. */
    write: (
      ref: SheetRef,
      cells: readonly CellWrite[],
      options: CallOptions = {},
    ): Promise<WrittenCells> =>
      call(writeCells, { params: sheetParams(ref), body: { cells: [...cells] } }, options),

    /** Computes exactly these cells anew, whatever their status. */
    recalculate: async (
      ref: SheetRef,
      cellIds: readonly string[],
      options: CallOptions = {},
    ): Promise<Recalculation> => {
      const answer = await call(
        recalculateCells,
        { params: sheetParams(ref), body: { cell_ids: [...cellIds] } },
        { ...options, allowsRefusal: true },
      );
      const { execution_id: executionId, cell_count: cellCount } = answer;
      if (typeof executionId === 'string') {
        return { kind: 'queued', executionId, cellCount: cellCount ?? cellIds.length };
      }
      if (answer.success && (cellCount ?? 0) > 0) {
        throw new ResponseFormatError({ kind: 'no-execution-id' }, { issuePath: 'execution_id' });
      }
      return { kind: 'nothing', message: answer.message };
    },
  };
}
