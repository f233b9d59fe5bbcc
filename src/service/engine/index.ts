/**
 * What the routes and the process use of the cell engine.
 *
 * Words: an *operation* is one recalculation of a sheet; a *task* is a range of rows of one
 * operation, of which a worker claims a part; an *edge* says that a column takes a value of another one.
 *
 * Whoever writes to a sheet holds it first (`findSheetForUpdate`), so that edits, plans, cancels
 * and workers' commits of one sheet come one after the other and can't deadlock.
 * `markDependentsStale` is called inside that transaction, after the edit.
 */
export { readMirror } from './composition.ts';
export { codeReadAnew } from './code-read-anew.ts';
export type { ReadableColumn } from './code-read-anew.ts';
export { columnRenewal } from './renew-columns.ts';
export { renewSheets } from './renewal.ts';
export type { Renewal } from './renewal.ts';
export { withSourceIds, withSourceTitles } from './composition-source.ts';
export { humanAnswer } from './columns/human.ts';
export type { Json } from './columns/json.ts';
export { isComputed, isManual } from './columns/registry.ts';
export { markDependentsStale } from './mark-stale.ts';
export { mirrorsBehind, rememberMirror } from './mirrors.ts';
export { WORK_CHANNEL } from './operations/channels.ts';
export { cancelOperation } from './operations/cancel.ts';
export { createOperation, recalculateCells } from './operations/create.ts';
export type { CreateOutcome, Selection, WorkTerms } from './operations/create.ts';
export { getOperation, listOperations, statusCounts } from './operations/read.ts';
export type { OperationState } from './operations/read.ts';
export { holdClaims } from './operations/lock-sheet.ts';
export { EngineProblem } from './problem.ts';
export { validateColumn } from './validate-column.ts';
export type { ColumnFacts } from './validate-column.ts';
export { startWorkerThread } from './worker/thread.ts';
export type { RunningThread } from './worker/thread.ts';
export { startWorker } from './worker/worker.ts';
export type { RunningWorker } from './worker/worker.ts';
