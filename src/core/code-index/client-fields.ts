/** What the clients call what they are given. */
import type { CallKind } from './call.ts';

export interface Fields {
  readonly names: readonly string[];
  readonly labels: readonly string[];
  readonly versions: readonly string[];
  readonly variables: readonly string[];
}

/** Options by their names in snake_case: both spellings are known to all clients. */
export const fieldsOf: Readonly<Record<CallKind, Fields>> = {
  run: {
    names: ['prompt_name'],
    labels: ['prompt_release_label'],
    versions: ['prompt_version'],
    variables: ['input_variables'],
  },
  get: {
    names: ['prompt_name'],
    labels: ['label'],
    versions: ['version'],
    variables: ['input_variables'],
  },
  workflow: {
    names: ['workflow_name', 'workflow_id_or_name'],
    labels: ['workflow_label_name'],
    versions: ['workflow_version', 'workflow_version_number'],
    variables: ['input_variables'],
  },
  log: {
    names: ['prompt_name'],
    labels: [],
    versions: ['prompt_version_number', 'prompt_version'],
    variables: ['prompt_input_variables'],
  },
  callee: {
    names: ['prompt_name', 'name'],
    labels: ['prompt_release_label', 'label'],
    versions: ['prompt_version', 'version'],
    variables: ['input_variables', 'variables'],
  },
};

/** What only `templates.get` of a client is given, beside the name. */
export const getOptions = new Set([
  ...['label', 'version', 'input_variables', 'metadata_filters', 'model_parameter_overrides'],
  ...['provider', 'model', 'workspace_id'],
]);
