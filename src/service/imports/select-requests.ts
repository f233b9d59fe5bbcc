import { randomUUID } from 'node:crypto';
import { Problem, invalid, notFound } from '../http/problem.ts';
import { contentOf } from '../http/sent-file.ts';
import { timeOf } from '../http/times.ts';
import { requestConditions } from '../requests/search-conditions.ts';
import { searchOrder } from '../requests/search-order.ts';
import type { Database, Session, SqlValue } from '../store/database.ts';
import { requestColumns } from './request-fields.ts';
import { packIds } from './request-ids.ts';
import type { Received } from './start-import.ts';

/** More are better looked at in parts; their ids are in memory for a moment. */
const MOST_REQUESTS = 200_000;
const IDS_AT_ONCE = 10_000;

/** Which requests an import takes, and what of them. */
export interface RequestSelection {
  readonly request_log_ids?: readonly number[] | null | undefined;
  readonly filter_group?: unknown;
  readonly q?: string | null | undefined;
  readonly sort_by?: string | null | undefined;
  readonly sort_order?: string | null | undefined;
  readonly limit?: number | null | undefined;
  readonly prompt_id?: number | null | undefined;
  readonly prompt_version_id?: number | null | undefined;
  readonly prompt_label_id?: number | null | undefined;
  readonly start_time?: string | null | undefined;
  readonly end_time?: string | null | undefined;
  readonly variables_to_parse?: readonly string[] | null | undefined;
  readonly include_fields?: readonly string[] | null | undefined;
}

/**
 * Settles which requests are meant at this moment, so that an import brings what its search would
 * have shown, whatever is logged while it runs.
 */
export async function receiveRequests(
  database: Database,
  workspaceId: number,
  selection: RequestSelection,
  operationId: string | undefined,
): Promise<Received> {
  const { fields, titles } = requestColumns(
    selection.include_fields ?? undefined,
    selection.variables_to_parse ?? [],
  );
  const ids = await database.read((session) => selectIds(session, workspaceId, selection));
  return {
    source: 'request_logs',
    fileName: '',
    content: contentOf(packIds(ids)),
    operationId: operationId ?? randomUUID(),
    form: { format: 'request_logs', fields },
    titles,
  };
}

async function selectIds(
  session: Session,
  workspaceId: number,
  selection: RequestSelection,
): Promise<readonly number[]> {
  const chosen = selection.request_log_ids ?? undefined;
  if (chosen !== undefined) {
    const ids = [...new Set(chosen)].slice(0, selection.limit ?? undefined);
    await refuseUnknown(session, workspaceId, ids);
    return ids;
  }
  const { sql, values } = requestConditions(session.dialect, workspaceId, selection);
  const more = await moreConditions(session, workspaceId, selection);
  const found = await session.query<{ id: number }>(
    `select id from requests where ${[sql, ...more.map((one) => one.sql)].join(' and ')}
     order by ${searchOrder(selection)} limit ?`,
    [...values, ...more.flatMap((one) => one.values), selection.limit ?? MOST_REQUESTS + 1],
  );
  if (found.length > MOST_REQUESTS) {
    throw invalid(
      `More than ${String(MOST_REQUESTS)} requests are meant. Narrow the filter, or give a limit.`,
    );
  }
  return found.map(({ id }) => id);
}

async function refuseUnknown(
  session: Session,
  workspaceId: number,
  ids: readonly number[],
): Promise<void> {
  const known = new Set<number>();
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const some = ids.slice(at, at + IDS_AT_ONCE).filter((id) => id < 2 ** 48);
    const found = await session.query<{ id: number }>(
      `select id from requests where workspace_id = ? and id ${session.dialect.isOneOf}`,
      [workspaceId, JSON.stringify(some)],
    );
    for (const { id } of found) known.add(id);
  }
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  const few = unknown.slice(0, 5).join(', ');
  throw new Problem(
    404,
    'not_found',
    `${String(unknown.length)} of the requests were not found in this workspace: ${few}${unknown.length > 5 ? ', ...' : ''}.`,
  );
}

interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

async function moreConditions(
  session: Session,
  workspaceId: number,
  selection: RequestSelection,
): Promise<readonly Condition[]> {
  const conditions: Condition[] = [];
  const promptId = selection.prompt_id ?? undefined;
  if (promptId !== undefined) conditions.push({ sql: 'prompt_id = ?', values: [promptId] });
  const start = timeOf(['body', 'source', 'start_time'], selection.start_time);
  if (start !== undefined) conditions.push({ sql: 'started_at >= ?', values: [start] });
  const end = timeOf(['body', 'source', 'end_time'], selection.end_time);
  if (end !== undefined) conditions.push({ sql: 'started_at <= ?', values: [end] });
  const versionId = selection.prompt_version_id ?? undefined;
  if (versionId !== undefined) {
    conditions.push(
      await ofVersion(session, 'This prompt version', {
        sql: 'v.id = ? and v.workspace_id = ?',
        values: [versionId, workspaceId],
      }),
    );
  }
  const labelId = selection.prompt_label_id ?? undefined;
  if (labelId !== undefined) {
    conditions.push(
      await ofVersion(session, 'This prompt label', {
        sql: 'v.id = (select version_id from prompt_labels where id = ? and workspace_id = ?)',
        values: [labelId, workspaceId],
      }),
    );
  }
  return conditions;
}

async function ofVersion(session: Session, what: string, which: Condition): Promise<Condition> {
  const isId = Math.abs(Number(which.values[0])) < 2 ** 48;
  const version = isId
    ? await session.one<{ prompt_id: number; number: number }>(
        `select v.prompt_id, v.number from prompt_versions v where ${which.sql}`,
        which.values,
      )
    : undefined;
  if (version === undefined) throw notFound(what);
  return {
    sql: 'prompt_id = ? and prompt_version_number = ?',
    values: [version.prompt_id, version.number],
  };
}
