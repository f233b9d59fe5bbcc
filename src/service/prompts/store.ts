import { stringifyJson } from '../../core/http/json.ts';
import { isMapping } from '../../core/mapping.ts';
import type { PromptTemplate } from '../../api/template.ts';
import { notFound } from '../http/problem.ts';
import type { Session } from '../store/database.ts';
import type { PromptLabelRecord, PromptRecord, PromptVersionRecord } from './records.ts';
import { referencesOf } from '../../core/templates/snippet-references.ts';

/** Numbers above this are no ids of ours, and PostgreSQL would not take them all. */
const MAX_ID = 2 ** 48;

export function idOf(text: string): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
  return id !== undefined && id <= MAX_ID ? id : undefined;
}

/** By name; a text of digits that is no name is an id, as a number always is. */
export async function lookUpPrompt(
  session: Session,
  workspaceId: number,
  nameOrId: string | number,
): Promise<PromptRecord | undefined> {
  if (typeof nameOrId === 'number') return promptById(session, workspaceId, nameOrId);
  const named = await session.one<PromptRecord>(
    'select * from prompts where workspace_id = ? and name = ? and deleted_at is null',
    [workspaceId, nameOrId],
  );
  const id = idOf(nameOrId);
  if (named !== undefined || id === undefined) return named;
  return promptById(session, workspaceId, id);
}

async function promptById(
  session: Session,
  workspaceId: number,
  id: number,
): Promise<PromptRecord | undefined> {
  if (!Number.isSafeInteger(id) || id > MAX_ID) return undefined;
  return session.one<PromptRecord>(
    'select * from prompts where workspace_id = ? and id = ? and deleted_at is null',
    [workspaceId, id],
  );
}

export async function findPrompt(
  session: Session,
  workspaceId: number,
  nameOrId: string | number,
): Promise<PromptRecord> {
  const prompt = await lookUpPrompt(session, workspaceId, nameOrId);
  if (prompt === undefined) throw notFound('This prompt template');
  return prompt;
}

export interface VersionChoice {
  readonly version?: number | null | undefined;
  readonly label?: string | null | undefined;
}

/** A version by label, which goes before a number as official clients say; without either the latest one. */
export function lookUpVersion(
  session: Session,
  prompt: PromptRecord,
  { version, label }: VersionChoice,
): Promise<PromptVersionRecord | undefined> {
  if (label !== undefined && label !== null) {
    return session.one<PromptVersionRecord>(
      `select v.* from prompt_versions v join prompt_labels l on l.version_id = v.id
       where l.prompt_id = ? and l.name = ?`,
      [prompt.id, label],
    );
  }
  if (version !== undefined && version !== null) {
    return session.one<PromptVersionRecord>(
      'select * from prompt_versions where prompt_id = ? and number = ?',
      [prompt.id, Math.min(version, MAX_ID)],
    );
  }
  return session.one<PromptVersionRecord>(
    'select * from prompt_versions where prompt_id = ? order by number desc limit 1',
    [prompt.id],
  );
}

export async function findVersion(
  session: Session,
  prompt: PromptRecord,
  choice: VersionChoice,
): Promise<PromptVersionRecord> {
  const found = await lookUpVersion(session, prompt, choice);
  if (found !== undefined) return found;
  if (typeof choice.label === 'string') {
    throw notFound(`The label "${choice.label}" of "${prompt.name}"`);
  }
  throw notFound(`Version ${String(choice.version ?? 'latest')} of "${prompt.name}"`);
}

export interface NewVersion {
  readonly template: PromptTemplate;
  readonly metadata: object | null | undefined;
  readonly commitMessage: string | null | undefined;
}

/** A completion that names no model is there to be used by others. */
const isSnippet = (template: PromptTemplate, metadata: object | null | undefined): boolean =>
  template.type === 'completion' &&
  ((isMapping(metadata) ? metadata['model'] : undefined) ?? null) === null;

/** Adds a version; the caller's transaction holds the prompt. */
export async function insertVersion(
  session: Session,
  prompt: PromptRecord,
  { template, metadata, commitMessage }: NewVersion,
): Promise<PromptVersionRecord> {
  const now = Date.now();
  // Counting first keeps others who publish the same prompt waiting.
  const counted = await session.one<{ number: number }>(
    `update prompts set next_version_number = next_version_number + 1, updated_at = ?, is_snippet = ?
     where id = ? returning next_version_number - 1 as number`,
    [now, isSnippet(template, metadata) ? 1 : 0, prompt.id],
  );
  const version = await session.one<PromptVersionRecord>(
    `insert into prompt_versions (workspace_id, prompt_id, number, template_json, metadata_json, commit_message, created_at)
     values (?, ?, ?, ?, ?, ?, ?) returning *`,
    [
      prompt.workspace_id,
      prompt.id,
      counted?.number ?? 1,
      stringifyJson(template),
      metadata === null || metadata === undefined ? null : stringifyJson(metadata),
      commitMessage ?? null,
      now,
    ],
  );
  if (version === undefined) throw new Error('The database did not answer the new version.');
  await session.insertMany(
    {
      table: 'prompt_snippets',
      columns: {
        version_id: 'int',
        position: 'int',
        workspace_id: 'int',
        snippet_name: 'text',
        snippet_version: 'int',
        snippet_label: 'text',
      },
    },
    referencesOf(template).map(({ name, version: number, label }, position) => [
      version.id,
      position,
      prompt.workspace_id,
      name,
      number ?? null,
      label ?? null,
    ]),
  );
  return version;
}

/** Puts a label on a version, wherever it was before. */
export async function putLabel(
  session: Session,
  version: PromptVersionRecord,
  name: string,
): Promise<PromptLabelRecord> {
  const label = await session.one<PromptLabelRecord>(
    `insert into prompt_labels (workspace_id, prompt_id, version_id, name, created_at)
     values (?, ?, ?, ?, ?)
     on conflict (prompt_id, name) do update set version_id = excluded.version_id returning *`,
    [version.workspace_id, version.prompt_id, version.id, name, Date.now()],
  );
  if (label === undefined) throw new Error('The database did not answer the label.');
  return label;
}
