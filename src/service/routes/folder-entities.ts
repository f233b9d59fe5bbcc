import type { Mapping } from '../../core/mapping.ts';
import { parseJson } from '../../core/http/json.ts';
import { wantedTags } from '../http/tags.ts';
import { timeOf } from '../http/times.ts';
import type { Session, SqlValue } from '../store/database.ts';
import type { ExternalKind } from '../store/external-ids.ts';
import { externalIdsOf } from '../store/external-ids.ts';
import { FolderTree, findFolder } from '../store/folders.ts';
import { folded } from '../store/folded.ts';
import { isoTime } from './answers.ts';
import { ownValue } from '../../api/own-value.ts';

const MOST = 10_000;

interface EntityTable {
  readonly name: 'prompts' | 'workflows';
  readonly kind: ExternalKind;
  readonly condition: string;
}

/** Where the things of each type are. Types that are missing have none here. */
export const entityTables: Readonly<Record<string, EntityTable>> = {
  PROMPT: { name: 'prompts', kind: 'prompt', condition: 'is_snippet = 0' },
  SNIPPET: { name: 'prompts', kind: 'prompt', condition: 'is_snippet = 1' },
  WORKFLOW: { name: 'workflows', kind: 'workflow', condition: '1 = 1' },
};

export interface EntityQuery {
  readonly folder_id?: number | undefined;
  readonly filter_type?: string | readonly string[] | undefined;
  readonly search_query?: string | undefined;
  readonly flatten: boolean;
  readonly include_metadata: boolean;
  readonly created_by_email?: string | undefined;
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
  readonly updated_after?: string | undefined;
  readonly updated_before?: string | undefined;
  readonly external_source?: string | undefined;
  readonly external_id?: string | undefined;
  readonly sort_by?: 'created_at' | 'updated_at' | 'name' | 'id' | undefined;
  readonly sort_order: 'asc' | 'desc';
  readonly tags?: string | readonly string[] | undefined;
}

interface Entity {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly folder_id: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly tags: readonly string[];
  readonly metadata: Mapping | null;
}

async function metadataOf(session: Session, { name }: EntityTable, id: number): Promise<Mapping> {
  if (name === 'workflows') {
    const latest = await session.one<{ number: number | null }>(
      'select max(number) as number from workflow_versions where workflow_id = ?',
      [id],
    );
    return { latest_version_number: latest?.number ?? null };
  }
  const latest = await session.one<{ number: number; template_json: string }>(
    'select number, template_json from prompt_versions where prompt_id = ? order by number desc limit 1',
    [id],
  );
  const template = latest === undefined ? {} : (parseJson(latest.template_json) as Mapping);
  return { type: template['type'] ?? null, latest_version_number: latest?.number ?? null };
}

async function entitiesOf(
  session: Session,
  workspaceId: number,
  type: string,
  folders: string | undefined,
): Promise<Entity[]> {
  const table = ownValue(entityTables, type);
  if (table === undefined) return [];
  const { isOneOf } = session.dialect;
  // No list of folders: all of them, and the top.
  const place =
    folders === undefined ? '1 = 1' : folders === '' ? 'folder_id is null' : `folder_id ${isOneOf}`;
  const tags = table.name === 'prompts' ? 'tags_json' : `'[]' as tags_json`;
  const values: SqlValue[] = folders ? [workspaceId, folders] : [workspaceId];
  const found = await session.query<
    Omit<Entity, 'tags' | 'metadata' | 'type'> & { tags_json: string }
  >(
    `select id, name, folder_id, created_at, updated_at, ${tags} from ${table.name}
     where workspace_id = ? and deleted_at is null and ${table.condition} and ${place} limit ${String(MOST)}`,
    values,
  );
  return found.map(({ tags_json: text, ...entity }) => ({
    ...entity,
    type,
    tags: parseJson(text) as string[],
    metadata: null,
  }));
}

