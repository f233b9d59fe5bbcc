import { withRenamedSource } from '../engine/rename-source.ts';
import type { Json } from '../engine/columns/json.ts';
import type { Session } from '../store/database.ts';
import { configOfRecord } from './scorecard.ts';
import { findScorecard } from './store.ts';

/** Steps that name the column as their source name it by its new name; no score is out of date. */
export async function renameInScorecard(
  session: Session,
  sheetKey: number,
  { columnId, name }: { readonly columnId: string; readonly name: string },
): Promise<void> {
  const record = await findScorecard(session, sheetKey);
  if (record === undefined) return;
  const before = configOfRecord(record).steps;
  const steps = before.map((step) => {
    const { primitive_config: config, dependencies } = step;
    const changed = withRenamedSource({ config: config as Json, dependencies }, columnId, name);
    if (changed === undefined) return step;
    return { ...step, primitive_config: changed.config, dependencies: changed.dependencies };
  });
  if (steps.every((step, at) => step === before[at])) return;
  await session.run('update scorecards set steps_json = ? where sheet_key = ? and id = ?', [
    JSON.stringify(steps),
    sheetKey,
    record.id,
  ]);
}
