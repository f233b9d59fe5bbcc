import { invalid, notFound } from '../http/problem.ts';
import type { Session } from './database.ts';

export interface FolderRecord {
  id: number;
  workspace_id: number;
  parent_id: number | null;
  name: string;
  created_at: number;
  updated_at: number;
}

const LARGEST = 2 ** 48;
/** Deeper, or more of them, and a tree of names is of no use to anybody. */
const MOST_DEEP = 50;
const MOST_FOLDERS = 20_000;

export async function findFolder(
  session: Session,
  workspaceId: number,
  id: number,
): Promise<FolderRecord> {
  const found =
    Number.isSafeInteger(id) && Math.abs(id) <= LARGEST
      ? await session.one<FolderRecord>('select * from folders where id = ? and workspace_id = ?', [
          id,
          workspaceId,
        ])
      : undefined;
  if (found === undefined) throw notFound(`Folder ${String(id)}`);
  return found;
}

/** The folders of a workspace as a tree. */
export class FolderTree {
  readonly #byId: ReadonlyMap<number, FolderRecord>;

  private constructor(folders: readonly FolderRecord[]) {
    this.#byId = new Map(folders.map((folder) => [folder.id, folder]));
  }

  static async load(session: Session, workspaceId: number): Promise<FolderTree> {
    return new FolderTree(
      await session.query<FolderRecord>(
        'select * from folders where workspace_id = ? order by id',
        [workspaceId],
      ),
    );
  }

  get all(): readonly FolderRecord[] {
    return [...this.#byId.values()];
  }

  /** A folder and those around it, outermost first; nothing for the top. */
  line(id: number | null): FolderRecord[] {
    const line: FolderRecord[] = [];
    for (let at = id; at !== null && line.length <= MOST_DEEP;) {
      const folder = this.#byId.get(at);
      if (folder === undefined) break;
      line.unshift(folder);
      at = folder.parent_id;
    }
    return line;
  }

  /** A folder and all that are inside of it, outer ones first. */
  branch(id: number): FolderRecord[] {
    const own = this.#byId.get(id);
    if (own === undefined) return [];
    const branch = [own];
    for (const folder of branch) {
      for (const one of this.#byId.values()) if (one.parent_id === folder.id) branch.push(one);
    }
    return branch;
  }

  /** Throws a 400 where a folder would stand too deep, in itself, or beside one of its name. */
  checkPlace(parentId: number | null, name: string, moved?: FolderRecord): void {
    if (moved === undefined && this.#byId.size >= MOST_FOLDERS) {
      throw invalid(`A workspace has at most ${String(MOST_FOLDERS)} folders.`);
    }
    const line = this.line(parentId);
    if (moved !== undefined && line.some(({ id }) => id === moved.id)) {
      throw invalid(`The folder "${name}" can't be inside itself.`);
    }
    if (line.length >= MOST_DEEP) throw invalid(`Folders nest at most ${String(MOST_DEEP)} deep.`);
    const twin = this.all.find((one) => one.parent_id === parentId && one.name === name);
    if (twin !== undefined && twin.id !== moved?.id) {
      throw invalid(`There is a folder "${name}" in this place already.`);
    }
  }
}
