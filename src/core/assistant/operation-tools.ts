import * as z from 'zod';
import { CancelledError, NotFoundError, ValidationError, hasErrorCode } from '../errors.ts';
import type { OperationRequest, OperationStart } from '../tables/operations.ts';
import { columnNamed } from '../tables/find.ts';
import { isRun } from '../tables/run-types.ts';
import { estimateUsd } from './cost.ts';
import { sheetFields } from './fields.ts';
import type { Place } from './place.ts';
import { findPlace } from './place.ts';
import type { Plan, ToolCall } from './tool.ts';
import { tool } from './tool.ts';

const longestWaitSeconds = 120;
const mostIds = 1_000;

const recalculation = z.strictObject({
  ...sheetFields,
  columns: z
    .array(z.string())
    .min(1)
    .max(100)
    .optional()
    .describe('Titles or ids of computed columns. Default: all of them.'),
  row_indices: z
    .array(z.int().min(0))
    .min(1)
    .max(mostIds)
    .optional()
    .describe('row_index of the rows. Default: all rows.'),
  scope: z
    .enum(['stale', 'failed', 'all'])
    .default('stale')
    .describe(
      'stale: never run, or inputs have changed. failed: ended with an error. all: every one.',
    ),
  max_cost_usd: z
    .number()
    .positive()
    .optional()
    .describe('The local workspace stops before models cost more. Hosted ones do not know it.'),
});
type Recalculation = z.output<typeof recalculation>;

/** Counts of the service come in either case. */
const countOf = (counts: Readonly<Record<string, number>>, ...wanted: readonly string[]): number =>
  Object.entries(counts)
    .filter(([status]) => wanted.includes(status.toLowerCase()))
    .reduce((sum, [, count]) => sum + count, 0);

interface Wanted {
  readonly place: Place;
  readonly request: OperationRequest;
  readonly plan: Extract<Plan, { kind: 'recalculate' }>;
}

async function understand(input: Recalculation, call: ToolCall): Promise<Wanted> {
  const { client, options, workspace } = call;
  const place = await findPlace(call, input);
  const { ref, table, sheet } = place;
  const [page, list] = await Promise.all([
    client.tables.rows.page(
      ref,
      { limit: 1, include_columns: true, include_execution_metadata_aggregates: true },
      options,
    ),
    client.tables.operations.list(ref, options),
  ]);
  const named = input.columns?.map((name) => columnNamed(page.columns, name));
  const typed = named?.find(({ type }) => !isRun(type));
  if (typed !== undefined) {
    throw new ValidationError(
      { kind: 'tool-call', words: `The column "${typed.title}" is of type ${typed.type}.` },
      {
        hint: {
          kind: 'call-again',
          words: 'Its cells are not computed. Name computed columns only.',
        },
      },
    );
  }
  const columns = (named ?? page.columns).filter(({ type }) => isRun(type));
  const rowCount = input.row_indices?.length ?? page.rowCount ?? sheet.row_count ?? 0;
  const counts = list.status_counts ?? undefined;
  const { scope } = input;
  const inState =
    scope === 'all' || counts === undefined
      ? Infinity
      : scope === 'failed'
        ? countOf(counts, 'error', 'failed')
        : countOf(counts, 'stale');
  // Cells that wait for people are stale as well, and do not run.
  const isWhole =
    named === undefined &&
    input.row_indices === undefined &&
    page.columns.every(({ type }) => type !== 'HUMAN');
  const cellCount = Math.min(columns.length * rowCount, inState);
  const statuses = { stale: undefined, failed: ['FAILED' as const], all: [] }[scope];
  return {
    place,
    request: {
      ...(named !== undefined && { column_ids: named.map(({ id }) => id) }),
      ...(input.row_indices !== undefined && { row_ids: input.row_indices }),
      // No statuses means stale ones, an empty list means all.
      ...(statuses !== undefined && { statuses }),
    },
    plan: {
      kind: 'recalculate',
      workspace: workspace.name,
      table: table.title,
      sheet: sheet.title,
      columns: named?.map(({ title }) => title),
      rowIndices: input.row_indices,
      scope,
      cellCount,
      isUpperLimit: !isWhole || inState === Infinity,
      costUsd: estimateUsd(columns, page.aggregates, Math.min(rowCount, cellCount)),
      costCeilingUsd: input.max_cost_usd,
    },
  };
}

async function start(
  { place, request, plan }: Wanted,
  { client, options, toolContext }: ToolCall,
): Promise<OperationStart> {
  const callOptions = { ...options, costCeilingUsd: plan.costCeilingUsd };
  const answer = await client.tables.operations.create(place.ref, request, callOptions);
  if (answer.kind !== 'confirmation') return answer;
  const { affectedCellCount: cellCount, confirmationToken } = answer;
  // The user has agreed to what was planned. More than that is another question.
  if (cellCount > plan.cellCount && toolContext.confirm !== undefined) {
    const isWanted = await toolContext.confirm({ ...plan, cellCount, isUpperLimit: false });
    if (!isWanted)
      throw new CancelledError({
        kind: 'declined',
        words: 'The user does not want so many cells to run.',
      });
  }
  const confirmed = { ...request, confirmation_token: confirmationToken };
  return client.tables.operations.create(place.ref, confirmed, callOptions);
}

