import { loadColumns } from '../engine/sheet-columns.ts';
import type { Session } from '../store/database.ts';
import { placeholders } from '../store/dialect.ts';
import type { SheetRecord } from '../store/records.ts';
import { planSteps } from './plan-steps.ts';
import type { CalculationRecord, ScorecardRecord } from './records.ts';
import { configOfRecord, parseConfig } from './scorecard.ts';

export interface StaleState {
  readonly is_stale: boolean;
  readonly reasons: readonly string[];
  readonly stale_step_ids: readonly string[];
  readonly stale_row_indices: readonly number[];
}

/** In larger sheets any change since counts: looking at each cell would take too long for an answer. */
const LOOKED_AT_ROWS = 20_000;
const NAMED_ROWS = 1000;

/** What has changed since a calculation: the scorecard, rows, or cells that its steps read. */
export async function staleState(
  session: Session,
  sheet: SheetRecord,
  scorecard: ScorecardRecord,
  calculation: CalculationRecord | undefined,
): Promise<StaleState | null> {
  if (calculation === undefined) return null;
  const reasons: string[] = [];
  const config = configOfRecord(scorecard);
  const used = new Map(
    parseConfig(calculation.config_json).steps.map((step) => [step.id, step.config_hash]),
  );
  if (scorecard.config_hash !== calculation.config_hash) reasons.push('configuration_changed');
  let rows: readonly number[] = [];
  // A part that was calculated says nothing about the rest.
  const isPart = calculation.selection_json !== '{}';
  if (isPart || sheet.version_count !== calculation.sheet_version) {
    if (sheet.row_count > LOOKED_AT_ROWS || (await wasRestored(session, sheet, calculation))) {
      reasons.push('sheet_changed');
    } else {
      const columns = planSteps(config.steps, await loadColumns(session, sheet.key)).columns;
      rows = await changedRows(
        session,
        calculation,
        columns.map(({ key }) => key),
      );
      if (rows.length > 0) reasons.push('cells_changed');
      const added = await newRows(session, calculation);
      if (added.length > 0) reasons.push('rows_added');
      rows = [...new Set([...rows, ...added])].sort((a, b) => a - b).slice(0, NAMED_ROWS);
      if (await hasLostRows(session, calculation)) reasons.push('rows_deleted');
    }
  }
  return {
    is_stale: reasons.length > 0,
    reasons,
    stale_step_ids: config.steps
      .filter(({ id, config_hash: now }) => used.get(id) !== now)
      .map(({ id }) => id),
    stale_row_indices: rows,
  };
}

/** Restoring puts cells back with the times that they had. */
async function wasRestored(
  session: Session,
  sheet: SheetRecord,
  calculation: CalculationRecord,
): Promise<boolean> {
  const found = await session.one(
    `select number from versions where sheet_key = ? and created_at >= ? and metadata_json like '%"restored_from"%' limit 1`,
    [sheet.key, calculation.created_at],
  );
  return found !== undefined;
}

const indices = (rows: readonly { readonly row_index: number }[]): number[] =>
  rows.map(({ row_index }) => row_index);

async function changedRows(
  session: Session,
  { sheet_key, number }: CalculationRecord,
  columnKeys: readonly number[],
): Promise<number[]> {
  if (columnKeys.length === 0) return [];
  return indices(
    await session.query<{ row_index: number }>(
      `select distinct r.row_index from score_rows r
       join cells c on c.sheet_key = r.sheet_key and c.row_index = r.row_index and c.updated_at >= r.computed_at
       where r.sheet_key = ? and r.calculation = ? and c.column_key in ${placeholders(columnKeys.length)}
       order by r.row_index limit ?`,
      [sheet_key, number, ...columnKeys, NAMED_ROWS],
    ),
  );
}

async function newRows(
  session: Session,
  { sheet_key, number }: CalculationRecord,
): Promise<number[]> {
  return indices(
    await session.query<{ row_index: number }>(
      `select row_index from rows where sheet_key = ? and not exists
         (select 1 from score_rows r where r.sheet_key = rows.sheet_key and r.calculation = ? and r.row_index = rows.row_index)
       order by row_index limit ?`,
      [sheet_key, number, NAMED_ROWS],
    ),
  );
}

async function hasLostRows(
  session: Session,
  { sheet_key, number }: CalculationRecord,
): Promise<boolean> {
  const found = await session.one(
    `select row_index from score_rows r where r.sheet_key = ? and r.calculation = ? and not exists
       (select 1 from rows where rows.sheet_key = r.sheet_key and rows.row_index = r.row_index) limit 1`,
    [sheet_key, number],
  );
  return found !== undefined;
}
