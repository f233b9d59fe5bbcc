import type { Session } from '../store/database.ts';
import type { ColumnRecord } from '../store/records.ts';
import { isObject, jsonFromText, jsonToText, type Json } from './columns/json.ts';
import { EngineProblem } from './problem.ts';
import type { ColumnDraft, ColumnFacts } from './validate-column.ts';

/**
 * A column elsewhere in the workspace. It is kept by ids: `{id}` for what was named by its title,
 * and is shown by it, `id` for what was named by its id.
 */
export interface ExternalSource {
  readonly table: string;
  readonly sheet: string;
  readonly column: string;
}

const PART = String.raw`\s*(?:\{([^{}]*)\}|([^.{}]+?))\s*`;
const PARTS = new RegExp(`^${PART}\\.${PART}\\.${PART}$`);

/** `{table}.{sheet}.{column}`: titles or ids. Braces may be left out where a title has no dot. */
function externalText(text: string): ExternalSource | undefined {
  const parts = PARTS.exec(text);
  const [table, sheet, column] = parts
    ? [parts[1] ?? parts[2], parts[3] ?? parts[4], parts[5] ?? parts[6]]
    : [];
  return table && sheet && column ? { table, sheet, column } : undefined;
}

function sourceText(config: Json): string | undefined {
  if (!isObject(config)) return undefined;
  const list = config['sources'];
  const source = config['source'] ?? (Array.isArray(list) ? list[0] : undefined);
  return typeof source === 'string' ? source : undefined;
}

/** What a COMPOSITION column mirrors, when that is in another sheet. */
export function externalSource(config: Json): ExternalSource | undefined {
  const text = sourceText(config);
  return text === undefined ? undefined : externalText(text);
}

function withSourceText(
  config: { readonly [key: string]: Json },
  text: string,
): { [key: string]: Json } {
  if ((config['source'] ?? undefined) !== undefined) return { ...config, source: text };
  const list = config['sources'];
  return { ...config, sources: [text, ...(Array.isArray(list) ? list.slice(1) : [])] };
}

export interface Found {
  readonly table_id: string;
  readonly table_title: string;
  readonly sheet_id: string;
  readonly sheet_title: string;
  readonly sheet_key: number;
  readonly column_id: string;
  readonly column_title: string;
  readonly column_key: number;
}

/** The one column that is meant; `several`: titles that more than one have, and no guess is made. */
export async function findExternal(
  session: Session,
  sheetKey: number,
  { table, sheet, column }: ExternalSource,
): Promise<Found | 'several' | undefined> {
  const [found, another] = await session.query<Found>(
    `select t.id as table_id, t.title as table_title, s.id as sheet_id, s.title as sheet_title,
       s.key as sheet_key, c.id as column_id, c.title as column_title, c.key as column_key
     from sheets own
     join tables t on t.workspace_id = own.workspace_id and t.deleted_at is null and (t.id = ? or t.title = ?)
     join sheets s on s.table_key = t.key and s.deleted_at is null and (s.id = ? or s.title = ?)
     join columns c on c.sheet_key = s.key and c.deleted_at is null and (c.id = ? or c.title = ?)
     where own.key = ? order by t.key, s.position, c.position_rank limit 2`,
    [...[table, sheet, column].flatMap((name) => [name.toLowerCase(), name]), sheetKey],
  );
  return another === undefined ? found : 'several';
}

/**
 * The config of a COMPOSITION with the ids of what its titles mean, so that no rename changes what it
 * shows. A column of the same sheet is named as such, and followed like every other source.
 */
export async function withSourceIds(
  session: Session,
  sheetKey: number,
  { config: given, title, type, known }: ColumnDraft & { readonly config: object },
  columns: readonly ColumnFacts[],
): Promise<object> {
  const config = given as Json;
  if (type.toUpperCase() !== 'COMPOSITION' || !isObject(config)) return given;
  const text = sourceText(config);
  const source = externalSource(config);
  if (text === undefined || source === undefined) return config;
  if (known?.has(text) || columns.some((column) => column.title === text)) return config;
  const found = await findExternal(session, sheetKey, source);
  if (found === undefined || found === 'several') {
    const reason =
      found === 'several'
        ? 'but several columns of the workspace have these titles. Name table, sheet, and column by their IDs.'
        : 'but no table, sheet, and column of the workspace have these titles or IDs.';
    throw new EngineProblem(
      'unknown_column',
      `Column "${title}" names "${text}" in source, ${reason}`,
    ).at(['config', 'source']);
  }
  if (found.sheet_key === sheetKey) {
    const isAlone = columns.filter((one) => one.title === found.column_title).length === 1;
    return withSourceText(config, isAlone ? found.column_title : found.column_id);
  }
  return withSourceText(config, idsOf(text, source, found));
}

function idsOf(text: string, source: ExternalSource, found: Found): string {
  const parts = PARTS.exec(text) ?? [];
  const part = (name: string, bare: string | undefined, id: string): string =>
    bare !== undefined && name.toLowerCase() === id ? id : `{${id}}`;
  return [
    part(source.table, parts[2], found.table_id),
    part(source.sheet, parts[4], found.sheet_id),
    part(source.column, parts[6], found.column_id),
  ].join('.');
}

/** The columns with the present titles of what they show of other sheets: as they are sent back. */
export async function withSourceTitles(
  session: Session,
  columns: readonly ColumnRecord[],
): Promise<ColumnRecord[]> {
  const shown: ColumnRecord[] = [];
  for (const column of columns) {
    shown.push(column.type === 'COMPOSITION' ? await withTitles(session, column) : column);
  }
  return shown;
}

async function withTitles(session: Session, column: ColumnRecord): Promise<ColumnRecord> {
  if (!/\{[0-9a-f-]{36}\}/.test(column.config_json)) return column;
  const config = jsonFromText(column.config_json);
  const text = sourceText(config);
  const parts = text === undefined ? undefined : PARTS.exec(text);
  const source = externalSource(config);
  if (!parts || source === undefined || !isObject(config)) return column;
  const found = await findExternal(session, column.sheet_key, source);
  if (found === undefined || found === 'several') return column;
  const named = (braced: string | undefined, id: string, title: string): string =>
    braced === id ? `{${/[{}]/.test(title) ? id : title}}` : id;
  const titles = [
    named(parts[1], found.table_id, found.table_title),
    named(parts[3], found.sheet_id, found.sheet_title),
    named(parts[5], found.column_id, found.column_title),
  ].join('.');
  // Titles that others have too, or that are no names of it, would be refused when they are sent back.
  const again = externalText(titles);
  const meant = again && (await findExternal(session, column.sheet_key, again));
  if (meant === undefined || meant === 'several' || meant.column_id !== found.column_id)
    return column;
  return { ...column, config_json: jsonToText(withSourceText(config, titles)) };
}
