import type { Template } from '../../../api/template.ts';
import { stringifyJson } from '../../../core/http/json.ts';
import type { Mapping } from '../../../core/mapping.ts';
import { isMapping, withSortedNames } from '../../../core/mapping.ts';
import { variablesOf } from '../../../core/templates/template-variables.ts';

/** What a document of a prompt holds: a version as it may be published. */
export interface PromptDraft {
  readonly promptName: string;
  /** Whose prompt it is: the base URL of a service, or `local`. */
  readonly workspace: string | undefined;
  /** The version that it was made from; undefined for a new prompt. */
  readonly version: number | undefined;
  readonly tags: readonly string[];
  /** Without null and empty fields. */
  readonly metadata: Mapping;
  readonly template: PromptContent;
}

/** A `prompt_template` of the service, completed by what the service itself fills in. */
export interface PromptContent extends Mapping {
  readonly type: string;
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const namesIn = (value: unknown): readonly string[] =>
  listOf(value).filter((name) => typeof name === 'string');

/** The service writes null into fields that were never given. */
const withoutNulls = (value: Mapping): Mapping =>
  Object.fromEntries(
    Object.entries(value).filter(([, item]) => item !== null && item !== undefined),
  );

const part = (value: unknown): unknown =>
  isMapping(value) && value['type'] === 'text' ? withoutNulls(value) : value;

const content = (value: unknown): unknown => (Array.isArray(value) ? value.map(part) : value);

/** The format and the variables that the service fills in when they are not given. */
function completed(holder: Mapping): Mapping {
  const given = withoutNulls(holder);
  const whole: Mapping = {
    ...given,
    ...('content' in given && { content: content(given['content']) }),
    template_format: given['template_format'] ?? 'f-string',
  };
  const names = namesIn(given['input_variables']);
  const found = variablesOf(whole);
  const isSame = names.length === found.length && found.every((name) => names.includes(name));
  return {
    ...whole,
    // Their order means nothing.
    input_variables: names.length === 0 || isSame ? found : given['input_variables'],
  };
}

export const variablesOfMessages = (messages: readonly unknown[]): readonly string[] => [
  ...new Set(messages.flatMap(variablesOf)),
];

/** As the service keeps it, so that two contents can be compared. */
export function completedContent(template: Mapping): PromptContent {
  const given = withoutNulls(template);
  if (given['type'] === 'completion') {
    return { content: [], ...completed(given), type: 'completion' };
  }
  const messages = listOf(given['messages']).map((message) =>
    isMapping(message) ? completed(message) : message,
  );
  const names = namesIn(given['input_variables']);
  return {
    ...given,
    type: typeof given['type'] === 'string' ? given['type'] : 'chat',
    messages,
    input_variables: names.length > 0 ? names : variablesOfMessages(messages),
  };
}

export function metadataOf(given: Mapping | null | undefined): Mapping {
  const metadata = withoutNulls(given ?? {});
  const { model } = metadata;
  return isMapping(model) ? { ...metadata, model: withoutNulls(model) } : metadata;
}

export const draftOf = (template: Template, workspace: string): PromptDraft => ({
  promptName: template.prompt_name,
  workspace,
  version: template.version ?? undefined,
  tags: template.tags ?? [],
  metadata: metadataOf(template.metadata),
  template: completedContent(template.prompt_template),
});

/** Whether publishing the one over the other would change something. */
export const isSameContent = (one: PromptDraft, other: PromptDraft): boolean => {
  const textOf = ({ tags, metadata, template }: PromptDraft): string =>
    stringifyJson(
      withSortedNames({
        tags: [...tags].sort(),
        metadata,
        template: {
          ...template,
          input_variables: [...namesIn(template['input_variables'])].sort(),
        },
      }),
    );
  return textOf(one) === textOf(other);
};
