import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { stringifyJson } from '../../core/http/json.ts';
import type { Mapping } from '../../core/mapping.ts';
import { isMapping } from '../../core/mapping.ts';
import { jsonFromText } from '../engine/columns/json.ts';
import { columnKind } from '../engine/columns/registry.ts';
import { invalid } from '../http/problem.ts';
import { checkConditionals } from './conditions.ts';
import { checkPromptNode } from './prompt-config.ts';
import { ownValue } from '../../api/own-value.ts';

const mapping = z.custom<Mapping>(isMapping);

export const WorkflowNode = z.object({
  id: z.string(),
  name: z.string(),
  /** In capitals. */
  node_type: z.string(),
  configuration: mapping,
  /** Names of nodes and of input variables. */
  dependencies: z.array(z.string()).readonly(),
  is_output_node: z.boolean(),
});
export type WorkflowNode = Readonly<z.output<typeof WorkflowNode>>;

const WorkflowEdge = z.object({
  id: z.string(),
  source_node_name: z.string(),
  target_node_name: z.string(),
  is_and: z.boolean(),
  conditionals: z.array(mapping).readonly(),
});
export type WorkflowEdge = Readonly<z.output<typeof WorkflowEdge>>;

/** As it is kept. */
export const Definition = z.object({
  nodes: z.array(WorkflowNode).readonly(),
  edges: z.array(WorkflowEdge).readonly(),
  /** Types by the names of the input variables. */
  variables: z.record(z.string(), z.string()).readonly(),
});
export type Definition = Readonly<z.output<typeof Definition>>;

/** Nodes and edges as they are sent: without ids. */
export interface SentNode {
  readonly name: string;
  readonly node_type: string;
  readonly configuration: Mapping;
  readonly dependencies?: readonly string[] | undefined;
  readonly is_output_node: boolean;
}
export type SentEdge = Omit<WorkflowEdge, 'id'>;

const MOST_NODES = 500;

/** Halves of surrogate pairs and U+0000 would come back as other characters. */
const isPlain = (name: string): boolean => name.isWellFormed() && !name.includes('\0');

export const PROMPT_NODE = 'PROMPT_TEMPLATE';
export const CONDITION_NODE = 'CONDITION';

/** Sources that a configuration leaves out are the dependencies, in their order. */
export function nodeConfiguration({ configuration, dependencies }: SentNode): Mapping {
  const names = dependencies ?? [];
  const { sources, source } = configuration;
  return {
    ...configuration,
    ...(sources === undefined && names.length > 0 && { sources: names }),
    ...(source === undefined && sources === undefined && names.length > 0 && { source: names[0] }),
  };
}

