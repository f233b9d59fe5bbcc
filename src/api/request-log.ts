import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { measure } from './exact-number.ts';
import { requestTime as time } from './request-time.ts';
import { PromptTemplate, numberedPage } from './template.ts';

const requestsPath = '/api/public/v2/requests';
const none = z.object({});

export const logRequest = endpoint({
  name: 'log_request',
  summary: 'Log a request that was made elsewhere',
  method: 'POST',
  path: '/log-request',
  params: none,
  query: none,
  body: z.looseObject({
    provider: z.string(),
    model: z.string(),
    input: PromptTemplate,
    output: PromptTemplate,
    request_start_time: time,
    request_end_time: time,
    parameters: z.record(z.string(), z.unknown()).nullish(),
    tags: z.array(z.string()).nullish(),
    metadata: z.record(z.string(), z.string()).nullish(),
    prompt_name: z.string().nullish(),
    prompt_id: z.int().nullish(),
    prompt_version_number: z.int().positive().nullish(),
    prompt_input_variables: z.record(z.string(), z.unknown()).nullish(),
    input_tokens: z.number().nullish(),
    output_tokens: z.number().nullish(),
    price: z.number().nullish(),
    function_name: z.string().nullish(),
    score: z.number().min(0).max(100).nullish(),
    score_name: z.string().nullish(),
    api_type: z.string().nullish(),
    status: z.string().nullish(),
    error_type: z.string().nullish(),
    error_message: z.string().max(1024).nullish(),
  }),
  // The description calls it `id`, a page of the documentation `request_id`.
  answer: z
    .looseObject({ id: z.number().optional(), request_id: z.number().optional() })
    .transform((sent, context) => {
      const id = sent.request_id ?? sent.id;
      if (id === undefined) {
        context.addIssue({ code: 'custom', message: 'no id in the answer', path: ['id'] });
        return z.NEVER;
      }
      return { ...sent, id, request_id: id };
    }),
  ok: [201],
  repeatable: false,
});

export const getRequest = endpoint({
  name: 'get_request',
  summary: 'Get a logged request',
  method: 'GET',
  path: `${requestsPath}/{id}`,
  params: z.object({ id: z.string() }),
  query: none,
  body: z.undefined(),
  answer: z.looseObject({
    request_id: z.number(),
    prompt_blueprint: z.looseObject({}).nullish(),
    provider: z.string().nullish(),
    model: z.string().nullish(),
    input_tokens: z.number().nullish(),
    output_tokens: z.number().nullish(),
    tokens: z.number().nullish(),
    price: measure.nullish(),
    request_start_time: z.string().nullish(),
    request_end_time: z.string().nullish(),
    latency_ms: measure.nullish(),
    trace_id: z.string().nullish(),
  }),
  ok: [200],
  repeatable: true,
});

/** Which requests are meant: for a search, and for sums over what it would find. */
const wantedRequests = {
  /** `{ logic: 'AND', filters: [{ field, operator, value }] }`; groups may nest. */
  filter_group: z.looseObject({}).nullish(),
  /** All must hold, beside the group. Not in the public description; its MCP server sends it. */
  filters: z.array(z.looseObject({})).nullish(),
  q: z.string().nullish(),
  sort_by: z.string().nullish(),
  sort_order: z.enum(['asc', 'desc']).nullish(),
  /** Metadata key by whose values sums tell the cost apart; of no effect on a search. */
  metadata_cost_breakdown_key: z.string().nullish(),
};

export const searchRequests = endpoint({
  name: 'search_requests',
  summary: 'Search logged requests',
  method: 'POST',
  path: `${requestsPath}/search`,
  params: none,
  query: none,
  body: z
    .looseObject({
      ...wantedRequests,
      page: z.int().positive().nullish(),
      per_page: z.int().min(1).max(25).nullish(),
      include_prompt_name: z.boolean().nullish(),
    })
    .optional(),
  /** `latency` is in seconds. */
  answer: numberedPage(z.looseObject({ id: z.number(), latency: measure.nullish() })),
  ok: [200],
  repeatable: false,
});

export const analyseRequests = endpoint({
  name: 'get_request_analytics',
  summary: 'Sum up logged requests',
  method: 'POST',
  path: `${requestsPath}/analytics`,
  params: none,
  query: none,
  body: z.looseObject(wantedRequests).optional(),
  /** Costs in US dollars, latencies in seconds; names in camelCase, as they are sent. */
  answer: z.looseObject({
    success: z.boolean().optional(),
    totalRequests: z.number().nullish(),
    totalTokens: z.number().nullish(),
    totalCost: measure.nullish(),
    averageLatency: measure.nullish(),
    stats: z.array(z.looseObject({})).nullish(),
  }),
  ok: [200],
  repeatable: false,
});

export const suggestRequestValues = endpoint({
  name: 'get_request_suggestions',
  summary: 'List values that a field of logged requests has',
  method: 'GET',
  path: `${requestsPath}/suggestions`,
  params: none,
  query: z.object({
    field: z.enum([
      'engine',
      'provider_type',
      'prompt_id',
      'prompt',
      'tags',
      'metadata_keys',
      'status',
      'tool_names',
      'output_keys',
      'input_variable_keys',
      'metadata_values',
      'output_values',
      'input_variable_values',
    ]),
    prefix: z.string().optional(),
    metadata_key: z.string().optional(),
    prompt_id: z.coerce.number().int().positive().optional(),
    /** JSON text. */
    filter_group: z.string().optional(),
  }),
  body: z.undefined(),
  answer: z.looseObject({ values: z.array(z.unknown()) }),
  ok: [200],
  repeatable: true,
});
