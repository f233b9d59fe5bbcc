import type { BodyOf } from '../../api/endpoint.ts';
import type { PromptTemplate, publishTemplate } from '../../api/template.ts';
import { ValidationError } from '../errors.ts';
import type { EitherSpelling } from '../spelling.ts';
import { snakeFields } from '../spelling.ts';

interface PublishFields {
  readonly promptName: string;
  readonly promptTemplate: PromptTemplate;
  readonly tags?: readonly string[] | null | undefined;
  readonly folderId?: number | null | undefined;
  readonly workspaceId?: number | null | undefined;
  /** Up to 72 characters. */
  readonly commitMessage?: string | null | undefined;
  /** With `model`: provider, name, parameters. Other keys are free. */
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
  readonly releaseLabels?: readonly string[] | null | undefined;
  readonly externalIds?: readonly Readonly<Record<string, unknown>>[] | null | undefined;
}

type PublishBody = BodyOf<typeof publishTemplate>;

/** Flat fields in either spelling, for example a template that was fetched; or the body itself. */
export type PublishTemplate = EitherSpelling<PublishFields> | PublishBody;

const onTemplate = ['prompt_name', 'tags', 'folder_id', 'workspace_id'];
const onVersion = ['prompt_template', 'commit_message', 'metadata'];
const outside = ['release_labels', 'external_ids'];

/** The body of the request. Fields that only the service sets (ids, `llm_kwargs`) stay behind. */
export function publishBody(given: PublishTemplate): PublishBody {
  if ('prompt_version' in given) return given;
  const fields = snakeFields(given);
  const pick = (names: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])));
  const { prompt_name: name, prompt_template: template } = fields;
  if (typeof name !== 'string' || name === '') {
    throw new ValidationError(
      { kind: 'no-template-name' },
      {
        hint: { kind: 'argument', words: 'Give promptName.' },
      },
    );
  }
  if (typeof template !== 'object' || template === null) {
    throw new ValidationError(
      { kind: 'no-template-content', name },
      {
        hint: { kind: 'argument', words: 'Give promptTemplate.' },
      },
    );
  }
  return {
    prompt_template: { ...pick(onTemplate), prompt_name: name },
    prompt_version: {
      ...pick(onVersion),
      prompt_template: template as PromptTemplate,
    },
    ...pick(outside),
  };
}
