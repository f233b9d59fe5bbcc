import { parseJson } from '../../core/http/json.ts';
import type { FoundPrompt } from '../prompts/get-prompt.ts';
import type { PromptRecord, PromptVersionRecord } from '../prompts/records.ts';
import type { ExternalId } from '../store/external-ids.ts';
import type { JsonText } from '../http/json-text.ts';
import { jsonObject } from '../http/json-text.ts';
import { isoTime } from './answers.ts';

export const tagsOf = ({ tags_json: text }: PromptRecord): unknown => parseJson(text);

/** A template as `templates.get` answers it. */
export const foundJson = (
  { prompt, version, template, metadata, kwargs }: FoundPrompt,
  extra: Readonly<Record<string, unknown>> = {},
): JsonText =>
  jsonObject({
    id: prompt.id,
    prompt_name: prompt.name,
    version: version.number,
    workspace_id: prompt.workspace_id,
    prompt_template: template,
    metadata,
    commit_message: version.commit_message,
    tags: tagsOf(prompt),
    created_at: isoTime(version.created_at),
    llm_kwargs: kwargs,
    ...extra,
  });

export interface Published {
  readonly prompt: PromptRecord;
  readonly version: PromptVersionRecord;
  readonly labels: readonly string[];
  readonly externalIds: readonly ExternalId[];
}

export const publishedJson = ({ prompt, version, labels, externalIds }: Published): JsonText =>
  jsonObject({
    success: true,
    id: prompt.id,
    prompt_name: prompt.name,
    prompt_version_id: version.id,
    version_number: version.number,
    tags: tagsOf(prompt),
    release_labels: labels,
    prompt_template: parseJson(version.template_json),
    metadata: version.metadata_json === null ? null : parseJson(version.metadata_json),
    commit_message: version.commit_message,
    external_ids: externalIds,
  });
