import {
  getRawTemplate,
  getSnippetUsage,
  getTemplate,
  patchTemplate as patchEndpoint,
  publishTemplate,
} from '../../api/template.ts';
import { jsonObject } from '../http/json-text.ts';
import { conflict, invalid, unprocessable } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { created, ok, route } from '../http/route.ts';
import { checkTemplate } from '../prompts/check-template.ts';
import type { FoundPrompt } from '../prompts/get-prompt.ts';
import { getPrompt, metadataOf, templateOf } from '../prompts/get-prompt.ts';
import { argumentsFor } from '../prompts/render.ts';
import { chooseModel } from '../../core/kwargs/choose-model.ts';
import { patchMetadata, patchTemplate } from '../prompts/patch-template.ts';
import type { PromptRecord } from '../prompts/records.ts';
import { resolveSnippets } from '../prompts/resolve-snippets.ts';
import type { NewVersion, VersionChoice } from '../prompts/store.ts';
import { findPrompt, findVersion, insertVersion, putLabel } from '../prompts/store.ts';
import { snippetUsage } from '../prompts/snippet-usage.ts';
import type { Session } from '../store/database.ts';
import { cleanJson } from '../store/clean-json.ts';
import { attachExternalIds, externalIdsOf } from '../store/external-ids.ts';
import { folded } from '../store/folded.ts';
import { findFolder } from '../store/folders.ts';
import type { Published } from './template-answers.ts';
import { foundJson, publishedJson } from './template-answers.ts';
import { templateLabelRoutes } from './template-labels.ts';
import { templateListRoutes } from './template-list.ts';

const templatePlace = ['body', 'prompt_version', 'prompt_template'] as const;

/** Both would name a version, and perhaps two. */
export function refuseBoth({ version, label }: VersionChoice): void {
  if ((version ?? null) !== null && (label ?? null) !== null) {
    throw unprocessable(['body', 'label'], 'Give a version or a label, not both.');
  }
}

const get = route(getTemplate, async ({ params, body, workspaceId, services }) => {
  const found = await services.database.read((session) =>
    getPrompt(session, workspaceId, params.name, {
      version: body?.version,
      label: body?.label,
      provider: body?.provider,
      model: body?.model,
      model_parameter_overrides: body?.model_parameter_overrides,
      inputVariables: body?.input_variables ?? {},
      renders: body?.skip_input_variable_rendering !== true,
    }),
  );
  return ok(foundJson(found));
});

const getRaw = route(getRawTemplate, async ({ params, query, workspaceId, services }) => {
  refuseBoth(query);
  const answer = await services.database.read(async (session) => {
    const prompt = await findPrompt(session, workspaceId, params.name);
    const version = await findVersion(session, prompt, query);
    const raw = templateOf(version);
    const { template: resolved, snippets } = await resolveSnippets(session, workspaceId, raw);
    const metadata = metadataOf(version);
    const found: FoundPrompt = {
      prompt,
      version,
      metadata,
      template: query.resolve_snippets ? (resolved as typeof raw) : raw,
      kwargs: query.include_llm_kwargs
        ? argumentsFor(resolved as typeof raw, chooseModel(metadata, {}).model, undefined)
        : null,
    };
    return foundJson(found, {
      success: true,
      snippets,
      ...(!query.include_llm_kwargs && { llm_kwargs: undefined }),
    });
  });
  return ok(answer);
});

async function findOrCreate(
  session: Session,
  workspaceId: number,
  given: { readonly prompt_name: string; readonly tags?: readonly string[] | null | undefined },
): Promise<PromptRecord> {
  const name = given.prompt_name;
  const now = Date.now();
  // The name is the whole match here: a number among names is a name.
  const tags = given.tags === undefined || given.tags === null ? undefined : cleanJson(given.tags);
  const known = await session.one<PromptRecord>(
    'select * from prompts where workspace_id = ? and name = ? and deleted_at is null',
    [workspaceId, name],
  );
  if (known !== undefined) {
    if (tags !== undefined && tags !== '[]' && tags !== known.tags_json) {
      await session.run('update prompts set tags_json = ? where id = ?', [tags, known.id]);
    }
    return tags === undefined || tags === '[]' ? known : { ...known, tags_json: tags };
  }
  await session.run(
    `insert into prompts (workspace_id, name, name_folded, tags_json, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?)
     on conflict (workspace_id, name) where deleted_at is null do nothing`,
    [workspaceId, name, folded(name), tags ?? '[]', now, now],
  );
  const created = await session.one<PromptRecord>(
    'select * from prompts where workspace_id = ? and name = ? and deleted_at is null',
    [workspaceId, name],
  );
  if (created === undefined)
    throw conflict('The prompt template was deleted in the meantime. Try again.');
  return created;
}

