import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dependency } from '../../api/column.ts';
import { sameJson } from '../../core/comparison.ts';
import type { Session } from '../store/database.ts';
import type { ColumnRecord } from '../store/records.ts';
import { listColumns } from '../store/scope.ts';
import { codeReadAnew, type ReadableColumn } from './code-read-anew.ts';
import { jsonFromText, jsonToText, isObject, type Json } from './columns/json.ts';
import { withSourceIds } from './composition-source.ts';
import { markDependentsStale } from './mark-stale.ts';
import { EngineProblem } from './problem.ts';
import type { Renewal, RenewalPlace } from './renewal.ts';
import { validateColumn, type ColumnFacts } from './validate-column.ts';

interface Renewed {
  readonly before: ColumnRecord;
  readonly config: Json;
  readonly dependencies: readonly Dependency[];
}

const isRenewable = (type: string): boolean => type === 'CODE_EXECUTION' || type === 'COMPOSITION';

/** Which columns code reads, and which column of another sheet is shown. */
export const columnRenewal: Renewal = {
  what: 'Columns',
  async page(session, after, limit) {
    const found = await session.query<RenewalPlace & { type: string }>(
      'select sheet_key, key, type from columns where (sheet_key, key) > (?, ?) order by sheet_key, key limit ?',
      [after.sheet_key, after.key, limit],
    );
    return found.map(({ type, ...place }) => ({ ...place, isDue: isRenewable(type) }));
  },
  isNews: async (session, sheetKey) => (await changesOf(session, sheetKey)).length > 0,
  renew: renewColumns,
};

/** Of a sheet that is held. What reads more than before is stale. Answers how many columns are. */
async function renewColumns(session: Session, sheetKey: number): Promise<number> {
  const stale: number[] = [];
  for (const { before, config, dependencies } of await changesOf(session, sheetKey)) {
    const edges = JSON.stringify(dependencies);
    const readsMore = edges !== before.dependencies_json;
    if (readsMore) stale.push(before.key);
    await session.run(
      `update columns set config_json = ?, dependencies_json = ?, config_revision = config_revision + ?
       where sheet_key = ? and key = ?`,
      [jsonToText(config), edges, Number(readsMore), sheetKey, before.key],
    );
  }
  if (stale.length > 0) {
    await markDependentsStale(session, { sheetKey, columnKeys: stale, self: true });
  }
  return stale.length;
}

async function changesOf(session: Session, sheetKey: number): Promise<Renewed[]> {
  const columns = await listColumns(session, sheetKey, { withSystem: false });
  const facts = columns.map(factsOf);
  const changes: Renewed[] = [];
  for (const [at, column] of columns.entries()) {
    const renewed =
      column.type === 'CODE_EXECUTION'
        ? codeAnew(column, facts)
        : column.type === 'COMPOSITION'
          ? await mirrorAnew(session, column, facts)
          : undefined;
    if (renewed === undefined) continue;
    changes.push(renewed);
    facts[at] = { ...factsOf(column), dependencies: renewed.dependencies };
    await nextTurn();
  }
  return changes;
}

const factsOf = (column: ColumnRecord): ReadableColumn => ({
  id: column.id,
  title: column.title,
  type: column.type,
  dependencies: JSON.parse(column.dependencies_json) as Dependency[],
  createdAt: column.created_at,
});

function codeAnew(column: ColumnRecord, facts: readonly ReadableColumn[]): Renewed | undefined {
  const config = jsonFromText(column.config_json);
  const { id, title, updated_at: savedAt } = column;
  const { dependencies } = factsOf(column);
  const found = codeReadAnew({ id, title, config, dependencies, savedAt }, facts);
  return found && { before: column, config, dependencies: found };
}

async function mirrorAnew(
  session: Session,
  column: ColumnRecord,
  facts: readonly ColumnFacts[],
): Promise<Renewed | undefined> {
  const { dependencies } = factsOf(column);
  const config = jsonFromText(column.config_json);
  if (dependencies.length > 0 || !isObject(config)) return undefined;
  const others = facts.filter(({ id }) => id !== column.id);
  const draft = { title: column.title, type: column.type, config };
  try {
    const settled = (await withSourceIds(session, column.sheet_key, draft, others)) as Json;
    if (sameJson(settled, config)) return undefined;
    const valid = validateColumn({ ...draft, id: column.id, config: settled }, others);
    return { before: column, config: settled, dependencies: valid.dependencies };
  } catch (error) {
    // Its cells say what is wrong with it.
    if (error instanceof EngineProblem) return undefined;
    throw error;
  }
}
