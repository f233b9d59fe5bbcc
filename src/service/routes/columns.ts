import { randomUUID } from 'node:crypto';
import type { Dependency } from '../../api/column.ts';
import { createColumn, deleteColumn, listColumns, updateColumn } from '../../api/column.ts';
import { parseJson, stringifyJson } from '../../core/http/json.ts';
import type { ColumnFacts } from '../engine/index.ts';
import {
  isComputed,
  isManual,
  markDependentsStale,
  readMirror,
  rememberMirror,
  validateColumn,
  withSourceIds,
} from '../engine/index.ts';
import type { JsonText } from '../http/json-text.ts';
import { jsonObject } from '../http/json-text.ts';
import type { PageRequest } from '../http/page.ts';
import { pageAnswer, pageStart, splitPage } from '../http/page.ts';
import { invalid } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { created, ok, route } from '../http/route.ts';
import { newCellPrefix } from '../store/cell-id.ts';
import type { Session } from '../store/database.ts';
import { COLUMN_LIMIT } from '../store/limits.ts';
import type { ColumnRecord, SheetRecord } from '../store/records.ts';
import {
  findColumn,
  findSheet,
  findSheetForUpdate,
  listColumns as readColumns,
  raiseVersion,
} from '../store/scope.ts';
import type { Json } from '../engine/columns/json.ts';
import { sameJson } from '../../core/comparison.ts';
import { knownNames, withRenamedSource } from '../engine/rename-source.ts';
import { renameInScorecard } from '../scorecards/rename-source.ts';
import { CellWriter } from './cell-json.ts';
import { changeCellKind, dropAnswers, refuseWhileBusy } from './column-kind.ts';
import { insertMetricColumns } from './metric-columns.ts';
import type { ShownRow } from './row-page.ts';
import { columnsJson } from './shown-columns.ts';

/** A new column's answer shows the cells of the first rows only: there may be a million. */
const SHOWN_CELLS = 100;