export const refuseLabels = (labels: readonly string[] | null | undefined): void => {
  const wrong = labels?.find((label) => label.trim() === '' || label.length > 255);
  if (wrong !== undefined) {
    throw unprocessable(['body', 'release_labels'], 'A release label has 1 to 255 characters.');
  }
};

/** Adds a version with its labels; the prompt must have all snippets that it uses. */
async function addVersion(
  session: Session,
  prompt: PromptRecord,
  version: NewVersion,
  labels: readonly string[] | null | undefined,
  externalIds: unknown,
): Promise<Published> {
  const inserted = await insertVersion(session, prompt, version);
  // After the insert, so that a snippet that uses itself is found out too.
  await resolveSnippets(session, prompt.workspace_id, version.template);
  for (const label of labels ?? []) await putLabel(session, inserted, label);
  const { workspace_id: workspaceId, id } = prompt;
  await attachExternalIds(session, { workspaceId, kind: 'prompt', id }, externalIds);
  const ids = await externalIdsOf(session, workspaceId, 'prompt', [id]);
  return { prompt, version: inserted, labels: labels ?? [], externalIds: ids.get(id) ?? [] };
}

const publish = route(publishTemplate, async ({ body, workspaceId, services }) => {
  const { prompt_template: about, prompt_version: given, release_labels: labels } = body;
  refuseLabels(labels);
  const template = checkTemplate(given.prompt_template, templatePlace);
  const published = await services.database.transaction(async (session) => {
    const prompt = await findOrCreate(session, workspaceId, about);
    if (typeof about.folder_id === 'number') {
      const { id } = await findFolder(session, workspaceId, about.folder_id);
      await session.run('update prompts set folder_id = ? where id = ?', [id, prompt.id]);
    }
    return addVersion(
      session,
      prompt,
      { template, metadata: given.metadata, commitMessage: given.commit_message },
      labels,
      body.external_ids,
    );
  });
  return ok(publishedJson(published));
});

const patch = route(patchEndpoint, async ({ params, body, workspaceId, services }) => {
  if ((body.version ?? null) !== null && (body.label ?? null) !== null) {
    throw invalid('Give a version or a label to begin with, not both.');
  }
  refuseLabels(body.release_labels);
  const published = await services.database.transaction(async (session) => {
    const prompt = await findPrompt(session, workspaceId, params.name);
    const base = await findVersion(session, prompt, body);
    const template = checkTemplate(patchTemplate(templateOf(base), body), ['body']);
    const metadata = patchMetadata(metadataOf(base), body);
    return addVersion(
      session,
      prompt,
      { template, metadata, commitMessage: body.commit_message },
      body.release_labels,
      [],
    );
  });
  return created(publishedJson(published));
});

const usage = route(getSnippetUsage, async ({ params, query, workspaceId, services }) => {
  const answer = await services.database.read(async (session) => {
    const prompt = await findPrompt(session, workspaceId, params.id);
    return snippetUsage(session, prompt, query.prompt_version_number);
  });
  return ok(
    jsonObject({
      success: true,
      message: `"${answer.name}" is used by ${String(answer.prompts.length)} prompt template(s).`,
      snippet_name: answer.name,
      snippet_usage: answer.prompts,
      total_prompts_using_snippet: answer.prompts.length,
      label_usage: answer.labels,
      total_labels_using_snippet: answer.labels.length,
    }),
  );
});

/** The longer paths come first: what is left is a name, which may hold slashes. */
export const templateRoutes: readonly Route[] = [
  ...templateListRoutes,
  publish,
  patch,
  usage,
  ...templateLabelRoutes,
  get,
  getRaw,
];
