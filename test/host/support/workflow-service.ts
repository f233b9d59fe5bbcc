/** A stand-in for a hosted workspace with workflows, whose nodes end when the test says so. */
import type { FakeWorkflows, SeenCall } from '../../support/workflows/fake-workflows.ts';
import { startFakeWorkflows } from '../../support/workflows/fake-workflows.ts';

interface NodeState {
  readonly status: string;
  readonly value?: unknown;
  readonly error_message?: string;
  readonly raw_error_message?: string;
}

export interface WorkflowService extends Pick<FakeWorkflows, 'url' | 'calls'> {
  /** What the client sent to start the runs. */
  readonly starts: readonly unknown[];
  /** Executions that were to be cancelled. */
  readonly cancelled: readonly string[];
  /** Sets nodes of the run that goes on. */
  set(states: Readonly<Record<string, NodeState>>): void;
  /** Ends the run: nodes that are not done are skipped. */
  end(): void;
  close(): Promise<void>;
}

const node = (
  name: string,
  node_type: string,
  dependencies: readonly string[],
  is_output_node = false,
) => ({
  ...{ id: name, name, node_type, dependencies, is_output_node },
  configuration: { note: `of ${name}` },
});

const nodes = [
  node('classify', 'PROMPT_TEMPLATE', ['question']),
  node('answer', 'PROMPT_TEMPLATE', ['classify', 'question']),
  node('escalate', 'CODE_EXECUTION', ['classify']),
  node('check tone', 'LLM_ASSERTION', ['answer']),
  node('reply', 'COALESCE', ['check tone', 'escalate', 'classify'], true),
];
const edges = ['answer', 'escalate'].map((target) => ({
  ...{ id: target, source_node_name: 'classify', target_node_name: target, is_and: true },
  conditionals: [{ left: 'classify', operator: '==', right: target }],
}));

export async function startWorkflowService(): Promise<WorkflowService> {
  const starts: unknown[] = [];
  const cancelled: string[] = [];
  let isOver = false;
  let states: Record<string, NodeState> = {};
  const list = [
    { id: 3, name: 'triage', latest_version_number: 2, release_labels: ['prod'] },
    { id: 4, name: 'nightly report', latest_version_number: 1, release_labels: [] },
  ];
  const other = ({ method, path, query }: SeenCall) => {
    if (path === '/api/public/v2/tables') {
      return { body: { success: true, data: [], has_more: false, next_cursor: null } };
    }
    if (path === '/workflows') {
      return { body: { items: list, page: 1, pages: 1, total: list.length, has_next: false } };
    }
    if (/^\/workflows\/[^/]+\/labels$/.test(path)) {
      const label = { release_label: 'prod', release_label_id: 9, workflow_version_id: 30 };
      const hasLabel = path.includes('triage');
      const release_labels = hasLabel ? [{ ...label, workflow_version_number: 1 }] : [];
      return { body: { success: true, release_labels } };
    }
    const [, name] = /^\/workflows\/([^/]+)$/.exec(path) ?? [];
    const found = list.find((one) => one.name === name || String(one.id) === name);
    if (method !== 'GET' || found === undefined) {
      return { status: 404, body: { success: false, message: 'Unknown path.' } };
    }
    return {
      body: {
        ...{ success: true, workflow_id: found.id, workflow_name: found.name },
        version: Number(query['version'] ?? (query['label'] === 'prod' ? 1 : undefined) ?? 2),
        required_input_variables: { question: 'string', limit: 'number' },
        release_labels: [],
        ...{ nodes, edges },
      },
    };
  };
  const endRun = (): void => {
    isOver = true;
    for (const { name } of nodes) {
      const known = states[name]?.status ?? 'QUEUED';
      if (known === 'QUEUED' || known === 'RUNNING') {
        states[name] = { status: 'SKIPPED', error_message: 'The run was canceled.' };
      }
    }
  };
  const service = await startFakeWorkflows({
    start(call) {
      starts.push(call.json);
      isOver = false;
      states = {};
      return {
        status: 201,
        body: {
          success: true,
          message: 'Started',
          workflow_version_execution_id: 40 + starts.length,
        },
      };
    },
    results({ method, query }) {
      if (method === 'DELETE') {
        cancelled.push(query['workflow_version_execution_id'] ?? '');
        endRun();
        return { body: { success: true, message: 'Cancelled.', cancelled_node_count: 2 } };
      }
      const body = Object.fromEntries(
        nodes.map(({ name, is_output_node }) => {
          const {
            status,
            value = null,
            error_message: error = null,
            raw_error_message: raw = null,
          } = states[name] ?? { status: 'QUEUED' };
          return [
            name,
            { status, value, error_message: error, raw_error_message: raw, is_output_node },
          ];
        }),
      );
      return { status: isOver ? 200 : 202, body };
    },
    other,
  });
  return {
    ...{ url: service.url, calls: service.calls, starts, cancelled },
    set(changed) {
      Object.assign(states, changed);
    },
    end: endRun,
    close: () => service.close(),
  };
}
