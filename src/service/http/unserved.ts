import { Problem } from './problem.ts';

/** A feature of the public API that this service leaves out, and what does its work here. */
interface Unserved {
  readonly feature: string;
  readonly instead: string;
  /** Methods and paths, as the description has them. */
  readonly calls: readonly string[];
}

const publicPath = '/api/public/v2';

const attached = (path: string): readonly string[] => [
  `POST ${path}/external-ids`,
  `GET ${path}/external-ids`,
  `DELETE ${path}/external-ids/{source}/{external_id}`,
];

const unserved: readonly Unserved[] = [
  {
    feature: 'Attaching external IDs to what exists already',
    instead: 'Give external_ids when a prompt template, workflow or folder is created.',
    calls: [
      'PUT /prompt-templates/by-external-id/{source}/{external_id}',
      ...attached('/prompt-templates/{prompt_template_id}'),
      ...attached('/workflows/{workflow_id}'),
      ...attached('/reports/{report_id}'),
      ...attached(`${publicPath}/folders/{folder_id}`),
      ...attached(`${publicPath}/dataset-groups/{dataset_group_id}`),
      ...attached(`${publicPath}/tool-registry/{tool_id}`),
      ...attached(`${publicPath}/skill-collections/{skill_collection_id}`),
    ],
  },
  {
    feature: 'Evaluations and reports of the older kind',
    instead: 'Use the scorecard of a sheet.',
    calls: [
      'POST /reports',
      'POST /reports/{report_id}/run',
      'GET /reports/{report_id}',
      'DELETE /reports/{report_id}',
      'GET /reports/{report_id}/score',
      'PATCH /reports/{report_id}/rename',
      'PATCH /reports/{report_id}/score-card',
      'DELETE /reports/name/{report_name}',
      'POST /report-columns',
      'PATCH /report-columns/{report_column_id}',
      'DELETE /report-columns/{report_column_id}',
      `GET ${publicPath}/evaluations`,
      `GET ${publicPath}/evaluations/{evaluation_id}/rows`,
    ],
  },
  {
    feature: 'Data sets of the older kind',
    instead: 'Use the rows of a sheet.',
    calls: [
      `GET ${publicPath}/datasets`,
      `GET ${publicPath}/datasets/{dataset_id}/rows`,
      `POST ${publicPath}/dataset-groups`,
      `POST ${publicPath}/dataset-versions/from-file`,
      `POST ${publicPath}/dataset-versions/from-filter-params`,
      `POST ${publicPath}/dataset-versions/create-draft`,
      `POST ${publicPath}/dataset-versions/add-request-log`,
      `POST ${publicPath}/dataset-versions/save-draft`,
    ],
  },
  {
    feature: 'The tool registry',
    instead: 'Declare tools in the prompt template itself.',
    calls: [
      `GET ${publicPath}/tool-registry`,
      `POST ${publicPath}/tool-registry`,
      `GET ${publicPath}/tool-registry/{identifier}`,
      `POST ${publicPath}/tool-registry/{identifier}/versions`,
      `POST ${publicPath}/tool-registry/{identifier}/test-execute`,
      `GET ${publicPath}/tool-registry/{identifier}/env-vars`,
      `POST ${publicPath}/tool-registry/{identifier}/env-vars`,
      `PATCH ${publicPath}/tool-registry/{identifier}/env-vars/{var_id}`,
      `DELETE ${publicPath}/tool-registry/{identifier}/env-vars/{var_id}`,
    ],
  },
  {
    feature: 'Environment variables of the workspace',
    instead: 'Set variables in the environment that the service starts in.',
    calls: [
      `GET ${publicPath}/env-vars`,
      `POST ${publicPath}/env-vars`,
      `PATCH ${publicPath}/env-vars/{var_id}`,
      `DELETE ${publicPath}/env-vars/{var_id}`,
    ],
  },
  {
    feature: 'Custom analytics',
    instead: `Use POST ${publicPath}/requests/analytics.`,
    calls: [
      `POST ${publicPath}/requests/analytics/custom-analytics`,
      `POST ${publicPath}/traces/analytics/custom-analytics`,
    ],
  },
];

export interface UnservedCall {
  readonly method: string;
  readonly path: string;
  readonly problem: () => Problem;
}

/** Calls of the public API that are answered with the name of the feature that isn't here. */
export const unservedCalls: readonly UnservedCall[] = unserved.flatMap(
  ({ feature, instead, calls }) =>
    calls.map((call) => {
      const [method = '', path = ''] = call.split(' ');
      const message = `${feature}: the local service doesn't serve this. ${instead}`;
      return { method, path, problem: () => new Problem(404, 'not_served', message) };
    }),
);
