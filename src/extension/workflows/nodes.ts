import type { Workflow } from '../../api/workflow.ts';
import type { RegistryState } from '../trees/registry-model.ts';
import type { WorkflowAddress } from '../shell/workflow-address.ts';

interface Named {
  readonly id: string;
}

export type WorkflowParent = Named &
  WorkflowAddress & { readonly kind: 'workflow'; readonly workflow: Workflow };

export type WorkflowLeaf =
  | (Named &
      WorkflowAddress & {
        readonly kind: 'workflowVersion';
        readonly version: number;
        readonly labels: readonly string[];
      })
  | (Named &
      WorkflowAddress & {
        readonly kind: 'workflowLabel';
        readonly label: string;
        readonly version: number;
      });

/** Everything that stands in the Workflows view. `id` is stable. */
export type WorkflowNode = WorkflowParent | WorkflowLeaf | RegistryState<WorkflowParent>;
