import { codeReadAnew, type ReadableColumn, type Renewal } from '../engine/index.ts';
import type { Dependency } from '../../api/column.ts';
import type { Session } from '../store/database.ts';
import { listColumns } from '../store/scope.ts';
import type { ScorecardRecord } from './records.ts';
import { configOfRecord, scorecardHash, stepConfig, stepHash, type Step } from './scorecard.ts';
import { findScorecard } from './store.ts';

/** Which columns the code of a step reads. */
export const stepRenewal: Renewal = {
  what: 'Steps of scorecards',
  async page(session, after, limit) {
    const found = await session.query<{ sheet_key: number }>(
      'select sheet_key from scorecards where sheet_key > ? and deleted_at is null order by sheet_key limit ?',
      [after.sheet_key, limit],
    );
    return found.map((place) => ({ ...place, key: 0, isDue: true }));
  },
  isNews: async (session, sheetKey) => (await changeOf(session, sheetKey)) !== undefined,
  async renew(session, sheetKey) {
    const change = await changeOf(session, sheetKey);
    if (change === undefined) return 0;
    await session.run(
      'update scorecards set steps_json = ?, config_hash = ? where sheet_key = ? and id = ?',
      [change.stepsText, change.hash, sheetKey, change.id],
    );
    return change.count;
  },
};

interface Change {
  readonly id: string;
  readonly stepsText: string;
  /** Another one: the scores of before are stale. */
  readonly hash: string;
  readonly count: number;
}

async function changeOf(session: Session, sheetKey: number): Promise<Change | undefined> {
  const record = await findScorecard(session, sheetKey);
  if (record === undefined) return undefined;
  const before = configOfRecord(record);
  if (!before.steps.some(isCode)) return undefined;
  const columns = (await listColumns(session, sheetKey, { withSystem: false })).map(
    ({ id, title, type, dependencies_json: text, created_at: createdAt }): ReadableColumn => ({
      ...{ id, title, type, createdAt },
      dependencies: JSON.parse(text) as Dependency[],
    }),
  );
  const steps = before.steps.map((step) => stepAnew(step, record, columns));
  const count = steps.filter((step, at) => step !== before.steps[at]).length;
  if (count === 0) return undefined;
  return {
    ...{ id: record.id, count, stepsText: JSON.stringify(steps) },
    hash: scorecardHash({ ...before, steps }),
  };
}

const isCode = ({ primitive_type: type }: Step): boolean => type === 'CODE_EXECUTION';

function stepAnew(step: Step, record: ScorecardRecord, columns: readonly ReadableColumn[]): Step {
  if (!isCode(step)) return step;
  const { title, source_column_ids: named } = step;
  const sources = named.length > 0 ? named : (JSON.parse(record.evaluated_json) as string[]);
  const config = stepConfig(step.primitive_config, sources);
  // Its sources are found anew, by their ids.
  const ofCode = step.dependencies.filter(({ config_key: key }) => key === 'code');
  const dependencies = codeReadAnew(
    { title, config, dependencies: ofCode, savedAt: record.updated_at },
    columns,
  );
  if (dependencies === undefined) return step;
  const renewed = { ...step, dependencies };
  return { ...renewed, config_hash: stepHash(renewed, config) };
}
