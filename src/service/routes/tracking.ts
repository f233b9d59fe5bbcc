import {
  createGroup,
  legacyTrackGroup,
  legacyTrackMetadata,
  legacyTrackPrompt,
  legacyTrackScore,
  trackGroup,
  trackMetadata,
  trackPrompt,
  trackRequest,
  trackScore,
} from '../../api/tracking.ts';
import { parseJson } from '../../core/http/json.ts';
import type { Mapping } from '../../core/mapping.ts';
import { jsonObject } from '../http/json-text.ts';
import { notFound } from '../http/problem.ts';
import type { Reply, Route } from '../http/route.ts';
import { ok, route } from '../http/route.ts';
import { findPrompt, findVersion, idOf } from '../prompts/store.ts';
import { trackRun } from '../requests/track-run.ts';
import type { RequestRecord } from '../requests/records.ts';
import type { Services } from '../services.ts';
import { cleanJson } from '../store/clean-json.ts';
import type { Session } from '../store/database.ts';
import { findRequest } from './request-log.ts';

const inBody = { takesKeyInBody: true };

const done = (message: string): Reply => ok(jsonObject({ success: true, message }));

/** Changes a request that nobody else changes meanwhile. */
async function change(
  { database }: Services,
  workspaceId: number,
  id: number | string,
  work: (session: Session, request: RequestRecord) => Promise<void>,
): Promise<void> {
  await database.transaction(async (session) => {
    const found = await findRequest(session, workspaceId, id);
    await session.one(`select id from requests where id = ?${session.dialect.forUpdate}`, [
      found.id,
    ]);
    await work(session, await findRequest(session, workspaceId, found.id));
  });
}

/** Values are texts; clients that send others are understood. */
const asTexts = (metadata: Mapping): Mapping =>
  Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );

const metadataRoutes = [trackMetadata, legacyTrackMetadata].map((endpoint) =>
  route(
    endpoint,
    async ({ body, workspaceId, services }) => {
      await change(services, workspaceId, body.request_id, async (session, request) => {
        const before = parseJson(request.metadata_json) as Mapping;
        await session.run('update requests set metadata_json = ? where id = ?', [
          cleanJson({ ...before, ...asTexts(body.metadata) }),
          request.id,
        ]);
      });
      return done('The metadata are added to the request.');
    },
    inBody,
  ),
);

const scoreRoutes = [trackScore, legacyTrackScore].map((endpoint) =>
  route(
    endpoint,
    async ({ body, workspaceId, services }) => {
      await change(services, workspaceId, body.request_id, async (session, request) => {
        const before = parseJson(request.scores_json) as Mapping;
        await session.run('update requests set scores_json = ? where id = ?', [
          cleanJson({ ...before, [body.name || 'default']: body.score }),
          request.id,
        ]);
      });
      return done('The request is scored.');
    },
    inBody,
  ),
);

function versionIn(value: number | string | null | undefined): number | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const number = typeof value === 'number' ? value : idOf(value);
  if (number !== undefined && number > 0) return number;
  throw notFound(`Version ${String(value)} of the prompt template`);
}

const promptRoutes = [trackPrompt, legacyTrackPrompt].map((endpoint) =>
  route(
    endpoint,
    async ({ body, workspaceId, services }) => {
      const number = versionIn(body.version);
      await change(services, workspaceId, body.request_id, async (session, request) => {
        const prompt = await findPrompt(session, workspaceId, body.prompt_name);
        const label = number === undefined ? body.label : undefined;
        const version = await findVersion(session, prompt, { version: number, label });
        await session.run(
          `update requests set prompt_id = ?, prompt_version_number = ?, variables_json = ? where id = ?`,
          [
            prompt.id,
            version.number,
            cleanJson(body.prompt_input_variables ?? parseJson(request.variables_json)),
            request.id,
          ],
        );
      });
      return done('The request is connected with the prompt template.');
    },
    inBody,
  ),
);

const groupRoutes = [trackGroup, legacyTrackGroup].map((endpoint) =>
  route(
    endpoint,
    async ({ body, workspaceId, services }) => {
      await change(services, workspaceId, body.request_id, async (session, request) => {
        const group = await session.one(
          'select id from request_groups where id = ? and workspace_id = ?',
          [idOf(String(body.group_id)) ?? 0, workspaceId],
        );
        if (group === undefined) throw notFound('This group');
        await session.run('update requests set group_id = ? where id = ?', [
          body.group_id,
          request.id,
        ]);
      });
      return done('The request is in the group.');
    },
    inBody,
  ),
);

const newGroup = route(
  createGroup,
  async ({ workspaceId, services }) => {
    const group = await services.database.transaction((session) =>
      session.one<{ id: number }>(
        'insert into request_groups (workspace_id, created_at) values (?, ?) returning id',
        [workspaceId, Date.now()],
      ),
    );
    return ok(jsonObject({ success: true, id: group?.id }));
  },
  inBody,
);

const run = route(
  trackRequest,
  async ({ body, workspaceId, services }) => {
    const { requestId, blueprint } = await trackRun(services, workspaceId, body);
    return ok(
      jsonObject({
        success: true,
        request_id: requestId,
        prompt_blueprint: body.return_prompt_blueprint === false ? null : blueprint,
      }),
    );
  },
  inBody,
);

export const trackingRoutes: readonly Route[] = [
  ...metadataRoutes,
  ...scoreRoutes,
  ...promptRoutes,
  ...groupRoutes,
  newGroup,
  run,
];
