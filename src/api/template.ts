import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { listFilters } from './list-filters.ts';
import { queryFlag } from './page.ts';

const templatesPath = '/prompt-templates';
const none = z.object({});
/** Name or id. */
const nameParams = z.object({ name: z.string() });
const idParams = z.object({ id: z.string() });

/**
 * The prompt itself: `chat` with messages or `completion` with content. Only the type is looked
 * at: parts and fields that nobody here knows are kept as they came.
 */
export const PromptTemplate = z
  .looseObject({ type: z.string().optional() })
  .transform((sent): { type: string; [field: string]: unknown } => ({
    ...sent,
    type: sent.type ?? ('messages' in sent ? 'chat' : 'completion'),
  }));
export type PromptTemplate = z.output<typeof PromptTemplate>;

/** A template of the registry. `llm_kwargs` are request arguments in the provider's own form. */
export const Template = z.looseObject({
  id: z.number(),
  prompt_name: z.string(),
  version: z.number().nullish(),
  prompt_template: PromptTemplate,
  metadata: z.looseObject({}).nullish(),
  commit_message: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  llm_kwargs: z.looseObject({}).nullish(),
  /** Words of the service about this template, logged when it is fetched. */
  warning: z.string().nullish(),
});
export type Template = z.output<typeof Template>;

export const getTemplate = endpoint({
  name: 'get_prompt_template',
  summary: 'Get a prompt template, rendered',
  method: 'POST',
  path: `${templatesPath}/{name}`,
  params: nameParams,
  query: none,
  body: z
    .looseObject({
      version: z.int().positive().nullish(),
      label: z.string().nullish(),
      provider: z.string().nullish(),
      model: z.string().nullish(),
      input_variables: z.record(z.string(), z.unknown()).nullish(),
      metadata_filters: z.record(z.string(), z.string()).nullish(),
      model_parameter_overrides: z.record(z.string(), z.unknown()).nullish(),
      workspace_id: z.int().nullish(),
      /** True: variables stay in the texts of `prompt_template` and `llm_kwargs`. */
      skip_input_variable_rendering: z.boolean().optional(),
    })
    .optional(),
  answer: Template,
  ok: [200],
  repeatable: false,
});

export const getRawTemplate = endpoint({
  name: 'get_prompt_template_raw',
  summary: 'Get a prompt template as it was published',
  method: 'GET',
  path: `${templatesPath}/{name}`,
  params: nameParams,
  query: z.object({
    version: z.coerce.number().int().positive().optional(),
    label: z.string().optional(),
    /** False keeps references such as `@@@name@@@`. */
    resolve_snippets: queryFlag().default(true),
    include_llm_kwargs: queryFlag().default(false),
  }),
  body: z.undefined(),
  answer: Template,
  ok: [200],
  repeatable: true,
});

/** A page of a list that counts its pages. */
export const numberedPage = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    items: z.array(item),
    page: z.number().optional(),
    pages: z.number().optional(),
    total: z.number().nullish(),
    has_next: z.boolean().optional(),
    next_num: z.number().nullish(),
  });

export const listTemplates = endpoint({
  name: 'list_prompt_templates',
  summary: 'List prompt templates, newest first',
  method: 'GET',
  path: templatesPath,
  params: none,
  query: z.object({
    page: z.coerce.number().int().positive().default(1),
    per_page: z.coerce.number().int().positive().default(30),
    /** The version with this label instead of the latest one. */
    label: z.string().optional(),
    /** Case-insensitive part of the name. */
    name: z.string().optional(),
    /** All must match. */
    tags: z.union([z.string(), z.array(z.string())]).optional(),
    status: z.enum(['active', 'deleted', 'all']).default('active'),
    is_snippet: queryFlag().optional(),
    ...listFilters,
  }),
  body: z.undefined(),
  answer: numberedPage(Template),
  ok: [200],
  repeatable: true,
});

/** A version that was just made. The number is called `version` everywhere else. */
export const PublishedTemplate = z.looseObject({
  id: z.number(),
  prompt_name: z.string(),
  prompt_version_id: z.number().optional(),
  version_number: z.number(),
  tags: z.array(z.string()).nullish(),
  release_labels: z.array(z.unknown()).nullish(),
  prompt_template: PromptTemplate,
  metadata: z.looseObject({}).nullish(),
  commit_message: z.string().nullish(),
});
export type PublishedTemplate = z.output<typeof PublishedTemplate>;