function matcher(query: EntityQuery): (entity: Entity) => boolean {
  const words = folded(query.search_query ?? '');
  const tags = wantedTags(query.tags);
  const time = (name: 'created_after' | 'created_before' | 'updated_after' | 'updated_before') =>
    timeOf(['query', name], query[name]);
  const [from, to] = [time('created_after') ?? -Infinity, time('created_before') ?? Infinity];
  const [since, until] = [time('updated_after') ?? -Infinity, time('updated_before') ?? Infinity];
  return (entity) =>
    folded(entity.name).includes(words) &&
    tags.every(
      ({ tag, parts }) =>
        entity.tags.includes(tag) || parts.every((part) => entity.tags.includes(part)),
    ) &&
    entity.created_at >= from &&
    entity.created_at <= to &&
    entity.updated_at >= since &&
    entity.updated_at <= until &&
    // Nobody's address is known here.
    query.created_by_email === undefined;
}

function compare({ sort_by: by, sort_order: order }: EntityQuery) {
  const field = by ?? 'created_at';
  const sign = order === 'asc' ? 1 : -1;
  return (left: Entity, right: Entity): number => {
    const [a, b] = [left[field], right[field]];
    return sign * (a < b ? -1 : a > b ? 1 : left.id - right.id);
  };
}

/** What stands in a folder, or below it, or at the top. */
export async function listEntities(
  session: Session,
  workspaceId: number,
  query: EntityQuery,
): Promise<Mapping[]> {
  const { folder_id: folderId } = query;
  if (folderId !== undefined) await findFolder(session, workspaceId, folderId);
  const tree = await FolderTree.load(session, workspaceId);
  const inside =
    folderId === undefined ? tree.all : tree.branch(folderId).filter(({ id }) => id !== folderId);
  const parent = folderId ?? null;
  const places =
    folderId === undefined
      ? query.flatten
        ? undefined
        : ''
      : JSON.stringify(query.flatten ? [folderId, ...inside.map(({ id }) => id)] : [folderId]);
  const wanted = [query.filter_type ?? []].flat();
  const isWanted = (type: string): boolean => wanted.length === 0 || wanted.includes(type);
  const entities: Entity[] = [];
  if (isWanted('FOLDER')) {
    for (const folder of inside.filter((one) => query.flatten || one.parent_id === parent)) {
      entities.push({
        ...folder,
        type: 'FOLDER',
        folder_id: folder.parent_id,
        tags: [],
        metadata: null,
      });
    }
  }
  for (const type of Object.keys(entityTables).filter(isWanted)) {
    entities.push(...(await entitiesOf(session, workspaceId, type, places)));
  }
  const shown = entities.filter(matcher(query)).sort(compare(query)).slice(0, MOST);
  const result: Mapping[] = [];
  for (const kind of ['folder', 'prompt', 'workflow'] as const) {
    const ids = shown.filter(({ type }) => kindOf(type) === kind).map(({ id }) => id);
    const external = await externalIdsOf(session, workspaceId, kind, ids);
    for (const entity of shown.filter(({ type }) => kindOf(type) === kind)) {
      const table = entityTables[entity.type];
      const metadata =
        query.include_metadata && table !== undefined
          ? await metadataOf(session, table, entity.id)
          : null;
      result.push({
        id: entity.id,
        name: entity.name,
        type: entity.type,
        folder_id: entity.folder_id,
        path: tree.line(entity.folder_id).map(({ name }) => name),
        metadata,
        created_at: isoTime(entity.created_at),
        updated_at: isoTime(entity.updated_at),
        external_ids: external.get(entity.id) ?? [],
      });
    }
  }
  const order = new Map(shown.map((entity, at) => [`${entity.type} ${String(entity.id)}`, at]));
  const placeOf = (one: Mapping): number =>
    order.get(`${String(one['type'])} ${String(one['id'])}`) ?? 0;
  return result
    .filter((one) => hasExternalId(one, query))
    .sort((left, right) => placeOf(left) - placeOf(right));
}

const kindOf = (type: string): ExternalKind =>
  type === 'FOLDER' ? 'folder' : (entityTables[type]?.kind ?? 'folder');

function hasExternalId(
  { external_ids: sent }: Mapping,
  { external_source: source, external_id: id }: EntityQuery,
): boolean {
  if (source === undefined && id === undefined) return true;
  const ids = sent as readonly { readonly source: string; readonly external_id: string }[];
  return ids.some(
    (one) =>
      (source === undefined || one.source === source) &&
      (id === undefined || one.external_id === id),
  );
}
