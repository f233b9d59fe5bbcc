import * as z from 'zod';
import { conflict, unprocessable } from '../http/problem.ts';
import type { Session } from './database.ts';

export interface ExternalId {
  readonly source: string;
  readonly external_id: string;
}

const ExternalIds = z.array(
  z.looseObject({
    source: z.string().min(1).max(128),
    external_id: z.string().min(1).max(512),
  }),
);

/** The kinds of things that identifiers of other systems may stand for. */
export type ExternalKind = 'prompt' | 'workflow' | 'folder' | 'skill collection';

/** Throws a 409 when one of the identifiers stands for something else. */
export async function attachExternalIds(
  session: Session,
  place: { readonly workspaceId: number; readonly kind: ExternalKind; readonly id: number },
  sent: unknown,
): Promise<void> {
  const parsed = ExternalIds.safeParse(sent ?? []);
  if (!parsed.success) {
    throw unprocessable(['body', 'external_ids'], z.prettifyError(parsed.error));
  }
  for (const { source, external_id } of parsed.data) {
    await session.run(
      `insert into external_ids (workspace_id, kind, source, external_id, entity_id)
       values (?, ?, ?, ?, ?) on conflict (workspace_id, kind, source, external_id) do nothing`,
      [place.workspaceId, place.kind, source, external_id, place.id],
    );
    const holder = await session.one<{ entity_id: number }>(
      `select entity_id from external_ids
       where workspace_id = ? and kind = ? and source = ? and external_id = ?`,
      [place.workspaceId, place.kind, source, external_id],
    );
    // Characters that a database does not store are read back as others.
    if (holder !== undefined && holder.entity_id !== place.id) {
      throw conflict(
        `The external id "${external_id}" of "${source}" already belongs to another ${place.kind}.`,
      );
    }
  }
}

/** External ids of many, by the id of what they stand for. */
export async function externalIdsOf(
  session: Session,
  workspaceId: number,
  kind: ExternalKind,
  ids: readonly number[],
): Promise<Map<number, ExternalId[]>> {
  const found = await session.query<ExternalId & { entity_id: number }>(
    `select entity_id, source, external_id from external_ids
     where workspace_id = ? and kind = ? and entity_id ${session.dialect.isOneOf}
     order by source, external_id`,
    [workspaceId, kind, JSON.stringify(ids)],
  );
  const byId = new Map<number, ExternalId[]>();
  for (const { entity_id, source, external_id } of found) {
    byId.set(entity_id, [...(byId.get(entity_id) ?? []), { source, external_id }]);
  }
  return byId;
}
