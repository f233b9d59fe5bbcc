import type { WorkflowVersion } from '../../api/workflow.ts';
import type { PromptVariable, VersionInfo } from './known.ts';

/** What code has to know of a workflow, out of what a service says of it. */
export function ofWorkflow(workflow: WorkflowVersion): VersionInfo {
  const { required_input_variables: required, nodes } = workflow;
  const declared = Object.entries(required ?? {}).map(([name, type]): PromptVariable => ({
    name,
    takes: 'text',
    type,
    isOptional: false,
  }));
  // A node may take what is not declared.
  const known = new Set([...declared.map(({ name }) => name), ...nodes.map(({ name }) => name)]);
  const others = new Set(
    nodes.flatMap((node) => node.dependencies).filter((name) => !known.has(name)),
  );
  const optional = [...others].map((name): PromptVariable => ({
    name,
    takes: 'text',
    isOptional: true,
  }));
  return {
    what: 'workflow',
    id: workflow.workflow_id,
    name: workflow.workflow_name,
    version: workflow.version,
    model: undefined,
    variables: [...declared, ...optional],
    hasAllVariables: required !== undefined && required !== null,
    messages: [],
  };
}
