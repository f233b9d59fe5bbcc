import type { Json } from '../engine/columns/json.ts';
import { CellProblem, messageOf } from '../engine/problem.ts';
import { MeteredProblem } from '../engine/prompts.ts';
import { StoreError } from '../store/store-error.ts';
import type { ValueOf } from './conditions.ts';
import type { Definition, WorkflowNode } from './definition.ts';
import { predecessors } from './definition.ts';
import type { NodeStatus } from './records.ts';
import { ownValue } from '../../api/own-value.ts';

export interface NodeState {
  readonly status: NodeStatus;
  readonly value: Json;
  /** For users. */
  readonly errorMessage: string | null;
  /** As it was thrown. */
  readonly rawErrorMessage: string | null;
  /** Of the requests in the log that the node has made. */
  readonly requestIds: readonly number[];
}

export const queued: NodeState = {
  status: 'QUEUED',
  value: null,
  errorMessage: null,
  rawErrorMessage: null,
  requestIds: [],
};

/** Nodes of one workflow that run at the same time. */
const MOST_AT_ONCE = 8;

const finals: readonly NodeStatus[] = ['SUCCESS', 'FAILED', 'SKIPPED'];
export const isFinal = ({ status }: NodeState): boolean => finals.includes(status);

/** Can do without some of what it depends on. */
const isTolerant = ({ node_type: type }: WorkflowNode): boolean => type === 'COALESCE';

export interface NodeResult {
  readonly value: Json;
  readonly requestIds: readonly number[];
}

/** All of them have to hold, or one. */
export interface Conditions {
  readonly conditionals: readonly unknown[];
  readonly isAnd: boolean;
}

export interface GraphRun {
  readonly definition: Definition;
  readonly variables: Readonly<Record<string, Json>>;
  /** What has been done before, by node; changed as the run goes on. */
  readonly states: Map<string, NodeState>;
  readonly execute: (node: WorkflowNode, valueOf: ValueOf) => Promise<NodeResult>;
  readonly isMet: (conditions: Conditions, valueOf: ValueOf) => Promise<boolean>;
  /** Called with each change, before the next node is begun. */
  readonly onState: (name: string, state: NodeState) => Promise<void>;
  readonly signal: AbortSignal;
}

const skipped = (reason: string): NodeState => ({
  ...queued,
  status: 'SKIPPED',
  errorMessage: reason,
});

/** Runs the nodes of a workflow, each as soon as what it waits for is there. */
class Graph {
  readonly #run: GraphRun;
  readonly #before: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #busy = new Map<string, Promise<void>>();

  constructor(run: GraphRun) {
    this.#run = run;
    this.#before = new Map(
      run.definition.nodes.map(({ name }) => [name, predecessors(name, run.definition)]),
    );
  }

  async run(): Promise<void> {
    const { definition, signal } = this.#run;
    for (;;) {
      signal.throwIfAborted();
      let hasMoved = false;
      for (const node of definition.nodes) {
        if (this.#isReady(node) && (await this.#advance(node))) hasMoved = true;
      }
      if (hasMoved) continue;
      if (this.#busy.size === 0) return;
      await Promise.race(this.#busy.values());
    }
  }

  #state(name: string): NodeState {
    return this.#run.states.get(name) ?? queued;
  }

  readonly #valueOf: ValueOf = (name) => {
    const state = this.#run.states.get(name);
    if (state !== undefined) return state.value;
    const { variables } = this.#run;
    return ownValue(variables, name);
  };

  #isReady({ name }: WorkflowNode): boolean {
    if (this.#busy.has(name) || isFinal(this.#state(name))) return false;
    return [...(this.#before.get(name) ?? [])].every((one) => isFinal(this.#state(one)));
  }

  /** True when the node's state has changed. */
  async #advance(node: WorkflowNode): Promise<boolean> {
    const skip = await this.#reasonToSkip(node);
    if (skip !== undefined) {
      await this.#settle(node.name, skip);
      return true;
    }
    if (this.#busy.size >= MOST_AT_ONCE) return false;
    await this.#settle(node.name, { ...queued, status: 'RUNNING' });
    const work = this.#execute(node).finally(() => this.#busy.delete(node.name));
    // Awaited by the race; another one may end the run first.
    work.catch(() => undefined);
    this.#busy.set(node.name, work);
    return true;
  }

  async #execute(node: WorkflowNode): Promise<void> {
    let state: NodeState;
    try {
      const result = await this.#run.execute(node, this.#valueOf);
      state = { ...queued, ...result, status: 'SUCCESS' };
    } catch (error) {
      this.#run.signal.throwIfAborted();
      // No fault of the node: it is run again when the store is back.
      if (error instanceof StoreError) throw error;
      state = failed(error);
    }
    await this.#settle(node.name, state);
  }

  async #settle(name: string, state: NodeState): Promise<void> {
    this.#run.states.set(name, state);
    await this.#run.onState(name, state);
  }

  async #reasonToSkip(node: WorkflowNode): Promise<NodeState | undefined> {
    const { definition } = this.#run;
    const nodes = node.dependencies.filter((one) => this.#before.has(one));
    const bad = nodes.find((one) => this.#state(one).status === 'FAILED');
    if (bad !== undefined && !isTolerant(node)) {
      return skipped(`Node "${bad}" failed: ${this.#state(bad).errorMessage ?? 'no reason given'}`);
    }
    if (nodes.length > 0 && nodes.every((one) => this.#state(one).status !== 'SUCCESS')) {
      return skipped('All nodes that it depends on were skipped.');
    }
    const edges = definition.edges.filter((edge) => edge.target_node_name === node.name);
    if (edges.length === 0) return undefined;
    try {
      for (const { source_node_name: source, conditionals, is_and: isAnd } of edges) {
        const isReached = this.#state(source).status === 'SUCCESS';
        if (isReached && (await this.#run.isMet({ conditionals, isAnd }, this.#valueOf))) {
          return undefined;
        }
      }
      return skipped('No edge that leads to it has its conditions met.');
    } catch (error) {
      this.#run.signal.throwIfAborted();
      return failed(error);
    }
  }
}

const requestsOf = (error: unknown): readonly number[] =>
  error instanceof MeteredProblem ? (error.metrics.request_ids ?? []) : [];

function failed(error: unknown): NodeState {
  const isExpected = error instanceof CellProblem;
  const raw = messageOf(error);
  return {
    ...queued,
    status: 'FAILED',
    errorMessage: isExpected ? raw : `The node could not be run: ${raw}`,
    rawErrorMessage: raw,
    requestIds: requestsOf(error),
  };
}

export const runGraph = (run: GraphRun): Promise<void> => new Graph(run).run();
