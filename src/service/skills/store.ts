import { randomUUID } from 'node:crypto';
import { isSeen } from '../../api/seen-text.ts';
import { Problem, invalid, notFound } from '../http/problem.ts';
import { cleanText } from '../store/clean-json.ts';
import type { Database, Session } from '../store/database.ts';
import type { Files } from './files.ts';
import { hashOf, sorted } from './files.ts';

/** See `store/records.ts`. */
export interface SkillCollectionRecord {
  key: number;
  id: string;
  workspace_id: number;
  folder_id: number | null;
  name: string;
  root_path: string;
  provider: string | null;
  last_version: number;
  created_at: number;
  updated_at: number;
}

export interface SkillVersionRecord {
  key: number;
  id: string;
  collection_key: number;
  number: number;
  root_path: string;
  provider: string | null;
  commit_message: string | null;
  release_label: string | null;
  created_at: number;
}

/** They are listed in one answer. */
const MOST_COLLECTIONS = 1000;
const LONGEST_NAME = 255;
const LONGEST_MESSAGE = 10_000;

const asUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** By id, by name or by root path. */
export async function findCollection(
  session: Session,
  workspaceId: number,
  identifier: string,
): Promise<SkillCollectionRecord> {
  const text = cleanText(identifier);
  for (const [column, value] of [
    ['id', asUuid.test(text) ? text.toLowerCase() : undefined],
    ['name', text],
    ['root_path', text],
  ] as const) {
    if (value === undefined) continue;
    const found = await session.one<SkillCollectionRecord>(
      `select * from skill_collections where workspace_id = ? and ${column} = ?`,
      [workspaceId, value],
    );
    if (found !== undefined) return found;
  }
  throw notFound('This skill collection');
}

/** The same; nobody else changes it until the end of the transaction. */
export async function lockCollection(
  session: Session,
  workspaceId: number,
  identifier: string,
): Promise<SkillCollectionRecord> {
  const { key } = await findCollection(session, workspaceId, identifier);
  const locked = await session.one<SkillCollectionRecord>(
    `select * from skill_collections where key = ?${session.dialect.forUpdate}`,
    [key],
  );
  if (locked === undefined) throw notFound('This skill collection');
  return locked;
}

export function checkedName(sent: string): string {
  const name = cleanText(sent).trim();
  if (isSeen(name) && name.length <= LONGEST_NAME) return name;
  throw invalid(`A name has 1 to ${String(LONGEST_NAME)} characters.`);
}

const nameTaken = (name: string): Problem =>
  invalid(`There is a skill collection "${name}" already.`);

/** A path of its own, made of the name: `Customer support` -> `/customer-support`. */
async function newRootPath(
  session: Session,
  workspaceId: number,
  name: string,
  own = 0,
): Promise<string> {
  const words = name.toLowerCase().match(/[\p{L}\p{N}._]+/gu) ?? ['skills'];
  const path = `/${words.join('-')}`;
  for (let count = 1; ; count += 1) {
    const tried = count === 1 ? path : `${path}-${String(count)}`;
    const holder = await session.one(
      'select key from skill_collections where workspace_id = ? and root_path = ? and key <> ?',
      [workspaceId, tried, own],
    );
    if (holder === undefined) return tried;
  }
}

export async function insertCollection(
  session: Session,
  workspaceId: number,
  sent: {
    readonly name: string;
    readonly folderId: number | null;
    readonly provider: string | null;
  },
): Promise<SkillCollectionRecord> {
  const name = checkedName(sent.name);
  const counted = await session.one<{ count: number }>(
    'select count(*) as count from skill_collections where workspace_id = ?',
    [workspaceId],
  );
  if ((counted?.count ?? 0) >= MOST_COLLECTIONS) {
    throw new Problem(
      403,
      'limit_reached',
      `A workspace has at most ${String(MOST_COLLECTIONS)} skill collections.`,
    );
  }
  const now = Date.now();
  const made = await session.one<SkillCollectionRecord>(
    `insert into skill_collections
       (id, workspace_id, folder_id, name, root_path, provider, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing returning *`,
    [
      randomUUID(),
      workspaceId,
      sent.folderId,
      name,
      await newRootPath(session, workspaceId, name),
      sent.provider === null ? null : cleanText(sent.provider),
      now,
      now,
    ],
  );
  if (made === undefined) throw nameTaken(name);
  return made;
}

