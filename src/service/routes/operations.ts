import {
  cancelOperation,
  createOperation,
  getOperation,
  getStatusCounts,
  listOperations,
} from '../../api/operation.ts';
import type { OperationState } from '../engine/index.ts';
import {
  cancelOperation as cancel,
  createOperation as start,
  getOperation as read,
  listOperations as readActive,
  statusCounts,
} from '../engine/index.ts';
import type { JsonText } from '../http/json-text.ts';
import { jsonObject } from '../http/json-text.ts';
import { notFound } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { accepted, ok, route } from '../http/route.ts';
import type { Session } from '../store/database.ts';
import type { SheetRecord } from '../store/records.ts';
import type { SheetScope } from '../store/scope.ts';
import { findSheet } from '../store/scope.ts';
import { operationCells } from './operation-cells.ts';
import { ownValue } from '../../api/own-value.ts';

/** Operations speak of cells in uppercase and with older words; cells themselves do not. */
const publicStatus: Readonly<Record<string, string>> = { error: 'FAILED' };
const upper = (status: string): string => ownValue(publicStatus, status) ?? status.toUpperCase();
/** Named even when zero, as the published answers do. */
const always = { STALE: 0, QUEUED: 0, DISPATCHED: 0, RUNNING: 0, COMPLETED: 0, FAILED: 0 };

function publicCounts(counts: Readonly<Record<string, number>>): Record<string, number> {
  const named = Object.entries(counts).filter(
    ([status, count]) => status !== 'cancelled' || count > 0,
  );
  return {
    ...always,
    ...Object.fromEntries(named.map(([status, count]) => [upper(status), count])),
  };
}

const urlOf = (scope: SheetScope, operationId: string): string =>
  `/api/public/v2/tables/${scope.tableId}/sheets/${scope.sheetId}/operations/${operationId}`;

function operationJson(operation: OperationState, scope: SheetScope): JsonText {
  return jsonObject({
    operation_id: operation.id,
    operation: 'recalculate',
    status: operation.status,
    status_counts: publicCounts(operation.counts),
    cell_count: operation.cellCount,
    completed_count: operation.completedCount,
    failed_count: operation.failedCount,
    pending_count: operation.pendingCount,
    status_url: urlOf(scope, operation.id),
    // Fields of our own, and only where they say something.
    ...(operation.cost && {
      cost_ceiling_usd: operation.cost.ceiling,
      spent_usd: operation.cost.spent,
    }),
    ...(operation.stopMessage !== undefined && { error_message: operation.stopMessage }),
  });
}

const list = route(listOperations, async ({ params, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const answer = await services.database.read(async (session) => {
    const sheet = await findSheet(session, scope);
    const { totalCells, counts, pendingCount } = await statusCounts(session, sheet.key);
    const active = await readActive(session, sheet.key);
    return jsonObject({
      success: true,
      sheet_id: sheet.id,
      version: sheet.version_count,
      total_cells: totalCells,
      status_counts: publicCounts({ ...counts }),
      pending_count: pendingCount,
      active_operations: active.map((operation) => operationJson(operation, scope)),
    });
  });
  return ok(answer);
});

const create = route(createOperation, async (call) => {
  const { params, query, body, workspaceId, isRestricted, services } = call;
  const { database, secret } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const sheet = await findSheet(database, scope);
  const outcome = await start(
    database,
    sheet,
    {
      columnIds: body?.column_ids ?? undefined,
      rowIndices: body?.row_ids ?? undefined,
      statuses: body?.statuses ?? undefined,
      confirmationToken: body?.confirmation_token ?? undefined,
    },
    {
      confirmationSecret: secret,
      costCeiling: query.cost_ceiling_usd ?? services.costCeiling,
      isRestricted,
    },
  );
  switch (outcome.kind) {
    case 'nothing':
      return ok(
        jsonObject({
          success: true,
          cell_count: 0,
          virtual_cell_count: outcome.virtualCellCount,
          cells: [],
        }),
      );
    case 'confirmation':
      return ok(
        jsonObject({
          success: false,
          requires_confirmation: true,
          confirmation_token: outcome.token,
          affected_cell_count: outcome.affectedCellCount,
          message: outcome.message,
        }),
      );
    case 'queued':
      return accepted(
        jsonObject({
          success: true,
          operation: 'recalculate',
          operation_id: outcome.operationId,
          execution_id: outcome.executionId,
          execution_ids: [outcome.executionId],
          cell_count: outcome.cellCount,
          version: outcome.version,
          status_url: urlOf(scope, outcome.operationId),
          virtual_cell_count: outcome.virtualCellCount,
          cells: await operationCells(database, sheet, outcome.cells),
        }),
      );
  }
});

async function findOperation(
  session: Session,
  sheet: SheetRecord,
  operationId: string,
): Promise<OperationState> {
  const operation = await read(session, sheet.key, operationId);
  if (operation === undefined) throw notFound('This operation');
  return operation;
}

const get = route(getOperation, async ({ params, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const operation = await services.database.read(async (session) =>
    findOperation(session, await findSheet(session, scope), params.operation_id),
  );
  return ok(jsonObject({ success: true, operation: operationJson(operation, scope) }));
});

const remove = route(cancelOperation, async ({ params, workspaceId, services }) => {
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const sheet = await findSheet(database, scope);
  const outcome = await cancel(database, sheet.key, params.operation_id);
  const count = outcome.cancelledCellCount;
  return ok(
    jsonObject({
      success: true,
      message:
        count === 0
          ? 'Nothing was running under this id.'
          : `The recalculation is canceled; ${String(count)} cells are back to what they were.`,
      operation_id: outcome.operationId,
      execution_ids: outcome.executionIds,
      cancelled_cell_count: count,
      not_started_reset_count: outcome.notStartedResetCount,
      running_invalidated_count: outcome.runningInvalidatedCount,
    }),
  );
});

const counts = route(getStatusCounts, async ({ params, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const found = await services.database.read(async (session) =>
    statusCounts(session, (await findSheet(session, scope)).key),
  );
  return ok(
    jsonObject({
      success: true,
      total_cells: found.totalCells,
      status_counts: publicCounts({ ...found.counts }),
    }),
  );
});

export const operationRoutes: readonly Route[] = [list, create, get, remove, counts];
