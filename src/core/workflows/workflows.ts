import type { BodyOf, QueryOf } from '../../api/endpoint.ts';
import type {
  SavedWorkflow,
  Workflow,
  WorkflowLabel,
  WorkflowVersion,
} from '../../api/workflow.ts';
import {
  cancelWorkflow,
  createWorkflow,
  getWorkflow,
  listWorkflowLabels,
  listWorkflows,
  patchWorkflow,
} from '../../api/workflow.ts';
import { walkPages } from '../http/numbered-pages.ts';
import type { CallOptions } from '../http/call.ts';
import type { AlsoCamelCase } from '../spelling.ts';
import { asSent, snakeFields } from '../spelling.ts';
import type { ApiContext } from '../tables/context.ts';
import type { RunWorkflowCallOptions, RunWorkflowOptions } from './options.ts';
import type { WorkflowContext } from './wait.ts';

/**
 * `page`, `perPage` (1 to 100, default 30), times, `sortBy`, `sortOrder`, `externalSource`,
 * `externalId`.
 */
export type WorkflowsQuery = QueryOf<typeof listWorkflows>;
/**
 * `name` (or `workflowId`, `workflowName` of the one that gets a new version), `nodes`, `edges`, `requiredInputVariables`, `commitMessage`, `releaseLabels`, `folderId`.
 */
export type NewWorkflow = BodyOf<typeof createWorkflow>;
/**
 * `baseVersion`, `nodes` by name, `edges`, `requiredInputVariables`, `commitMessage`,
 * `releaseLabels`.
 */
export type WorkflowPatch = BodyOf<typeof patchWorkflow>;

/** Which version is meant. */
export interface WorkflowChoice {
  /** Not together with a label; without both, the latest version. */
  readonly version?: number | undefined;
  readonly label?: string | undefined;
}

/** Runs a workflow and gives its result: any JSON. */
export type RunWorkflow = (
  options: RunWorkflowOptions,
  callOptions?: RunWorkflowCallOptions,
) => Promise<unknown>;

/** What waits for workflows is loaded with the first run. */
export const makeRunWorkflow =
  (context: WorkflowContext): RunWorkflow =>
  async (options, callOptions = {}) => {
    const { runWorkflow } = await import('./run-workflow.ts');
    return runWorkflow(context, options, callOptions);
  };

/** What `client.workflows` is. */
export type Workflows = ReturnType<typeof makeWorkflows>;

/** Workflows of the registry. Each is asked for by its name or its id. */
export function makeWorkflows({ call }: ApiContext) {
  return {
    /** All workflows that fit the query, page after page, newest first. */
    list: (
      query: AlsoCamelCase<WorkflowsQuery> = {},
      options: CallOptions = {},
    ): AsyncGenerator<Workflow, void> => {
      const fields: WorkflowsQuery = snakeFields(query);
      return walkPages(
        (page) => call(listWorkflows, { params: {}, query: { ...fields, page } }, options),
        { name: 'workflows', firstPage: Number(fields.page ?? 1) },
      );
    },

    /** A version with its nodes and edges. */
    get: (
      name: string | number,
      choice: WorkflowChoice = {},
      options: CallOptions = {},
    ): Promise<WorkflowVersion> =>
      call(getWorkflow, { params: { name: String(name) }, query: choice }, options),

    /** The labels of a workflow, with the versions that they point to. */
    labels: async (name: string | number, options: CallOptions = {}): Promise<WorkflowLabel[]> =>
      (await call(listWorkflowLabels, { params: { name: String(name) } }, options)).release_labels,

    /** Makes a new workflow, or, with `workflowId` or `workflowName`, a new version of one. */
    create: (
      workflow: AlsoCamelCase<NewWorkflow>,
      options: CallOptions = {},
    ): Promise<SavedWorkflow> => {
      const body = asSent<NewWorkflow>(workflow);
      return call(createWorkflow, { params: {}, body }, options);
    },

    /** Makes a new version out of an earlier one (by default the latest) and some changes. */
    patch: (
      name: string | number,
      changes: AlsoCamelCase<WorkflowPatch>,
      options: CallOptions = {},
    ): Promise<SavedWorkflow> => {
      const body: WorkflowPatch = snakeFields(changes);
      return call(patchWorkflow, { params: { name: String(name) }, body }, options);
    },

    /**
     * Ends a run early; its nodes that are not done are skipped. Answers how many those were. Not
     * in the public description: a service that cannot cancel answers with NotFoundError or a
     * ValidationError.
     */
    cancel: async (executionId: number, options: CallOptions = {}): Promise<number> => {
      const query = { workflow_version_execution_id: executionId };
      const answer = await call(cancelWorkflow, { params: {}, query }, options);
      return answer.cancelled_node_count ?? 0;
    },
  };
}
