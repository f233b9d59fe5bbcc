import { stringifyJson } from '../../core/http/json.ts';
import type { Compute, Tools } from '../engine/columns/column-kind.ts';
import type { Json } from '../engine/columns/json.ts';
import { jsonFromText } from '../engine/columns/json.ts';
import { columnKind } from '../engine/columns/registry.ts';
import type { SourceEntry, SourceState } from '../engine/columns/sources.ts';
import { Sources } from '../engine/columns/sources.ts';
import { sourcesOfConfig } from '../engine/edges.ts';
import { CellProblem } from '../engine/problem.ts';
import { Metered } from '../engine/prompts.ts';
import type { ValueOf } from './conditions.ts';
import { comparedNames } from './conditions.ts';
import type { WorkflowNode } from './definition.ts';
import { CONDITION_NODE, PROMPT_NODE, nodeConfiguration } from './definition.ts';
import { promptNodeOf } from './prompt-config.ts';
import type { Conditions, NodeResult } from './run-graph.ts';

const jsonOf = (value: unknown): Json => jsonFromText(stringifyJson(value ?? null));

function runPrompt(
  { configuration, dependencies }: WorkflowNode,
  valueOf: ValueOf,
  { prompts, callContext, signal, onBegin }: Tools,
): Promise<Json | Metered> {
  if (prompts === undefined) {
    throw new CellProblem('not_supported', "This process doesn't run prompts.");
  }
  const { mappings, ...asked } = promptNodeOf(configuration);
  const names = mappings ?? Object.fromEntries(dependencies.map((name) => [name, name] as const));
  const variables = Object.fromEntries(
    Object.entries(names).map(([variable, name]) => [variable, valueOf(name) ?? null]),
  );
  return prompts.run({ ...asked, callContext, variables, signal, onBegin });
}

function stateOf(name: string, valueOf: ValueOf): SourceState {
  const value = valueOf(name);
  return value === undefined
    ? { kind: 'missing', title: name }
    : { kind: 'value', title: name, value };
}

/** Code sees all that the node depends on; everything else names its sources, or takes them all. */
function sourcesOf(node: WorkflowNode, configuration: Json, valueOf: ValueOf): Sources {
  const own = sourcesOfConfig(jsonOf(node.configuration));
  const isOnlyOwn = node.node_type === 'ENDPOINT' && own.length > 0;
  const named = (isOnlyOwn ? own : sourcesOfConfig(configuration)).map(
    ({ configKey, name, variableName }): SourceEntry => ({
      configKey,
      name: variableName ?? name,
      state: stateOf(name, valueOf),
    }),
  );
  const read = node.node_type === 'CODE_EXECUTION' ? node.dependencies : [];
  const all = read.map((name): SourceEntry => ({
    configKey: 'code',
    name,
    state: stateOf(name, valueOf),
  }));
  return new Sources([...named, ...all]);
}

function compute(
  node: WorkflowNode,
  valueOf: ValueOf,
  tools: Tools,
): Json | Metered | Promise<Json | Metered> {
  if (node.node_type === PROMPT_NODE) return runPrompt(node, valueOf, tools);
  if (node.node_type === CONDITION_NODE) {
    const { conditionals, is_and: isAnd } = node.configuration;
    const list: unknown[] = Array.isArray(conditionals) ? conditionals : [];
    return computeConditions({ conditionals: list, isAnd: isAnd !== false }, valueOf, tools);
  }
  const configuration = jsonOf(nodeConfiguration(node));
  const { compute: run } = columnKind(node.node_type).compile(configuration);
  return run(sourcesOf(node, configuration, valueOf), tools);
}

/** As a CONDITION column does it. What is not there counts as null. */
function computeConditions(
  { conditionals, isAnd }: Conditions,
  valueOf: ValueOf,
  tools: Tools,
): ReturnType<Compute> {
  const config = jsonOf({ conditionals, is_and: isAnd });
  const entries = [...comparedNames(conditionals)].flatMap((name): SourceEntry[] => {
    const state = stateOf(name, valueOf);
    return state.kind === 'value' ? [{ configKey: 'conditionals', name, state }] : [];
  });
  return columnKind('CONDITION').compile(config).compute(new Sources(entries), tools);
}

/** Whether the conditions of an edge are met. */
export async function conditionsMet(
  conditions: Conditions,
  valueOf: ValueOf,
  tools: Tools,
): Promise<boolean> {
  return (await computeConditions(conditions, valueOf, tools)) === true;
}

/** Runs one node; throws a CellProblem that its user can understand. */
export async function runNode(
  node: WorkflowNode,
  valueOf: ValueOf,
  tools: Tools,
): Promise<NodeResult> {
  const callContext = tools.callContext.inside(node.name);
  const result = await compute(node, valueOf, { ...tools, callContext });
  return result instanceof Metered
    ? { value: result.value, requestIds: result.metrics.request_ids ?? [] }
    : { value: result, requestIds: [] };
}
