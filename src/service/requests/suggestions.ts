import { parseJson } from '../../core/http/json.ts';
import { Problem, unprocessable } from '../http/problem.ts';
import type { Database, SqlValue } from '../store/database.ts';
import type { Dialect } from '../store/dialect.ts';
import { likeStart } from '../store/folded.ts';
import type { Condition } from './filter-parts.ts';
import { requestConditions } from './search-conditions.ts';

const MOST = 50;

export interface SuggestionQuery {
  readonly field: string;
  readonly prefix?: string | undefined;
  readonly metadata_key?: string | undefined;
  readonly prompt_id?: number | undefined;
  /** JSON text. */
  readonly filter_group?: string | undefined;
}

/** What to select from the table `requests r`, joined with what holds the values. */
interface Source {
  readonly value: string;
  readonly join: string;
  readonly where?: string;
  readonly values?: readonly SqlValue[];
}

const column = (name: string): Source => ({ value: `r.${name}`, join: '' });

function keyed(
  dialect: Dialect,
  name: string,
  { field, metadata_key: key }: SuggestionQuery,
): Source {
  if (key === undefined) {
    throw unprocessable(
      ['query', 'metadata_key'],
      `The values of "${field}" need it: of which key.`,
    );
  }
  return {
    value: 'item.value',
    join: `cross join ${dialect.joinFields(`r.${name}`)}`,
    where: 'item.key = ?',
    values: [key.replaceAll('\0', '\u2400')],
  };
}

function sourceOf(dialect: Dialect, query: SuggestionQuery): Source {
  const items = (name: string): Source => ({
    value: 'item.value',
    join: `cross join ${dialect.joinItems(`r.${name}`)}`,
  });
  const keys = (name: string): Source => ({
    value: 'item.key',
    join: `cross join ${dialect.joinFields(`r.${name}`)}`,
  });
  switch (query.field) {
    case 'engine':
      return column('model');
    case 'provider_type':
      return column('provider');
    case 'status':
      return column('status');
    case 'prompt_id':
      return { value: 'cast(r.prompt_id as text)', join: '', where: 'r.prompt_id is not null' };
    case 'prompt':
      return { value: 'p.name', join: 'join prompts p on p.id = r.prompt_id' };
    case 'tags':
      return items('tags_json');
    case 'tool_names':
      return items('tool_names_json');
    case 'metadata_keys':
      return keys('metadata_json');
    case 'output_keys':
      return keys('output_object_json');
    case 'input_variable_keys':
      return keys('variables_json');
    case 'metadata_values':
      return keyed(dialect, 'metadata_json', query);
    case 'output_values':
      return keyed(dialect, 'output_object_json', query);
    default:
      return keyed(dialect, 'variables_json', query);
  }
}

function conditionOf(
  dialect: Dialect,
  workspaceId: number,
  { filter_group: text }: SuggestionQuery,
): Condition {
  try {
    const group = text === undefined ? undefined : parseJson(text);
    return requestConditions(dialect, workspaceId, { filter_group: group });
  } catch (cause) {
    const isKnown = cause instanceof SyntaxError || cause instanceof Problem;
    if (!isKnown) throw cause;
    throw unprocessable(
      ['query', 'filter_group'],
      `It is not JSON text of a filter group: ${cause.message}`,
    );
  }
}

/** Values that a field has, the most frequent first. */
export async function suggest(
  database: Database,
  workspaceId: number,
  query: SuggestionQuery,
): Promise<string[]> {
  const { dialect } = database;
  const condition = conditionOf(dialect, workspaceId, query);
  const { value, join, where = '1 = 1', values = [] } = sourceOf(dialect, query);
  const conditions = [`r.id in (select id from requests where ${condition.sql})`, where];
  const all: SqlValue[] = [...condition.values, ...values];
  if (query.prompt_id !== undefined) {
    conditions.push('r.prompt_id = cast(? as double precision)');
    all.push(query.prompt_id);
  }
  if (query.prefix !== undefined) {
    conditions.push(String.raw`lower(${value}) like ? escape '\'`);
    all.push(likeStart(query.prefix.replaceAll('\0', '\u2400')));
  }
  const found = await database.scan<{ value: string | number | null }>(
    `select ${value} as value from requests r ${join} where ${conditions.join(' and ')}
     group by ${value} order by count(*) desc, ${value} limit ${String(MOST)}`,
    all,
  );
  return found.flatMap(({ value: one }) => (one === null || one === '' ? [] : [String(one)]));
}
