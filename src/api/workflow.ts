import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { ExternalIds, listFilters } from './list-filters.ts';
import { queryFlag } from './page.ts';
import { numberedPage } from './template.ts';

const none = z.object({});
/** Name or id. */
const nameParams = z.object({ name: z.string() });
const labels = z.array(z.string());
const variableTypes = z.record(z.string(), z.string());

/** What a node has done so far. `value` is any JSON; the final statuses are the first three. */
export const NodeOutput = z.looseObject({
  /** SUCCESS, FAILED, SKIPPED; QUEUED, RUNNING. */
  status: z.string(),
  value: z.unknown(),
  error_message: z.string().nullish(),
  raw_error_message: z.string().nullish(),
  is_output_node: z.boolean(),
  /** Of the local service: what is not whole about a value. */
  warning: z.string().nullish(),
});
export type NodeOutput = z.output<typeof NodeOutput>;

/** A workflow of the registry, without its nodes. Times are ISO 8601. */
export const Workflow = z.looseObject({
  id: z.number(),
  name: z.string(),
  workspace_id: z.number().optional(),
  user_id: z.number().nullish(),
  is_deleted: z.boolean().optional(),
  latest_version_number: z.number().nullish(),
  release_labels: labels.optional(),
  external_ids: ExternalIds.optional(),
});
export type Workflow = z.output<typeof Workflow>;

export const listWorkflows = endpoint({
  name: 'list_workflows',
  summary: 'List workflows, newest first',
  method: 'GET',
  path: '/workflows',
  params: none,
  query: z.object({
    page: z.coerce.number().int().positive().default(1),
    per_page: z.coerce.number().int().min(1).max(100).default(30),
    ...listFilters,
  }),
  body: z.undefined(),
  answer: numberedPage(Workflow),
  ok: [200],
  repeatable: true,
});

/** One version of a workflow. The number is called `version_number` where it was just made. */
const VersionFields = z.looseObject({
  workflow_id: z.number(),
  workflow_name: z.string(),
  version: z.number(),
  workflow_version_id: z.number().optional(),
  commit_message: z.string().nullish(),
  required_input_variables: variableTypes.nullish(),
  release_labels: labels.nullish(),
  created_at: z.string().nullish(),
  nodes: z.array(
    z.looseObject({
      id: z.string().optional(),
      name: z.string(),
      node_type: z.string(),
      is_output_node: z.boolean(),
      configuration: z.looseObject({}),
      /** Names of nodes and of input variables. */
      dependencies: z.array(z.string()),
    }),
  ),
  edges: z
    .array(
      z.looseObject({
        id: z.string().optional(),
        source_node_name: z.string(),
        target_node_name: z.string(),
        is_and: z.boolean(),
        conditionals: z.array(z.looseObject({})).optional(),
      }),
    )
    .optional(),
});
/** The public description has `version` in its schema and `version_number` in its example. */
export const WorkflowVersion = z.preprocess(
  (sent) =>
    typeof sent === 'object' && sent !== null && 'version_number' in sent && !('version' in sent)
      ? { ...sent, version: sent.version_number }
      : sent,
  VersionFields,
);

export type WorkflowVersion = z.output<typeof VersionFields>;

export const getWorkflow = endpoint({
  name: 'get_workflow',
  summary: 'Get a version of a workflow',
  method: 'GET',
  path: '/workflows/{name}',
  params: nameParams,
  query: z.object({
    /** Not together with `label`; without both, the latest version. */
    version: z.coerce.number().int().positive().optional(),
    label: z.string().optional(),
  }),
  body: z.undefined(),
  answer: WorkflowVersion,
  ok: [200],
  repeatable: true,
});

/** A name of a version. */
const WorkflowLabel = z.looseObject({
  release_label: z.string(),
  release_label_id: z.number(),
  workflow_version_id: z.number(),
  workflow_version_number: z.number(),
});
export type WorkflowLabel = z.output<typeof WorkflowLabel>;

export const listWorkflowLabels = endpoint({
  name: 'list_workflow_labels',
  summary: 'List the release labels of a workflow',
  method: 'GET',
  path: '/workflows/{name}/labels',
  params: nameParams,
  query: none,
  body: z.undefined(),
  answer: z.looseObject({ release_labels: z.array(WorkflowLabel) }),
  ok: [200],
  repeatable: true,
});

/** A version that was just made. */
export const SavedWorkflow = z.looseObject({
  workflow_id: z.number(),
  workflow_name: z.string(),
  workflow_version_id: z.number(),
  version_number: z.number(),
  base_version: z.number().nullish(),
  release_labels: labels.nullish(),
  nodes: z.array(z.looseObject({})).optional(),
  required_input_variables: variableTypes.optional(),
  external_ids: ExternalIds.optional(),
});
export type SavedWorkflow = z.output<typeof SavedWorkflow>;

