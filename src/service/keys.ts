import { createHash, createHmac, scryptSync, timingSafeEqual } from 'node:crypto';
import type { Log } from './log.ts';
import type { Database, Session } from './store/database.ts';
import { inTurn } from './store/migrate.ts';

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** What is stored of a key: costs something to guess, for whoever has a back-up. */
const storedHashOf = (key: string): string =>
  scryptSync(key, 'prompt-tables.workspace', 32, { N: 1024, r: 8, p: 1 }).toString('hex');

/**
 * A key that opens the same workspace, for windows in Restricted Mode: what is begun with it is done
 * without keys of the environment. Nobody finds the key itself by it.
 */
export const restrictedKeyOf = (key: string): string =>
  createHmac('sha256', key).update('prompt-tables.restricted').digest('base64url');

/** What a key opens. */
export interface Opened {
  readonly workspaceId: number;
  /** Whoever has this key is in Restricted Mode. */
  readonly isRestricted: boolean;
}

interface KnownKey extends Opened {
  readonly hash: Buffer;
}

interface GivenKey {
  readonly key: string;
  /** The workspace by its name or by its number; undefined: the one that the key opens. */
  readonly workspace: string | number | undefined;
}

/** `name=key`. Shorter than a key can be, what follows the sign is the end of a key in Base64. */
const namedKey = /^([a-z0-9][a-z0-9-]{0,39})=(.{8,})$/s;

function read(text: string): GivenKey {
  const [, workspace = '', key] = namedKey.exec(text) ?? [];
  if (key === undefined) return { key: text, workspace: undefined };
  return { key, workspace: /^\d{1,9}$/.test(workspace) ? Number(workspace) : workspace };
}

/** Throws an Error that says what to change when two keys contradict each other. */
export function checkKeys(keys: readonly string[]): void {
  const given = keys.map(read);
  const names = given.flatMap(({ workspace }) => workspace ?? []);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new Error(
      `Two API keys are for the workspace "${String(twice)}". Give each workspace one key.`,
    );
  }
  if (new Set(given.map(({ key }) => key)).size < given.length) {
    throw new Error('The same API key is given twice. Give each workspace a key of its own.');
  }
}

interface WorkspaceRow {
  readonly id: number;
  readonly name: string | null;
}

/**
 * The API keys of this service, each of which opens a workspace. A workspace is found by a hash of
 * its key or by the name in front of it, never by the place of the key among others: keys come, go
 * and change places, and each still opens the same data. No key is stored.
 */
export class Keys {
  readonly #known: readonly KnownKey[];

  private constructor(known: readonly (readonly [key: string, workspaceId: number])[]) {
    const one = (key: string, workspaceId: number, isRestricted: boolean): KnownKey => ({
      ...{ hash: Buffer.from(hashOf(key), 'hex'), workspaceId, isRestricted },
    });
    this.#known = known.flatMap(([key, workspaceId]) => [
      one(key, workspaceId, false),
      one(restrictedKeyOf(key), workspaceId, true),
    ]);
  }

  /** Finds the workspace of each key, and makes those that there are not yet. */
  static async open(keys: readonly string[], database: Database, log: Log): Promise<Keys> {
    const given = keys.map(read);
    const found = await database.transaction(async (session) => {
      await inTurn(session);
      return new Finder(session, await rowsOf(session), given).findAll();
    });
    const opened = new Set(found.map(({ id }) => id));
    for (const { id, isNew, others } of found) {
      const closed = others.filter((other) => !opened.has(other));
      if (!isNew || closed.length === 0) continue;
      log.warn('A key that was not known opens a new, empty workspace.', {
        workspace: id,
        withoutKey: closed,
        hint: `PROMPT_TABLES_API_KEY=${String(closed[0])}=KEY opens workspace ${String(closed[0])} with another key.`,
      });
    }
    return new Keys(found.map(({ key, id }) => [key, id]));
  }

  /** Those that the keys open. */
  get workspaces(): readonly number[] {
    return this.#own.map(({ workspaceId }) => workspaceId);
  }

  /** Compares hashes, each in constant time and all of them, so timing tells nothing of a key. */
  opened(key: string): Opened | undefined {
    const hash = Buffer.from(hashOf(key), 'hex');
    let found: Opened | undefined;
    for (const known of this.#known) {
      if (timingSafeEqual(known.hash, hash)) found = known;
    }
    return found;
  }

  get #own(): readonly KnownKey[] {
    return this.#known.filter(({ isRestricted }) => !isRestricted);
  }

  /** Stands for these keys without giving them away: signs what another server must recognise. */
  get secret(): string {
    const all = this.#own
      .map(({ hash }) => hash.toString('hex'))
      .sort()
      .join('.');
    return hashOf(`confirmation.${all}`);
  }
}

