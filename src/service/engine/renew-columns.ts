import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dependency } from '../../api/column.ts';
import { sameJson } from '../../core/comparison.ts';
import type { Log } from '../log.ts';
import type { Database, Session } from '../store/database.ts';
import type { ColumnRecord } from '../store/records.ts';
import { listColumns, raiseVersion } from '../store/scope.ts';
import { codeSources } from './code-sources.ts';
import { jsonFromText, jsonToText, isObject, type Json } from './columns/json.ts';
import { withSourceIds } from './composition-source.ts';
import { markDependentsStale } from './mark-stale.ts';
import { EngineProblem } from './problem.ts';
import { knownNames } from './rename-source.ts';
import { validateColumn, type ColumnFacts } from './validate-column.ts';

const COLUMNS_AT_ONCE = 200;

interface Renewed {
  readonly before: ColumnRecord;
  readonly config: Json;
  readonly dependencies: readonly Dependency[];
}

/**
 * Columns keep what was found in them when they were saved: which columns code reads, and which column
 * of another sheet is shown. An older program has found less. This finds it again, without anybody
 * having to save them; a little at a time, beside everything else.
 */
export async function renewColumns(
  database: Database,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const isEnded = (): boolean => signal.aborted;
  let place = { sheet_key: -1, key: -1 };
  let sheet = -1;
  while (!isEnded()) {
    const found = await database.query<{ sheet_key: number; key: number; type: string }>(
      'select sheet_key, key, type from columns where (sheet_key, key) > (?, ?) order by sheet_key, key limit ?',
      [place.sheet_key, place.key, COLUMNS_AT_ONCE],
    );
    for (const { sheet_key: sheetKey, type } of found) {
      if (isEnded() || sheet === sheetKey || !isRenewable(type)) continue;
      sheet = sheetKey;
      await renewApart(database, sheetKey, log);
      await nextTurn();
    }
    const last = found.at(-1);
    if (last === undefined) return;
    place = last;
    await nextTurn();
  }
}

const isRenewable = (type: string): boolean => type === 'CODE_EXECUTION' || type === 'COMPOSITION';

/** A sheet holds nothing up in which there is nothing to do. */
async function renewApart(database: Database, sheetKey: number, log: Log): Promise<void> {
  const changes = await database.read((session) => changesOf(session, sheetKey));
  if (changes.length === 0) return;
  await database.transaction(async (session) => {
    const sheet = await session.one(
      `select key from sheets where key = ? and deleted_at is null${database.dialect.forUpdate}`,
      [sheetKey],
    );
    if (sheet === undefined) return;
    const count = await renewSheet(session, sheetKey);
    if (count === 0) return;
    await raiseVersion(session, sheetKey);
    log.info('Columns read what an older version had not seen in them', { sheetKey, count });
  });
}

/** Of a sheet that is held. What reads more than before is stale. Answers how many columns are. */
export async function renewSheet(session: Session, sheetKey: number): Promise<number> {
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
        ? codeAnew(column, columns, facts)
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

const factsOf = ({ id, title, type, dependencies_json: text }: ColumnRecord): ColumnFacts => ({
  id,
  title,
  type,
  dependencies: JSON.parse(text) as Dependency[],
});

/** Only of what was there when the column was saved: a column that came later is another matter. */
function codeAnew(
  column: ColumnRecord,
  columns: readonly ColumnRecord[],
  facts: readonly ColumnFacts[],
): Renewed | undefined {
  const config = jsonFromText(column.config_json);
  const { dependencies } = factsOf(column);
  const has = (id: string): boolean => dependencies.some((edge) => edge.column_id === id);
  const others = facts.filter(
    ({ id }, at) => has(id) || (columns[at]?.created_at ?? 0) <= column.updated_at,
  );
  const code = isObject(config) ? config['code'] : undefined;
  const { names, isOpen } = codeSources(typeof code === 'string' ? code : '');
  const isNews = others.some(
    ({ id, title }) => id !== column.id && !has(id) && (isOpen || names.has(title)),
  );
  if (!isNews) return undefined;
  const draft = {
    ...{ id: column.id, title: column.title, type: column.type, config, dependencies },
    known: knownNames({ config, dependencies }),
  };
  const valid = validOrNot(() => validateColumn(draft, others));
  const isMore = valid !== undefined && valid.dependencies.length > dependencies.length;
  return isMore ? { before: column, config, dependencies: valid.dependencies } : undefined;
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

/** What would be refused today stays as it was saved. */
function validOrNot<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof EngineProblem) return undefined;
    throw error;
  }
}