const edges = z
  .array(
    z.looseObject({
      source_node_name: z.string(),
      target_node_name: z.string(),
      is_and: z.boolean(),
      conditionals: z.array(z.looseObject({})).min(1),
    }),
  )
  .nullish();

export const createWorkflow = endpoint({
  name: 'create_workflow',
  summary: 'Create a workflow, or a version of one',
  method: 'POST',
  path: '/rest/workflows',
  params: none,
  query: none,
  body: z.looseObject({
    /** Of a new workflow; a new version names the one that is there by id or name. */
    name: z.string().min(1).max(255).nullish(),
    workflow_id: z.int().nullish(),
    workflow_name: z.string().nullish(),
    folder_id: z.int().nullish(),
    commit_message: z.string().nullish(),
    nodes: z.array(
      z.looseObject({
        name: z.string().min(1).max(255),
        node_type: z.string(),
        configuration: z.looseObject({}),
        dependencies: z.array(z.string()).optional(),
        is_output_node: z.boolean(),
      }),
    ),
    required_input_variables: variableTypes.optional(),
    edges,
    release_labels: labels.nullish(),
    external_ids: ExternalIds.optional(),
  }),
  answer: SavedWorkflow,
  ok: [201],
  repeatable: false,
});

export const patchWorkflow = endpoint({
  name: 'patch_workflow',
  summary: 'Make a version out of another one and some changes',
  method: 'PATCH',
  path: '/rest/workflows/{name}',
  params: nameParams,
  query: none,
  body: z.looseObject({
    /** Version to begin with; without it, the latest one. */
    base_version: z.int().nullish(),
    commit_message: z.string().nullish(),
    /** By name: a change, a whole new node, or null to remove it. */
    nodes: z.record(z.string(), z.looseObject({}).nullable()).nullish(),
    required_input_variables: variableTypes.nullish(),
    edges,
    release_labels: labels.nullish(),
  }),
  answer: SavedWorkflow,
  ok: [201],
  repeatable: false,
});

export const runWorkflow = endpoint({
  name: 'run_workflow',
  summary: 'Start a workflow',
  method: 'POST',
  path: '/workflows/{name}/run',
  params: nameParams,
  query: none,
  body: z
    .looseObject({
      workflow_label_name: z.string().nullish(),
      /** Not together with a label; without both, the latest version. */
      workflow_version_number: z.int().nullish(),
      metadata: z.record(z.string(), z.string()).nullish(),
      input_variables: z.record(z.string(), z.unknown()).optional(),
      return_all_outputs: z.boolean().optional(),
      /** Gets the result when it is there. */
      callback_url: z.string().nullish(),
    })
    .optional(),
  answer: z.looseObject({
    success: z.boolean().optional(),
    message: z.string().optional(),
    /** Words of the service about this run. */
    warning: z.string().nullish(),
    workflow_version_execution_id: z.number(),
  }),
  ok: [201, 202],
  repeatable: false,
});

/**
 * The result of an execution: 200 when it is there, 202 while nodes are at work. Any JSON at all;
 * with `return_all_outputs` what every node has done, by its name.
 */
export const getWorkflowResults = endpoint({
  name: 'get_workflow_version_execution_results',
  summary: 'Get the result of a workflow',
  method: 'GET',
  path: '/workflow-version-execution-results',
  params: none,
  query: z.object({
    workflow_version_execution_id: z.coerce.number().int(),
    return_all_outputs: queryFlag().default(false),
  }),
  body: z.undefined(),
  answer: z.unknown(),
  ok: [200, 202],
  repeatable: true,
});

/** Not in the public description: ends a run early. Its nodes that are not done are skipped. */
export const cancelWorkflow = endpoint({
  name: 'cancel_workflow_version_execution',
  summary: 'Cancel a run of a workflow',
  method: 'DELETE',
  path: '/workflow-version-execution-results',
  params: none,
  query: z.object({ workflow_version_execution_id: z.coerce.number().int() }),
  body: z.undefined(),
  answer: z.looseObject({
    success: z.boolean().optional(),
    message: z.string().optional(),
    cancelled_node_count: z.number().optional(),
  }),
  ok: [200],
  repeatable: true,
});

/** Not in the public description: a token for the realtime channel of an execution. */
export const requestChannelToken = endpoint({
  name: 'request_channel_token',
  summary: 'Get a token for a realtime channel',
  method: 'POST',
  path: '/ws-token-request-library',
  params: none,
  query: z.object({
    /** `workflow_updates:` and the id of the execution. */
    capability: z.string(),
  }),
  body: z.undefined(),
  answer: z.looseObject({
    /** What speaks at `/connection/websocket`: `centrifugo`. Others are not to be reached here. */
    messaging_backend: z.string().nullish(),
    token_details: z.looseObject({ token: z.string() }),
  }),
  ok: [200, 201],
  repeatable: false,
});