const rowsOf = (session: Session): Promise<WorkspaceRow[]> =>
  session.query<WorkspaceRow>('select id, name from workspaces order by id');

/** By number, by name, by key alone. */
const rankOf = ({ workspace }: GivenKey): number =>
  ['number', 'string', 'undefined'].indexOf(typeof workspace);

interface Found {
  readonly key: string;
  readonly id: number;
  readonly isNew: boolean;
  /** Those that were there before. */
  readonly others: readonly number[];
}

class Finder {
  readonly #session: Session;
  readonly #rows: readonly WorkspaceRow[];
  readonly #given: readonly GivenKey[];
  readonly #taken = new Set<number>();
  #nextId: number;

  constructor(session: Session, rows: readonly WorkspaceRow[], given: readonly GivenKey[]) {
    this.#session = session;
    this.#rows = rows;
    this.#given = given;
    this.#nextId = Math.max(0, ...rows.map(({ id }) => id)) + 1;
  }

  async findAll(): Promise<Found[]> {
    const areNumbered = await this.#areNumbered();
    const others = this.#rows.map(({ id }) => id);
    const found: Found[] = [];
    // Whoever says which workspace is meant comes before those who take what is left.
    const inOrder = [...this.#given.entries()].sort(
      ([, left], [, right]) => rankOf(left) - rankOf(right),
    );
    for (const [index, given] of inOrder) {
      const known =
        (await this.#known(given)) ??
        (areNumbered ? this.#free(given, index + 1) : this.#only(given));
      const id = known ?? (await this.#create(given));
      this.#taken.add(id);
      await this.#remember(given, id);
      found.push({ key: given.key, id, isNew: known === undefined, others });
    }
    return found;
  }

  /** Of a version that counted keys by their place: they do so once more, and are remembered. */
  async #areNumbered(): Promise<boolean> {
    const hash = await this.#session.one('select hash from workspace_keys limit 1');
    return hash === undefined && this.#rows.every(({ name }) => name === null);
  }

  async #known({ key, workspace }: GivenKey): Promise<number | undefined> {
    if (typeof workspace === 'number') return this.#rows.find(({ id }) => id === workspace)?.id;
    const named = this.#rows.find(({ name }) => name !== null && name === workspace);
    if (named !== undefined) return named.id;
    const stored = await this.#session.one<{ workspace_id: number }>(
      'select workspace_id from workspace_keys where hash = ?',
      [storedHashOf(key)],
    );
    const row = this.#rows.find(({ id }) => id === stored?.workspace_id);
    // A name that is new goes to the workspace of its key, unless that has another one.
    return workspace === undefined || row?.name === null ? row?.id : undefined;
  }

  #free({ workspace }: GivenKey, id: number): number | undefined {
    if (typeof workspace === 'number') return undefined;
    return this.#rows.some((row) => row.id === id) && !this.#taken.has(id) ? id : undefined;
  }

  /** A folder belongs to one person: its only workspace is opened by whatever key is the only one. */
  #only({ workspace }: GivenKey): number | undefined {
    const [only, ...others] = this.#rows;
    if (only === undefined || others.length > 0 || this.#given.length > 1) return undefined;
    if (this.#session.dialect.name !== 'sqlite' || typeof workspace === 'number') return undefined;
    return workspace === undefined || only.name === null ? only.id : undefined;
  }

  async #create({ workspace }: GivenKey): Promise<number> {
    const id = typeof workspace === 'number' ? workspace : this.#nextId;
    this.#nextId = Math.max(this.#nextId, id + 1);
    await this.#session.run('insert into workspaces (id, created_at) values (?, ?)', [
      id,
      Date.now(),
    ]);
    return id;
  }

  async #remember({ key, workspace }: GivenKey, id: number): Promise<void> {
    if (workspace === undefined) {
      await this.#session.run(
        'insert into workspace_keys (hash, workspace_id, created_at) values (?, ?, ?) on conflict (hash) do nothing',
        [storedHashOf(key), id, Date.now()],
      );
    } else if (typeof workspace === 'string') {
      await this.#session.run('update workspaces set name = ? where id = ?', [workspace, id]);
    }
  }
}
