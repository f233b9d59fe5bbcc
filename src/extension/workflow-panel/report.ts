import type { WorkflowVersion } from '../../api/workflow.ts';
import type { NodeOutput, NodeOutputs } from '../../core/index.ts';
import type { GraphNode, NodeReport, NodeState, NodeValue } from '../../protocol/workflow.ts';
import type { RunVariable } from '../../protocol/run.ts';
import { laidOut } from '../panels/laid-out.ts';

/** Characters of a value that go to the page; an editor shows all of them. */
const mostShown = 100_000;

/** The service's words for the states of nodes. */
const states: Readonly<Record<string, NodeState>> = {
  QUEUED: 'queued',
  PENDING: 'queued',
  RUNNING: 'running',
  SUCCESS: 'done',
  FAILED: 'failed',
  SKIPPED: 'skipped',
};

export const stateOf = ({ status }: Pick<NodeOutput, 'status'>): NodeState =>
  states[status.toUpperCase()] ?? 'unknown';

export const isOver = (state: NodeState): boolean =>
  state === 'done' || state === 'failed' || state === 'skipped';

/** The whole of a value as a person reads it. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : laidOut(value);

export function valueOf(value: unknown): NodeValue {
  const text = textOf(value);
  const leftOut = Math.max(0, text.length - mostShown);
  const shown = leftOut === 0 ? text : text.slice(0, mostShown);
  return { kind: typeof value === 'string' ? 'text' : 'json', text: shown, leftOut };
}

const said = (text: string | null | undefined): text is string =>
  typeof text === 'string' && text !== '';

export function reportOf(
  name: string,
  output: NodeOutput,
  {
    redact,
    tookMs,
  }: { readonly redact: (text: string) => string; readonly tookMs?: number | undefined },
): NodeReport {
  const state = stateOf(output);
  const { status, value, error_message: error, raw_error_message: raw, warning } = output;
  const hasValue = state === 'done' || (isOver(state) && value !== null && value !== undefined);
  return {
    name,
    state,
    status,
    ...(hasValue && { value: valueOf(value) }),
    ...(said(error) && { error: redact(error) }),
    ...(said(raw) && raw !== error && { rawError: redact(raw) }),
    ...(said(warning) && { warning: redact(warning) }),
    ...(tookMs !== undefined && { tookMs }),
  };
}

/** The value of the output node that has succeeded; of each by its name when several have. */
export function finalOf(nodes: NodeOutputs): { readonly value: unknown } | undefined {
  const done = Object.entries(nodes).filter(
    ([, output]) => output.is_output_node && stateOf(output) === 'done',
  );
  const [only] = done;
  if (only === undefined) return undefined;
  if (done.length === 1) return { value: only[1].value };
  return { value: Object.fromEntries(done.map(([name, { value }]) => [name, value])) };
}

/** What a workflow takes, as a form asks for it: everything but texts is JSON. */
export function variablesOf({ required_input_variables: given }: WorkflowVersion): RunVariable[] {
  return Object.entries(given ?? {}).map(([name, type]) => {
    const isText = /^(?:|str|string|text)$/i.test(type);
    return { name, kind: isText ? 'text' : 'json', text: '', ...(!isText && { type }) };
  });
}

export function graphOf({ nodes, edges = [] }: WorkflowVersion): readonly GraphNode[] {
  const names = new Set(nodes.map(({ name }) => name));
  return nodes.map(({ name, node_type: type, is_output_node: isOutput, dependencies }) => {
    const incoming = edges.filter((edge) => edge.target_node_name === name);
    const after = [...dependencies, ...incoming.map((edge) => edge.source_node_name)];
    const onlyIf = incoming
      .filter(({ conditionals }) => (conditionals ?? []).length > 0)
      .map((edge) => edge.source_node_name);
    return {
      ...{ name, type, isOutput },
      after: [...new Set(after)].filter((one) => names.has(one) && one !== name),
      onlyIf: [...new Set(onlyIf)],
    };
  });
}