export const recalculate = tool({
  name: 'recalculate_sheet_cells',
  title: 'Recalculate cells',
  description:
    'Starts the recalculation of computed cells of a sheet: runs their prompts, code and evaluations. It may cost money, so the user is asked first with the number of cells and the estimated cost. Returns at once with an operation_id: follow it with get_sheet_operation, stop it with cancel_sheet_operation. Name columns and rows when only some are meant.',
  effect: 'changes',
  input: recalculation,
  plan: async (input, call) => {
    const { plan } = await understand(input, call);
    return plan.cellCount === 0 ? undefined : plan;
  },
  async run(input, call) {
    const wanted = await understand(input, call);
    const { ref } = wanted.place;
    const isNothing = wanted.plan.cellCount === 0;
    // Nobody was asked when there was nothing to run; by now there may be.
    if (!isNothing && !call.wasAsked && (await call.toolContext.confirm?.(wanted.plan)) !== true) {
      throw new CancelledError({
        kind: 'declined',
        words: 'The user was not asked, or does not want the cells to run.',
      });
    }
    const answer = isNothing ? undefined : await start(wanted, call);
    if (answer?.kind !== 'queued') {
      return {
        started: false,
        reason:
          input.scope === 'all'
            ? 'There is no cell to run.'
            : 'No cell needs to run. Use scope "all" to run them anyway.',
      };
    }
    const { operationId, cellCount } = answer;
    call.toolContext.started?.(call.workspace.id, ref, operationId);
    return { started: true, operation_id: operationId, cells: cellCount };
  },
});

async function waitFor(
  { client, options }: ToolCall,
  { ref }: Place,
  { id, seconds }: { readonly id: string; readonly seconds: number },
) {
  const { operations } = client.tables;
  const deadline = performance.now() + seconds * 1000;
  let operation = await operations.get(ref, id, options);
  const pace = { ...options, firstDelayMs: 200, maxDelayMs: 1_000 };
  if (seconds === 0 || operation.pending_count === 0) return operation;
  for await (const seen of operations.watch(ref, id, pace)) {
    ({ operation } = seen);
    if (seen.isFinished || performance.now() > deadline) break;
  }
  return operation;
}

export const getOperation = tool({
  name: 'get_sheet_operation',
  title: 'Get recalculation status',
  description:
    'Returns the progress of a recalculation of a sheet (status, cells done, failed, pending, money spent); with wait_seconds it waits for the end that long. Without operation_id: the active operations of the sheet, and how many of its cells have which status.',
  effect: 'reads',
  input: z.strictObject({
    ...sheetFields,
    operation_id: z
      .string()
      .min(1)
      .optional()
      .describe('As recalculate_sheet_cells has answered it. Left out: all active ones.'),
    wait_seconds: z
      .int()
      .min(0)
      .max(longestWaitSeconds)
      .default(0)
      .describe('How long to wait for the end, at most. 0: answer at once.'),
  }),
  async run({ operation_id: id, wait_seconds: seconds, ...wanted }, call) {
    const { client, options } = call;
    const place = await findPlace(call, wanted);
    if (id === undefined) {
      const list = await client.tables.operations.list(place.ref, options);
      return {
        active_operations: list.active_operations.map(presentationOfOperation),
        cells_by_status: list.status_counts ?? {},
      };
    }
    try {
      return presentationOfOperation(await waitFor(call, place, { id, seconds }));
    } catch (error) {
      if (!hasErrorCode(error, 'not_found')) throw error;
      throw new NotFoundError(
        {
          kind: 'tool-call',
          words: 'The operation is no longer known: those that have ended are forgotten.',
        },
        {
          hint: {
            kind: 'call-again',
            words:
              'Call get_sheet_operation without operation_id for the state of the cells, or read the rows.',
          },
          cause: error,
        },
      );
    }
  },
});

const presentationOfOperation = (operation: Awaited<ReturnType<typeof waitFor>>): object => ({
  operation_id: operation.operation_id,
  status: operation.status,
  cells: operation.cell_count,
  completed: operation.completed_count,
  failed: operation.failed_count,
  pending: operation.pending_count,
  ...(operation.spent_usd !== undefined && { spent_usd: operation.spent_usd }),
  ...(operation.cost_ceiling_usd !== undefined && { max_cost_usd: operation.cost_ceiling_usd }),
  ...(operation.error_message && { error: operation.error_message }),
});

async function pendingOf(call: ToolCall, place: Place, id: string): Promise<number | undefined> {
  try {
    return (await call.client.tables.operations.get(place.ref, id, call.options)).pending_count;
  } catch (error) {
    if (hasErrorCode(error, 'not_found')) return undefined;
    throw error;
  }
}

export const cancelOperation = tool({
  name: 'cancel_sheet_operation',
  title: 'Cancel a recalculation',
  description:
    'Stops a recalculation of a sheet. Cells that are done keep their results; the others go back to what they were. The user is asked first.',
  effect: 'changes',
  input: z.strictObject({
    ...sheetFields,
    operation_id: z
      .string()
      .min(1)
      .describe('As recalculate_sheet_cells or get_sheet_operation has answered it.'),
  }),
  async plan({ operation_id: operationId, ...wanted }, call) {
    const place = await findPlace(call, wanted);
    const pendingCount = await pendingOf(call, place, operationId);
    if (pendingCount === undefined || pendingCount === 0) return undefined;
    const { table, sheet } = place;
    const titles = { table: table.title, sheet: sheet.title };
    return { kind: 'cancel', workspace: call.workspace.name, ...titles, operationId, pendingCount };
  },
  async run({ operation_id: id, ...wanted }, call) {
    const { ref } = await findPlace(call, wanted);
    const answer = await call.client.tables.operations.cancel(ref, id, call.options);
    return {
      cancelled_cells: answer.cancelled_cell_count,
      ...(answer.cancelled_cell_count === 0 && { note: 'Nothing of it was left to cancel.' }),
    };
  },
});