export const publishTemplate = endpoint({
  name: 'publish_prompt_template',
  summary: 'Publish a version of a prompt template',
  method: 'POST',
  path: '/rest/prompt-templates',
  params: none,
  query: none,
  body: z.looseObject({
    prompt_template: z.looseObject({
      prompt_name: z.string().min(1).max(512),
      tags: z.array(z.string()).nullish(),
      folder_id: z.int().positive().nullish(),
      workspace_id: z.int().nullish(),
    }),
    prompt_version: z.looseObject({
      prompt_template: PromptTemplate,
      commit_message: z.string().max(72).nullish(),
      metadata: z.looseObject({}).nullish(),
    }),
    release_labels: z.array(z.string()).nullish(),
    external_ids: z.array(z.looseObject({})).nullish(),
  }),
  answer: PublishedTemplate,
  ok: [200, 201],
  repeatable: false,
});

const patches = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).nullish();

/** A word, or the function that is meant; null: none. */
const choice = z.union([z.string(), z.record(z.string(), z.unknown())]).nullish();

export const patchTemplate = endpoint({
  name: 'patch_prompt_template_version',
  summary: 'Make a version out of another one and some changes',
  method: 'PATCH',
  path: '/rest/prompt-templates/{name}',
  params: nameParams,
  query: none,
  body: z.looseObject({
    /** Version or label to begin with; without both, the latest version. */
    version: z.int().positive().nullish(),
    label: z.string().nullish(),
    /** By index: a change; a list: all of them anew; null: none (tools and functions). */
    messages: patches,
    tools: patches,
    functions: patches,
    content: patches,
    function_call: choice,
    tool_choice: choice,
    model_parameters: z.record(z.string(), z.unknown()).nullish(),
    response_format: z.record(z.string(), z.unknown()).nullish(),
    commit_message: z.string().nullish(),
    release_labels: z.array(z.string()).nullish(),
  }),
  answer: PublishedTemplate,
  ok: [201],
  repeatable: false,
});

const TemplateLabel = z.looseObject({
  prompt_version_id: z.number(),
  prompt_version_number: z.number(),
  release_label: z.string(),
  release_label_id: z.number(),
});

export const listLabels = endpoint({
  name: 'list_prompt_template_labels',
  summary: 'List the release labels of a prompt template',
  method: 'GET',
  path: `${templatesPath}/{id}/labels`,
  params: idParams,
  query: none,
  body: z.undefined(),
  answer: z.looseObject({ release_labels: z.array(TemplateLabel) }),
  ok: [200],
  repeatable: true,
});

const Label = z.looseObject({
  id: z.number(),
  name: z.string(),
  prompt_id: z.number(),
  prompt_version_id: z.number(),
  created_at: z.string().nullish(),
});

export const createLabel = endpoint({
  name: 'create_prompt_label',
  summary: 'Put a release label on a version',
  method: 'POST',
  path: '/prompts/{id}/label',
  params: idParams,
  query: none,
  body: z.looseObject({ prompt_version_number: z.int(), name: z.string() }),
  answer: Label,
  ok: [200, 201],
  repeatable: false,
});

const labelParams = z.object({ label_id: z.string() });

export const moveLabel = endpoint({
  name: 'move_prompt_label',
  summary: 'Move a release label to another version',
  method: 'PATCH',
  path: '/prompt-labels/{label_id}',
  params: labelParams,
  query: none,
  body: z.looseObject({ prompt_version_number: z.int() }),
  answer: Label,
  ok: [200],
  repeatable: true,
});

export const deleteLabel = endpoint({
  name: 'delete_prompt_label',
  summary: 'Delete a release label',
  method: 'DELETE',
  path: '/prompt-labels/{label_id}',
  params: labelParams,
  query: none,
  body: z.undefined(),
  // The description speaks of a text, the status of nothing.
  answer: z.unknown(),
  ok: [204, 200],
  repeatable: true,
});

export const getSnippetUsage = endpoint({
  name: 'get_snippet_usage',
  summary: 'List the prompt templates and labels that use a snippet',
  method: 'GET',
  path: `${templatesPath}/{id}/snippet-usage`,
  params: idParams,
  query: z.object({ prompt_version_number: z.coerce.number().int().positive().optional() }),
  body: z.undefined(),
  answer: z.looseObject({
    snippet_name: z.string(),
    snippet_usage: z.array(
      z.looseObject({
        prompt_registry_id: z.number(),
        prompt_name: z.string(),
        version_numbers: z.array(z.number()),
      }),
    ),
    total_prompts_using_snippet: z.number().optional(),
    label_usage: z
      .array(
        z.looseObject({
          prompt_registry_id: z.number(),
          prompt_name: z.string(),
          label_name: z.string(),
        }),
      )
      .optional(),
    total_labels_using_snippet: z.number().optional(),
  }),
  ok: [200],
  repeatable: true,
});
