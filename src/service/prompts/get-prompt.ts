import type { PromptTemplate } from '../../api/template.ts';
import { parseJson } from '../../core/http/json.ts';
import type { ModelChoice } from '../../core/kwargs/choose-model.ts';
import { chooseModel } from '../../core/kwargs/choose-model.ts';
import type { Mapping } from '../../core/mapping.ts';
import { mappings } from '../../core/mapping.ts';
import { unprocessable } from '../http/problem.ts';
import type { Session } from '../store/database.ts';
import type { PromptRecord, PromptVersionRecord } from './records.ts';
import { argumentsFor, renderTemplate } from './render.ts';
import { resolveSnippets } from './resolve-snippets.ts';
import type { VersionChoice } from './store.ts';
import { findPrompt, findVersion } from './store.ts';

export const templateOf = ({ template_json: text }: PromptVersionRecord): PromptTemplate =>
  parseJson(text) as PromptTemplate;

export const metadataOf = ({ metadata_json: text }: PromptVersionRecord): Mapping | null =>
  text === null ? null : (parseJson(text) as Mapping);

export interface Wanted extends VersionChoice, ModelChoice {
  readonly inputVariables: Mapping;
  /** False leaves variables, placeholders and media as they are. */
  readonly renders: boolean;
}

export interface FoundPrompt {
  readonly prompt: PromptRecord;
  readonly version: PromptVersionRecord;
  readonly template: PromptTemplate;
  readonly metadata: Mapping | null;
  readonly kwargs: Mapping | null;
}

function refuseRegistryTools(template: PromptTemplate): void {
  if (mappings(template['tools']).some(({ type }) => type === 'registry')) {
    throw unprocessable(
      ['body', 'prompt_template', 'tools'],
      'The template uses a tool of the tool registry, which this local service does not have. Put the tool itself into the template.',
      'tool_registry_missing',
    );
  }
}

/** A template, rendered, with the arguments of its model. */
export async function getPrompt(
  session: Session,
  workspaceId: number,
  nameOrId: string | number,
  wanted: Wanted,
): Promise<FoundPrompt> {
  const prompt = await findPrompt(session, workspaceId, nameOrId);
  const version = await findVersion(session, prompt, wanted);
  const { model, metadata } = chooseModel(metadataOf(version), wanted);
  const resolved = (await resolveSnippets(session, workspaceId, templateOf(version)))
    .template as PromptTemplate;
  if (!wanted.renders) {
    return {
      prompt,
      version,
      metadata,
      template: resolved,
      kwargs: argumentsFor(resolved, model, undefined),
    };
  }
  refuseRegistryTools(resolved);
  const template = renderTemplate(resolved, wanted.inputVariables);
  const kwargs = argumentsFor(template, model, wanted.inputVariables);
  return { prompt, version, metadata, template, kwargs };
}