const list = route(listColumns, async ({ params, query, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const resource = `columns:${params.sheet_id}`;
  const request: PageRequest = {
    scope: { workspaceId, resource, sort: 'position_rank', order: query.order },
    cursor: query.cursor,
    limit: query.limit,
  };
  return services.database.read(async (session) => {
    const sheet = await findSheet(session, scope);
    const start = pageStart(request, 2);
    const after = query.order === 'asc' ? '>' : '<';
    const found = await session.query<ColumnRecord>(
      `select * from columns where sheet_key = ? and deleted_at is null
       ${query.include_system_columns ? '' : 'and is_system = 0'}
       ${start === undefined ? '' : `and (position_rank, key) ${after} (?, ?)`}
       order by position_rank ${query.order}, key ${query.order} limit ?`,
      [sheet.key, ...(start ?? []), query.limit + 1],
    );
    const [columns, more] = splitPage(found, query.limit);
    const last = columns.at(-1);
    return ok(
      pageAnswer(
        request,
        await columnsJson(session, columns, sheet),
        columns.length,
        more && last ? [last.position_rank, last.key] : undefined,
      ),
    );
  });
});

function factsOf(column: ColumnRecord): ColumnFacts {
  return {
    id: column.id,
    title: column.title,
    type: column.type,
    dependencies: JSON.parse(column.dependencies_json) as Dependency[],
  };
}

/** The engine sees only what a user can name. */
async function readFacts(session: Session, sheetKey: number): Promise<ColumnFacts[]> {
  return (await readColumns(session, sheetKey, { withSystem: false })).map(factsOf);
}

const create = route(createColumn, async ({ params, body, workspaceId, services }) => {
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const answer = await database.transaction(async (session) => {
    const sheet = await findSheetForUpdate(database, session, scope);
    const facts = await readFacts(session, sheet.key);
    if (facts.length >= COLUMN_LIMIT) {
      throw invalid(
        `The sheet has ${String(COLUMN_LIMIT)} columns, which is the most it can have.`,
      );
    }
    const valid = validateColumn(
      {
        title: body.title,
        type: body.type,
        config: await withSourceIds(
          session,
          sheet.key,
          { ...body, config: body.config ?? {} },
          facts,
        ),
        dependencies: body.dependencies,
      },
      facts,
    );
    const column = await insertColumn(session, sheet, {
      title: body.title,
      type: valid.type,
      configJson: stringifyJson(valid.config),
      dependenciesJson: stringifyJson(valid.dependencies),
      isOutput: body.is_output_column === true,
      rank: body.position_rank ?? undefined,
    });
    if (column.type === 'PROMPT_TEMPLATE') await insertMetricColumns(session, column);
    await rememberMirror(session, column);
    const version = await raiseVersion(session, sheet.key);
    return jsonObject({
      success: true,
      column: (await columnsJson(session, [column], sheet))[0],
      cells: await firstCells(session, sheet, column),
      version,
    });
  });
  return created(answer);
});

interface NewColumn {
  readonly title: string;
  readonly type: string;
  readonly configJson: string;
  readonly dependenciesJson: string;
  readonly isOutput: boolean;
  readonly rank: number | undefined;
}

async function insertColumn(
  session: Session,
  sheet: SheetRecord,
  draft: NewColumn,
): Promise<ColumnRecord> {
  const now = Date.now();
  await session.run('update sheets set next_column_key = next_column_key + 1 where key = ?', [
    sheet.key,
  ]);
  const last = await session.one<{ rank: number | null }>(
    'select max(position_rank) as rank from columns where sheet_key = ? and deleted_at is null',
    [sheet.key],
  );
  const column = await session.one<ColumnRecord>(
    `insert into columns (sheet_key, key, id, cell_prefix, title, type, config_json, dependencies_json,
       position_rank, is_output_column, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning *`,
    [
      sheet.key,
      sheet.next_column_key,
      randomUUID(),
      newCellPrefix(),
      draft.title,
      draft.type,
      draft.configJson,
      draft.dependenciesJson,
      draft.rank ?? Math.floor(last?.rank ?? 0) + 1,
      draft.isOutput ? 1 : 0,
      now,
      now,
    ],
  );
  if (column === undefined) throw new Error('The database did not answer the new column.');
  return column;
}

async function firstCells(
  session: Session,
  sheet: SheetRecord,
  column: ColumnRecord,
): Promise<JsonText[]> {
  const rows = await session.query<ShownRow>(
    'select row_index, created_at from rows where sheet_key = ? order by row_index limit ?',
    [sheet.key, SHOWN_CELLS],
  );
  const mirrored =
    column.type === 'COMPOSITION'
      ? await readMirror(
          session,
          column,
          rows.map(({ row_index }) => row_index),
        )
      : undefined;
  const writer = new CellWriter(sheet.id);
  return rows.map(({ row_index, created_at }) =>
    writer.json(column, row_index, mirrored?.get(row_index), created_at),
  );
}

const update = route(updateColumn, async ({ params, body, workspaceId, services }) => {
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const answer = await database.transaction(async (session) => {
    const sheet = await findSheetForUpdate(database, session, scope);
    const column = await findColumn(session, sheet.key, params.column_id);
    if (column.is_system === 1) throw invalid(`"${column.title}" is kept by the service itself.`);
    const facts = await readFacts(session, sheet.key);
    const changed = changedColumn(column, await settledChange(session, column, body, facts), facts);
    const isNewKind = changed.type !== column.type;
    const recomputes =
      isNewKind ||
      changed.config_json !== column.config_json ||
      changed.dependencies_json !== column.dependencies_json;
    if (isNewKind) await refuseWhileBusy(session, sheet.key);
    if (!isSameColumn(changed, column)) await saveColumn(session, changed, recomputes);
    if (changed.title !== column.title) await renameInConfigs(session, changed);
    if (recomputes) await rememberMirror(session, changed);
    if (isNewKind) await changeCellKind(session, column, changed);
    else if (isManual(column.type) && changed.config_json !== column.config_json) {
      await dropAnswers(session, column);
    }
    const affected = recomputes
      ? await markDependentsStale(session, {
          sheetKey: sheet.key,
          columnKeys: [column.key],
          self: isComputed(changed.type),
        })
      : { staleCount: 0, columnIds: [] };
    const version = isSameColumn(changed, column)
      ? sheet.version_count
      : await raiseVersion(session, sheet.key);
    return jsonObject({
      success: true,
      column: (await columnsJson(session, [changed], sheet))[0],
      requires_recalculation: affected.columnIds.length > 0 && sheet.row_count > 0,
      affected_column_ids: affected.columnIds,
      version,
    });
  });
  return ok(answer);
});

/** The same request again is no change. */
const isSameColumn = (left: ColumnRecord, right: ColumnRecord): boolean =>
  left.title === right.title &&
  left.type === right.type &&
  left.config_json === right.config_json &&
  left.dependencies_json === right.dependencies_json &&
  left.is_output_column === right.is_output_column &&
  left.position_rank === right.position_rank;

interface ColumnChange {
  readonly title?: string | null | undefined;
  readonly type?: string | null | undefined;
  readonly config?: object | null | undefined;
  readonly dependencies?: readonly Dependency[] | null | undefined;
  readonly is_output_column?: boolean | null | undefined;
  readonly position_rank?: number | null | undefined;
}

/** What was read is sent back by the present titles, and is kept by ids. */
async function settledChange<Change extends ColumnChange>(
  session: Session,
  column: ColumnRecord,
  body: Change,
  facts: readonly ColumnFacts[],
): Promise<Change> {
  const { config } = body;
  const before = parseJson(column.config_json) as Json;
  if (!config || sameJson(config as Json, before)) return body;
  const { dependencies } = factsOf(column);
  const draft = {
    title: body.title ?? column.title,
    type: body.type ?? column.type,
    config,
    known: knownNames({ config: before, dependencies }),
  };
  const others = facts.filter(({ id }) => id !== column.id);
  return { ...body, config: await withSourceIds(session, column.sheet_key, draft, others) };
}

/** The record after the change. Only type, config and dependencies are checked anew when given. */
function changedColumn(
  column: ColumnRecord,
  body: ColumnChange,
  facts: readonly ColumnFacts[],
): ColumnRecord {
  const plain: ColumnRecord = {
    ...column,
    title: body.title ?? column.title,
    is_output_column: Number(body.is_output_column ?? column.is_output_column === 1),
    position_rank: body.position_rank ?? column.position_rank,
    updated_at: Date.now(),
  };
  if ((body.type ?? body.config ?? body.dependencies ?? undefined) === undefined) return plain;
  const stored = factsOf(column);
  const config = parseJson(column.config_json) as Json;
  // What was read and is sent back unchanged changes nothing, whatever its names mean by now.
  const isAsBefore = (body.type ?? column.type) === column.type && !body.dependencies;
  if (isAsBefore && body.config && sameJson(body.config as Json, config)) return plain;
  const valid = validateColumn(
    {
      id: column.id,
      title: plain.title,
      type: body.type ?? column.type,
      config: body.config ?? config,
      known: knownNames({ config, dependencies: stored.dependencies }),
      // Edges of an old config would outlive it.
      dependencies: body.dependencies ?? (body.config ? [] : stored.dependencies),
    },
    facts,
  );
  return {
    ...plain,
    type: valid.type,
    config_json: stringifyJson(valid.config),
    dependencies_json: stringifyJson(valid.dependencies),
  };
}

/** Whoever names the column as its source names it by its new title; by its id where two have that. */
async function renameInConfigs(session: Session, renamed: ColumnRecord): Promise<void> {
  const columns = await readColumns(session, renamed.sheet_key, { withSystem: false });
  const isAlone = columns.filter(({ title }) => title === renamed.title).length === 1;
  const name = isAlone ? renamed.title : renamed.id;
  for (const column of columns) {
    const config = parseJson(column.config_json) as Json;
    const { dependencies } = factsOf(column);
    const changed = withRenamedSource({ config, dependencies }, renamed.id, name);
    if (changed === undefined) continue;
    const record = {
      ...column,
      config_json: stringifyJson(changed.config),
      dependencies_json: stringifyJson(changed.dependencies),
    };
    // The same source under another name: no value is out of date.
    await saveColumn(session, record, false);
  }
  await renameInScorecard(session, renamed.sheet_key, { columnId: renamed.id, name });
}

async function saveColumn(
  session: Session,
  column: ColumnRecord,
  recomputes: boolean,
): Promise<void> {
  await session.run(
    `update columns set title = ?, type = ?, config_json = ?, dependencies_json = ?,
       is_output_column = ?, position_rank = ?, updated_at = ?, config_revision = config_revision + ?
     where sheet_key = ? and key = ?`,
    [
      column.title,
      column.type,
      column.config_json,
      column.dependencies_json,
      column.is_output_column,
      column.position_rank,
      column.updated_at,
      recomputes ? 1 : 0,
      column.sheet_key,
      column.key,
    ],
  );
}

const remove = route(deleteColumn, async ({ params, workspaceId, services }) => {
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const answer = await database.transaction(async (session) => {
    const sheet = await findSheetForUpdate(database, session, scope);
    const column = await findColumn(session, sheet.key, params.column_id);
    if (column.is_system === 1) throw invalid(`"${column.title}" is kept by the service itself.`);
    const { staleCount } = await markDependentsStale(session, {
      sheetKey: sheet.key,
      columnKeys: [column.key],
    });
    const now = Date.now();
    await session.run(
      `update columns set deleted_at = ?, updated_at = ?
       where sheet_key = ? and (key = ? or source_column_key = ?) and deleted_at is null`,
      [now, now, sheet.key, column.key, column.key],
    );
    const version = await raiseVersion(session, sheet.key);
    return jsonObject({
      success: true,
      message: `Column "${column.title}" is deleted.`,
      stale_count: staleCount,
      version,
    });
  });
  return ok(answer);
});

export const columnRoutes: readonly Route[] = [list, create, update, remove];
