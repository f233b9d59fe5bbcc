import { createLabel, deleteLabel, listLabels, moveLabel } from '../../api/template.ts';
import type { JsonText } from '../http/json-text.ts';
import { jsonObject } from '../http/json-text.ts';
import { conflict, notFound, unprocessable } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { noContent, ok, route } from '../http/route.ts';
import type { PromptLabelRecord, PromptRecord } from '../prompts/records.ts';
import { findPrompt, idOf, lookUpVersion, putLabel } from '../prompts/store.ts';
import type { Session } from '../store/database.ts';
import { isoTime } from './answers.ts';

const labelJson = (label: PromptLabelRecord): JsonText =>
  jsonObject({
    id: label.id,
    name: label.name,
    prompt_id: label.prompt_id,
    prompt_version_id: label.version_id,
    created_at: isoTime(label.created_at),
  });

const list = route(listLabels, async ({ params, workspaceId, services }) => {
  const labels = await services.database.read(async (session) => {
    const prompt = await findPrompt(session, workspaceId, params.id);
    return session.query(
      `select l.version_id as prompt_version_id, v.number as prompt_version_number,
         l.name as release_label, l.id as release_label_id
       from prompt_labels l join prompt_versions v on v.id = l.version_id
       where l.prompt_id = ? order by l.name`,
      [prompt.id],
    );
  });
  return ok(jsonObject({ success: true, release_labels: labels }));
});

/** By id only: the paths of labels name no prompt by its name. */
async function promptById(
  session: Session,
  workspaceId: number,
  text: string,
): Promise<PromptRecord> {
  return findPrompt(session, workspaceId, idOf(text) ?? 0);
}

async function versionOf(session: Session, prompt: PromptRecord, number: number) {
  const version = await lookUpVersion(session, prompt, { version: number });
  if (version !== undefined) return version;
  throw notFound(`Version ${String(number)} of "${prompt.name}"`);
}

const create = route(createLabel, async ({ params, body, workspaceId, services }) => {
  const name = body.name.trim();
  if (name === '' || name.length > 255) {
    throw unprocessable(['body', 'name'], 'A release label has 1 to 255 characters.');
  }
  const label = await services.database.transaction(async (session) => {
    const prompt = await promptById(session, workspaceId, params.id);
    const version = await versionOf(session, prompt, body.prompt_version_number);
    const taken = await session.one(
      'select id from prompt_labels where prompt_id = ? and name = ?',
      [prompt.id, body.name],
    );
    if (taken !== undefined) {
      throw conflict(`"${prompt.name}" has a label "${body.name}" already. Move that one.`);
    }
    return putLabel(session, version, body.name);
  });
  return ok(labelJson(label));
});

async function findLabel(
  session: Session,
  workspaceId: number,
  text: string,
): Promise<PromptLabelRecord> {
  const label = await session.one<PromptLabelRecord>(
    'select * from prompt_labels where id = ? and workspace_id = ?',
    [idOf(text) ?? 0, workspaceId],
  );
  if (label === undefined) throw notFound('This release label');
  return label;
}

const move = route(moveLabel, async ({ params, body, workspaceId, services }) => {
  const label = await services.database.transaction(async (session) => {
    const { prompt_id: id, name } = await findLabel(session, workspaceId, params.label_id);
    const prompt = await promptById(session, workspaceId, String(id));
    return putLabel(session, await versionOf(session, prompt, body.prompt_version_number), name);
  });
  return ok(labelJson(label));
});

const remove = route(deleteLabel, async ({ params, workspaceId, services }) => {
  await services.database.transaction(async (session) => {
    const { id } = await findLabel(session, workspaceId, params.label_id);
    await session.run('delete from prompt_labels where id = ?', [id]);
  });
  return noContent;
});

export const templateLabelRoutes: readonly Route[] = [list, create, move, remove];
