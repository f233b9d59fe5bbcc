import type { App } from '../shell/app.ts';
import { versionNumbers } from '../ask/pick-prompt.ts';
import { workflowLabels } from '../ask/pick-workflow.ts';
import { RegistryModel } from '../trees/registry-model.ts';
import type { WorkflowLeaf, WorkflowParent } from './nodes.ts';

export type WorkflowsModel = RegistryModel<WorkflowParent, WorkflowLeaf>;

/** What the Workflows view shows: workflows, below them their labels and versions. */
export const workflowsModel = (app: App): WorkflowsModel =>
  new RegistryModel<WorkflowParent, WorkflowLeaf>(app, {
    what: 'workflows',
    stateKey: 'promptTables.workflowsState',
    filteredKey: 'promptTables.workflowsFiltered',
    retry: 'promptTables.retryWorkflows',
    async *list(client, { connectionId, page, size, filter }, signal) {
      const wanted = filter?.toLowerCase();
      // The service cannot look for names: all are read from the first page, and those that do not
      // fit are left out here. So are those that fill the pages before.
      let left = wanted === undefined ? 0 : (page - 1) * size;
      const query = { per_page: size, page: wanted === undefined ? page : 1 };
      for await (const workflow of client.workflows.list(query, { signal })) {
        const { id, name: workflowName } = workflow;
        if (wanted !== undefined && !workflowName.toLowerCase().includes(wanted)) continue;
        left -= 1;
        if (left >= 0) continue;
        yield {
          kind: 'workflow',
          id: `${connectionId}/${id}`,
          connectionId,
          workflowName,
          workflow,
        };
      }
    },
    async below(client, { id, connectionId, workflowName, workflow }, signal) {
      const labels = await workflowLabels(client, workflowName, signal);
      const address = { connectionId, workflowName };
      return [
        ...labels.map(
          ({ release_label: label, workflow_version_number: version }): WorkflowLeaf => ({
            ...address,
            ...{ kind: 'workflowLabel', id: `${id}/label/${label}`, label, version },
            choice: { kind: 'label', label },
          }),
        ),
        ...versionNumbers(workflow.latest_version_number).map((version): WorkflowLeaf => ({
          ...address,
          ...{ kind: 'workflowVersion', id: `${id}/version/${version}`, version },
          choice: { kind: 'version', version },
          labels: labels
            .filter((one) => one.workflow_version_number === version)
            .map((one) => one.release_label),
        })),
      ];
    },
  });
