import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { requestTime } from './request-time.ts';

const none = z.object({});
/** A number; official clients may send it as text. */
const request_id = z.union([z.int(), z.string()]);
const answer = z.looseObject({
  success: z.boolean().optional(),
  message: z.string().optional(),
});
const shared = { method: 'POST', params: none, query: none, answer, ok: [200] } as const;

export const trackMetadata = endpoint({
  ...shared,
  name: 'track_metadata',
  summary: 'Add metadata to a logged request',
  path: '/rest/track-metadata',
  body: z.looseObject({ request_id, metadata: z.record(z.string(), z.unknown()) }),
  repeatable: false,
});

export const trackScore = endpoint({
  ...shared,
  name: 'track_score',
  summary: 'Score a logged request from 0 to 100',
  path: '/rest/track-score',
  body: z.looseObject({
    request_id: z.int(),
    score: z.int().min(0).max(100),
    name: z.string().nullish(),
  }),
  repeatable: false,
});

export const trackPrompt = endpoint({
  ...shared,
  name: 'track_prompt',
  summary: 'Connect a logged request with a prompt template',
  path: '/rest/track-prompt',
  body: z.looseObject({
    request_id,
    prompt_name: z.string(),
    prompt_input_variables: z.record(z.string(), z.unknown()).optional(),
    version: z.union([z.int(), z.string()]).nullish(),
    label: z.string().nullish(),
  }),
  repeatable: false,
});

export const trackGroup = endpoint({
  ...shared,
  name: 'track_group',
  summary: 'Put a logged request into a group',
  path: '/rest/track-group',
  body: z.looseObject({ request_id: z.int(), group_id: z.int() }),
  repeatable: false,
});

/** The same under the paths of older clients, which send the key as `api_key` in the body. */
const legacy = <
  E extends typeof trackMetadata | typeof trackScore | typeof trackPrompt | typeof trackGroup,
>(
  endpoint: E,
  name: string,
  path: string,
): E => ({ ...endpoint, name, path });

export const legacyTrackMetadata = legacy(
  trackMetadata,
  'library_track_metadata',
  '/library-track-metadata',
);
export const legacyTrackScore = legacy(trackScore, 'library_track_score', '/library-track-score');
export const legacyTrackPrompt = legacy(
  trackPrompt,
  'library_track_prompt',
  '/library-track-prompt',
);
export const legacyTrackGroup = legacy(trackGroup, 'library_track_group', '/track-group');

/** The key stands in the body or in the header. */
const api_key = z.string().optional();

/** Not in the public description: the legacy form, which takes the key from the body as well. */
export const createGroup = endpoint({
  ...shared,
  name: 'create_group',
  summary: 'Create a group of logged requests',
  path: '/create-group',
  body: z.looseObject({ api_key }).optional(),
  answer: z.looseObject({ id: z.number() }),
  ok: [200, 201],
  repeatable: false,
});

/**
 * Logs a run of a template: what the provider was asked and what it answered. Not in the public
 * description; takes the key from the body, like `createGroup`.
 */
export const trackRequest = endpoint({
  ...shared,
  name: 'track_request',
  summary: 'Log a run of a prompt template',
  path: '/track-request',
  body: z.looseObject({
    api_key,
    function_name: z.string(),
    provider_type: z.string(),
    /** Clients that pass everything by name leave it out. */
    args: z.array(z.unknown()).nullish(),
    /** Arguments of the provider's own form, without credentials. */
    kwargs: z.looseObject({}),
    tags: z.array(z.string()).nullish(),
    /** One official client sends text, the other one seconds. */
    request_start_time: requestTime,
    request_end_time: requestTime,
    metadata: z.record(z.string(), z.string()).nullish(),
    prompt_id: z.int().nullish(),
    /** The number of the version that was run, whatever label led to it. */
    prompt_version: z.int().nullish(),
    prompt_input_variables: z.record(z.string(), z.unknown()).nullish(),
    group_id: z.int().nullish(),
    /** The span that the run is in; spans are sent when they have ended, so it comes later. */
    span_id: z.string().nullish(),
    return_prompt_blueprint: z.boolean().optional(),
    /** `{}` when nothing came. */
    request_response: z.unknown(),
    /** Absent for a success; WARNING or ERROR. */
    status: z.string().nullish(),
    error_type: z.string().nullish(),
    error_message: z.string().max(1024).nullish(),
  }),
  answer: z.looseObject({ request_id: z.number(), prompt_blueprint: z.looseObject({}).nullish() }),
  repeatable: false,
});
