import type { Database } from '../store/database.ts';
import type { RowValues } from './records.ts';
import type { ImportedRequest } from './request-fields.ts';
import { importedColumns, rowReader } from './request-fields.ts';

const BYTES = 8;
/** Requests are read so many at a time: their prompts and answers may be long. */
const AT_ONCE = 100;

/** The ids of an import's requests are kept beside it, as a file would be: eight bytes each. */
export function packIds(ids: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(ids.length * BYTES));
  for (const [at, id] of ids.entries()) view.setFloat64(at * BYTES, id, true);
  return new Uint8Array(view.buffer);
}

function unpackIds(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / BYTES }, (_, at) =>
    view.getFloat64(at * BYTES, true),
  );
}

export const countIds = (byteCount: number): number => byteCount / BYTES;

/** A row for each kept id, in their order; one without values for a request that is gone. */
export async function* readRequestRows(
  database: Database,
  workspaceId: number,
  fields: readonly string[],
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<RowValues> {
  const rowOf = rowReader(fields);
  const empty = fields.map(() => null);
  for await (const piece of pieces) {
    const ids = unpackIds(piece);
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const some = ids.slice(at, at + AT_ONCE);
      const found = await database.query<ImportedRequest>(
        `select ${importedColumns} from requests where workspace_id = ? and id ${database.dialect.isOneOf}`,
        [workspaceId, JSON.stringify(some)],
      );
      const byId = new Map(found.map((request) => [request.id, request]));
      for (const id of some) {
        const request = byId.get(id);
        yield request === undefined ? empty : rowOf(request);
      }
    }
  }
}