export async function renameCollection(
  session: Session,
  collection: SkillCollectionRecord,
  sent: string,
): Promise<SkillCollectionRecord> {
  const name = checkedName(sent);
  const { key, workspace_id: workspaceId } = collection;
  const other = await session.one(
    'select key from skill_collections where workspace_id = ? and name = ? and key <> ?',
    [workspaceId, name, key],
  );
  if (other !== undefined) throw nameTaken(name);
  const rootPath = await newRootPath(session, workspaceId, name, key);
  const changed = await session.one<SkillCollectionRecord>(
    'update skill_collections set name = ?, root_path = ?, updated_at = ? where key = ? returning *',
    [name, rootPath, Date.now(), key],
  );
  return changed ?? collection;
}

/** The latest version, or the one that is asked for; undefined when none has been saved yet. */
export async function findVersion(
  session: Session,
  collection: SkillCollectionRecord,
  { number, label }: { readonly number?: number | undefined; readonly label?: string | undefined },
): Promise<SkillVersionRecord | undefined> {
  const [condition, value] =
    label === undefined
      ? (['number = ?', Math.min(number ?? collection.last_version, 2 ** 48)] as const)
      : (['release_label = ?', cleanText(label)] as const);
  const found = await session.one<SkillVersionRecord>(
    `select * from skill_versions where collection_key = ? and ${condition}`,
    [collection.key, value],
  );
  if (found !== undefined || (number === undefined && label === undefined)) return found;
  throw notFound(label === undefined ? `Version ${String(number)}` : `The label "${label}"`);
}

/** In the order of their paths. */
export async function filesOf(
  session: Session,
  version: SkillVersionRecord | undefined,
): Promise<Files> {
  if (version === undefined) return new Map();
  const found = await session.query<{ path: string; content: string }>(
    `select f.path, c.content from skill_files f
     join skill_contents c on c.collection_key = ? and c.hash = f.hash
     where f.version_key = ?`,
    [version.collection_key, version.key],
  );
  return sorted(new Map(found.map(({ path, content }) => [path, content])));
}

function shortText(what: string, sent: string | null | undefined, longest: number): string | null {
  if (sent === null || sent === undefined || sent === '') return null;
  const text = cleanText(sent);
  if (text.length <= longest) return text;
  throw invalid(`A ${what} has at most ${String(longest)} characters.`);
}

/** Saves the next version of a collection that is locked. */
export async function insertVersion(
  session: Session,
  collection: SkillCollectionRecord,
  files: Files,
  sent: {
    readonly commit_message?: string | null | undefined;
    readonly release_label?: string | null | undefined;
  },
): Promise<SkillVersionRecord> {
  const { key } = collection;
  const number = collection.last_version + 1;
  const label = shortText('release label', sent.release_label, LONGEST_NAME);
  const now = Date.now();
  // A label stands on one version.
  await session.run(
    'update skill_versions set release_label = null where collection_key = ? and release_label = ?',
    [key, label],
  );
  const version = await session.one<SkillVersionRecord>(
    `insert into skill_versions
       (id, collection_key, number, root_path, provider, commit_message, release_label, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?) returning *`,
    [
      randomUUID(),
      key,
      number,
      collection.root_path,
      collection.provider,
      shortText('message', sent.commit_message, LONGEST_MESSAGE),
      label,
      now,
    ],
  );
  if (version === undefined) throw new Error('The database did not answer the version.');
  const hashed = [...files].map(([path, content]) => ({ path, content, hash: hashOf(content) }));
  const contents = new Map(hashed.map(({ hash, content }) => [hash, content]));
  await session.insertMany(
    {
      table: 'skill_contents',
      columns: { collection_key: 'int', hash: 'text', content: 'text' },
      conflict: 'on conflict (collection_key, hash) do nothing',
    },
    [...contents].map(([hash, content]) => [key, hash, content]),
  );
  await session.insertMany(
    { table: 'skill_files', columns: { version_key: 'int', path: 'text', hash: 'text' } },
    hashed.map(({ path, hash }) => [version.key, path, hash]),
  );
  await session.run('update skill_collections set last_version = ?, updated_at = ? where key = ?', [
    number,
    now,
    key,
  ]);
  return version;
}

/** What `where` and `order` leave of the collections of a workspace. */
export const listCollections = (
  database: Database,
  workspaceId: number,
  { where, values, order }: Choice,
): Promise<SkillCollectionRecord[]> =>
  database.query<SkillCollectionRecord>(
    `select * from skill_collections c where ${['c.workspace_id = ?', ...where].join(' and ')} order by ${order}`,
    [workspaceId, ...values],
  );

export interface Choice {
  readonly where: readonly string[];
  readonly values: readonly (string | number)[];
  readonly order: string;
}
