import * as z from 'zod';
import { stringifyJson } from '../http/json.ts';
import type { Mapping } from '../mapping.ts';
import { withinTokens } from './budget.ts';
import { tokensField, workspaceField } from './fields.ts';
import { tool } from './tool.ts';

const frameTokens = 200;

interface Filter {
  readonly field: string;
  readonly operator: string;
  readonly value: unknown;
}

const allOf = (filters: readonly Filter[]) => ({ logic: 'AND', filters: [...filters] });

/** Selects the logged requests of a prompt template. */
export const onRequestsOf = (templateId: number) =>
  allOf([{ field: 'prompt_id', operator: 'eq', value: templateId }]);

const input = z.strictObject({
  ...workspaceField,
  request_id: z
    .int()
    .positive()
    .optional()
    .describe('Reads this request whole; nothing else counts.'),
  text: z.string().min(1).optional().describe('Text that the prompt or the answer holds.'),
  prompt: z.string().min(1).optional().describe('Name or id of a prompt template.'),
  model: z.string().min(1).optional().describe('Name of the model, such as "gpt-4o-mini".'),
  status: z.string().min(1).optional().describe('Such as SUCCESS, WARNING or ERROR.'),
  tag: z.string().min(1).optional().describe('One tag that the request has.'),
  since: z.iso.datetime({ offset: true }).optional().describe('Begun at or after this, ISO 8601.'),
  min_cost_usd: z.number().min(0).optional().describe('Cost at least so many US dollars.'),
  min_latency_ms: z.number().min(0).optional().describe('Took at least so many milliseconds.'),
  sort_by: z
    .enum(['request_start_time', 'cost', 'latency_ms'])
    .default('request_start_time')
    .describe('Sort order: the newest, the most expensive, or the slowest first.'),
  page: z.int().positive().default(1).describe('Counted from 1; next_page of the answer before.'),
  limit: z.int().min(1).max(25).default(10).describe('How many requests at most.'),
  ...tokensField,
});
type Search = z.output<typeof input>;

function filtersOf(search: Search, promptId: number | undefined): readonly Filter[] {
  const filter = (field: string, operator: string, value: unknown): readonly Filter[] =>
    value === undefined ? [] : [{ field, operator, value }];
  return [
    ...filter('prompt_id', 'eq', promptId),
    ...filter('engine', 'is', search.model),
    ...filter('status', 'is', search.status),
    ...filter('tags', 'in', search.tag && [search.tag]),
    ...filter('request_start_time', 'gte', search.since),
    ...filter('cost', 'gte', search.min_cost_usd),
    ...filter('latency_ms', 'gte', search.min_latency_ms),
  ];
}

const presentationOf = (found: Mapping): object => {
  const { id, prompt_name, engine, provider_type, price, latency, status, error_type } = found;
  const { input_tokens, output_tokens, request_start_time, tags_array, prompt_version_number } =
    found;
  const hasTags = Array.isArray(tags_array) && tags_array.length > 0;
  return {
    ...{ request_id: id, started: request_start_time, status },
    ...(error_type !== null && { error_type }),
    ...{ prompt: prompt_name, version: prompt_version_number },
    ...{ provider: provider_type, model: engine, cost_usd: price, latency_s: latency },
    ...{ input_tokens, output_tokens, ...(hasTags && { tags: tags_array }) },
  };
};

export const searchRequests = tool({
  name: 'search_prompt_requests',
  title: 'Search the request log',
  description:
    'Searches the log of requests to models, newest first by default: what was asked of which model, what it cost, how long it took, how it ended. With request_id: one request with its messages and answer. Hosted workspaces allow ten searches a minute.',
  effect: 'reads',
  input,
  async run(search, { client, options, tokens }) {
    if (search.request_id !== undefined) {
      const found = await client.requests.get(search.request_id, options);
      const { prompt_blueprint: blueprint, provider, model, price, latency_ms } = found;
      return {
        ...{ request_id: found.request_id, provider, model, cost_usd: price, latency_ms },
        ...{ started: found.request_start_time, input_tokens: found.input_tokens },
        output_tokens: found.output_tokens,
        blueprint: withinTokens(stringifyJson(blueprint ?? null), tokens - frameTokens),
      };
    }
    const promptId =
      search.prompt === undefined
        ? undefined
        : (await client.templates.getRaw(search.prompt, {}, options)).id;
    const page = await client.requests.search(
      {
        q: search.text,
        filterGroup: allOf(filtersOf(search, promptId)),
        ...{ sortBy: search.sort_by, sortOrder: 'desc' },
        ...{ page: search.page, perPage: search.limit, includePromptName: true },
      },
      options,
    );
    return {
      requests: page.items.map(presentationOf),
      total: page.total,
      next_page: page.has_next === true ? search.page + 1 : null,
    };
  },
});

export const listWorkflows = tool({
  name: 'list_prompt_workflows',
  title: 'List workflows',
  description:
    'Lists the workflows of a workspace, newest first: name, id, latest version, release labels. With "workflow": the nodes of that workflow and the variables it takes.',
  effect: 'reads',
  input: z.strictObject({
    ...workspaceField,
    workflow: z.string().min(1).optional().describe('Name or id of one whose nodes are wanted.'),
    limit: z.int().min(1).max(100).default(30).describe('How many workflows at most.'),
  }),
  async run({ workflow, limit }, { client, options }) {
    if (workflow !== undefined) {
      const found = await client.workflows.get(workflow, {}, options);
      return {
        ...{ name: found.workflow_name, id: found.workflow_id, version: found.version },
        variables: found.required_input_variables ?? {},
        nodes: found.nodes.map(({ name, node_type: type, dependencies, is_output_node }) => ({
          ...{ name, type, dependencies },
          ...(is_output_node && { is_output: true }),
        })),
      };
    }
    const workflows: object[] = [];
    for await (const one of client.workflows.list({ per_page: limit }, options)) {
      if (workflows.length === limit) return { workflows, more: true };
      const { id, name, latest_version_number: version, release_labels: labels } = one;
      workflows.push({ name, id, version, labels: labels ?? [] });
    }
    return { workflows, more: false };
  },
});
