import type { AnswerOf, BodyOf } from '../../api/endpoint.ts';
import type { CancelAnswer, Operation } from '../../api/operation.ts';
import {
  cancelOperation,
  createOperation,
  getOperation,
  getStatusCounts,
  isOperationFinished,
  listOperations,
} from '../../api/operation.ts';
import { ResponseFormatError, ValidationError } from '../errors.ts';
import type { CallOptions } from '../http/call.ts';
import type { AlsoCamelCase } from '../spelling.ts';
import { asSent } from '../spelling.ts';
import type { ApiContext, WatchOptions } from './context.ts';
import type { SheetRef } from './ref.ts';
import { sheetParams } from './ref.ts';
import { observations } from './watch.ts';

/** `{ version, total_cells, status_counts, pending_count, active_operations }`. */
export type OperationList = AnswerOf<typeof listOperations>;
/** `{ total_cells, status_counts }`: cells by status. */
export type SheetStatusCounts = AnswerOf<typeof getStatusCounts>;
/**
 * `columnIds`, `rowIds` (row indices, despite the name), `statuses` (upper case),
 * `confirmationToken`.
 */
export type OperationRequest = NonNullable<BodyOf<typeof createOperation>>;
type CreateAnswer = AnswerOf<typeof createOperation>;

/** `costCeilingUsd`: it stops before its requests to models cost more, in US dollars. */
export interface OperationOptions extends CallOptions {
  readonly costCeilingUsd?: number | undefined;
}

/** The three answers to "recalculate these cells". */
export type OperationStart =
  | {
      readonly kind: 'queued';
      readonly operationId: string;
      readonly executionIds: readonly string[];
      readonly cellCount: number;
      readonly version: number | undefined;
      readonly cells: NonNullable<CreateAnswer['cells']>;
    }
  /** No cell needs it. */
  | { readonly kind: 'nothing'; readonly virtualCellCount: number }
  /** A question to the user: send the same request with `confirmation_token`. */
  | {
      readonly kind: 'confirmation';
      readonly confirmationToken: string;
      readonly affectedCellCount: number;
      readonly message: string | undefined;
    };

/** One look at an operation that is being watched. */
export interface WatchedOperation {
  /** As last seen. */
  readonly operation: Operation;
  readonly isFinished: boolean;
  /** It is no longer known: finished ones may be forgotten. Read the cells for the outcome. */
  readonly hasVanished: boolean;
}

function readStart(answer: CreateAnswer): OperationStart {
  if (answer.requires_confirmation === true) {
    const token = answer.confirmation_token ?? undefined;
    if (token === undefined) {
      throw new ResponseFormatError(
        { kind: 'no-confirmation-token' },
        { issuePath: 'confirmation_token' },
      );
    }
    return {
      kind: 'confirmation',
      confirmationToken: token,
      affectedCellCount: answer.affected_cell_count ?? 0,
      message: answer.message,
    };
  }
  if (!answer.success) {
    throw new ValidationError({ kind: 'recalculation-refused', words: answer.message ?? '' });
  }
  const executionIds = answer.execution_ids ?? [answer.execution_id ?? []].flat();
  const operationId = answer.operation_id ?? executionIds[0];
  if (operationId !== undefined) {
    return {
      kind: 'queued',
      operationId,
      executionIds,
      cellCount: answer.cell_count ?? 0,
      version: answer.version ?? undefined,
      cells: answer.cells ?? [],
    };
  }
  if ((answer.cell_count ?? 0) > 0) {
    throw new ResponseFormatError({ kind: 'no-operation-id' }, { issuePath: 'operation_id' });
  }
  return { kind: 'nothing', virtualCellCount: answer.virtual_cell_count ?? 0 };
}

/** Recalculations of a sheet (specification 2.8, 4.2). */
export function makeOperations({ call, clock }: ApiContext) {
  /**
   * An operation as it is now; a finished one may be gone (NotFoundError). Execution ids work too.
   */
  const get = async (
    ref: SheetRef,
    operationId: string,
    options: CallOptions = {},
  ): Promise<Operation> => {
    const params = { ...sheetParams(ref), operation_id: operationId };
    return (await call(getOperation, { params }, options)).operation;
  };

  /** States until it is finished, has vanished, or the signal is aborted. */
  async function* watch(
    ref: SheetRef,
    operationId: string,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchedOperation, void, undefined> {
    let operation: Operation = {
      operation_id: operationId,
      status: 'unknown',
      cell_count: 0,
      completed_count: 0,
      failed_count: 0,
      pending_count: 0,
    };
    const look = async (): Promise<{ state: Operation; isFinished: boolean }> => {
      const state = await get(ref, operationId, options);
      return { state, isFinished: isOperationFinished(state) };
    };
    const what = 'Watching the operation';
    for await (const seen of observations(look, { ...options, clock, what })) {
      operation = seen?.state ?? operation;
      yield {
        operation,
        isFinished: seen?.isFinished ?? true,
        hasVanished: seen === undefined,
      };
    }
  }

  return {
    /** Active operations only, with the sheet's counts by status. */
    list: (ref: SheetRef, options: CallOptions = {}): Promise<OperationList> =>
      call(listOperations, { params: sheetParams(ref) }, options),

    /**
     * Careful: `statuses: []` means cells of every status; leave it out for stale ones only.
     * `costCeilingUsd` is kept by the local service, and is nothing to the hosted one.
     */
    create: async (
      ref: SheetRef,
      body: AlsoCamelCase<OperationRequest> = {},
      { costCeilingUsd, ...options }: OperationOptions = {},
    ): Promise<OperationStart> =>
      readStart(
        await call(
          createOperation,
          {
            params: sheetParams(ref),
            query: { cost_ceiling_usd: costCeilingUsd },
            body: asSent<OperationRequest>(body),
          },
          { ...options, allowsRefusal: true },
        ),
      ),

    get,

    /** A finished or unknown operation is a success with zero counts. */
    cancel: (
      ref: SheetRef,
      operationId: string,
      options: CallOptions = {},
    ): Promise<CancelAnswer> =>
      call(
        cancelOperation,
        { params: { ...sheetParams(ref), operation_id: operationId } },
        options,
      ),

    watch,

    /** How many cells of the sheet have which status. */
    statusCounts: (ref: SheetRef, options: CallOptions = {}): Promise<SheetStatusCounts> =>
      call(getStatusCounts, { params: sheetParams(ref) }, options),
  };
}