function checkNode(node: SentNode): void {
  try {
    if (node.node_type === PROMPT_NODE) checkPromptNode(node.configuration);
    else if (node.node_type === CONDITION_NODE) {
      checkConditionals(node.configuration['conditionals']);
    } else {
      columnKind(node.node_type).compile(jsonFromText(stringifyJson(nodeConfiguration(node))));
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw invalid(`Node "${node.name}": ${error.message}`);
  }
}

/** Nodes that a node waits for: by its dependencies, or by an edge that leads to it. */
export function predecessors(
  name: string,
  { nodes, edges }: Pick<Definition, 'nodes' | 'edges'>,
): Set<string> {
  const known = new Set(nodes.map((node) => node.name));
  const node = nodes.find((one) => one.name === name);
  return new Set([
    ...(node?.dependencies ?? []).filter((one) => known.has(one)),
    ...edges.filter((edge) => edge.target_node_name === name).map((edge) => edge.source_node_name),
  ]);
}

/** Throws a 400 that names the nodes of a circle. */
function refuseCircles(definition: Definition): void {
  const before = new Map(
    definition.nodes.map(({ name }) => [name, predecessors(name, definition)]),
  );
  let rest = [...before.keys()];
  for (;;) {
    const left = rest.filter((name) =>
      [...(before.get(name) ?? [])].some((one) => rest.includes(one)),
    );
    if (left.length === 0) return;
    if (left.length === rest.length) {
      throw invalid(
        `These nodes wait for each other in a circle, or for one that does: ${left.join(', ')}. Take a dependency or an edge out.`,
      );
    }
    rest = left;
  }
}

/** A checked definition with ids. Throws a 400 that says which node or edge is wrong. */
export function checkDefinition(
  sentNodes: readonly SentNode[],
  sentEdges: readonly SentEdge[],
  variables: Readonly<Record<string, string>>,
): Definition {
  if (sentNodes.length === 0) throw invalid('A workflow has at least one node.');
  if (sentNodes.length > MOST_NODES) {
    throw invalid(`A workflow has at most ${String(MOST_NODES)} nodes.`);
  }
  const names = new Set<string>();
  const nodes = sentNodes.map((sent): WorkflowNode => {
    const node = { ...sent, node_type: sent.node_type.toUpperCase() };
    if (!isPlain(node.name)) throw invalid("A name of a node holds characters that aren't text.");
    if (names.has(node.name)) throw invalid(`Two nodes are called "${node.name}".`);
    names.add(node.name);
    checkNode(node);
    return {
      id: randomUUID(),
      name: node.name,
      node_type: node.node_type,
      configuration: node.configuration,
      dependencies: node.dependencies ?? [],
      is_output_node: node.is_output_node,
    };
  });
  if (!nodes.some((node) => node.is_output_node)) {
    throw invalid('No node is the output. Set is_output_node of one of them.');
  }
  for (const { name, dependencies } of nodes) {
    const unknown = dependencies.find((one) => !names.has(one) && !Object.hasOwn(variables, one));
    if (unknown !== undefined) {
      throw invalid(
        `Node "${name}" depends on "${unknown}", which is neither a node nor one of required_input_variables.`,
      );
    }
  }
  const edges = sentEdges.map((edge): WorkflowEdge => {
    for (const end of [edge.source_node_name, edge.target_node_name]) {
      if (!names.has(end)) throw invalid(`An edge names "${end}", which isn't a node.`);
    }
    checkConditionals(edge.conditionals);
    return { ...edge, id: randomUUID() };
  });
  const definition = { nodes, edges, variables };
  refuseCircles(definition);
  return definition;
}

function deepMerge(before: Mapping, patch: Mapping): Mapping {
  const merged: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(patch)) {
    const old = ownValue(before, key);
    merged[key] = isMapping(old) && isMapping(value) ? deepMerge(old, value) : value;
  }
  return merged;
}

const NodePatch = z.looseObject({
  node_type: z.string().nullish(),
  configuration: z.looseObject({}).nullish(),
  dependencies: z.array(z.string()).nullish(),
  is_output_node: z.boolean().nullish(),
});

function patchNode(name: string, before: WorkflowNode | undefined, sent: unknown): SentNode {
  const patch = NodePatch.safeParse(sent);
  if (!patch.success) throw invalid(`Node "${name}": ${z.prettifyError(patch.error)}`);
  const { node_type, configuration, dependencies, is_output_node } = patch.data;
  const type = node_type ?? before?.node_type;
  if (type === undefined) throw invalid(`Node "${name}" is new, so it needs a node_type.`);
  return {
    name,
    node_type: type,
    configuration: deepMerge(before?.configuration ?? {}, configuration ?? {}),
    dependencies: dependencies ?? before?.dependencies ?? [],
    is_output_node: is_output_node ?? before?.is_output_node ?? false,
  };
}

export interface DefinitionPatch {
  readonly nodes?: Readonly<Record<string, unknown>> | null | undefined;
  readonly edges?: readonly SentEdge[] | null | undefined;
  readonly required_input_variables?: Readonly<Record<string, string>> | null | undefined;
}

/** Another definition: nodes are merged by name, null removes one, edges and variables are replaced. */
export function patchDefinition(before: Definition, patch: DefinitionPatch): Definition {
  const nodes = new Map<string, SentNode>(before.nodes.map((node) => [node.name, node]));
  const removed = new Set<string>();
  for (const [name, sent] of Object.entries(patch.nodes ?? {})) {
    const known = before.nodes.find((node) => node.name === name);
    if (sent !== null) nodes.set(name, patchNode(name, known, sent));
    else if (nodes.delete(name)) removed.add(name);
    else throw invalid(`There is no node "${name}" to remove.`);
  }
  const edges =
    patch.edges ??
    before.edges.filter(
      (edge) => !removed.has(edge.source_node_name) && !removed.has(edge.target_node_name),
    );
  return checkDefinition(
    [...nodes.values()],
    edges,
    patch.required_input_variables ?? before.variables,
  );
}
