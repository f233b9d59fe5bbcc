/** What the extension and the panel that runs a workflow say to each other. */
import type { Filling, PromptChoice, RunProblem, RunState, RunVariable } from './run.ts';

/** A node as it stands in the definition. */
export interface GraphNode {
  readonly name: string;
  readonly type: string;
  readonly isOutput: boolean;
  /** Names of the nodes that it waits for. */
  readonly after: readonly string[];
  /** Those of them whose edge has conditions. */
  readonly onlyIf: readonly string[];
}

/** The workflow as the panel's head, form and graph show it. */
export interface WorkflowPresentation {
  readonly name: string;
  /** Which version was asked for, in words. */
  readonly choice: string;
  readonly version?: number;
  readonly connection: { readonly name: string; readonly local: boolean };
  readonly variables: readonly RunVariable[];
  readonly nodes: readonly GraphNode[];
}

/** `unknown`: a status that the service has invented since. */
export const nodeStates = ['queued', 'running', 'done', 'failed', 'skipped', 'unknown'] as const;
export type NodeState = (typeof nodeStates)[number];

/** What a node has given: JSON laid out, or the text itself. */
export interface NodeValue {
  readonly kind: 'text' | 'json';
  readonly text: string;
  /** Characters that were left out at its end. */
  readonly leftOut: number;
}

/** What a node has done. */
export interface NodeReport {
  readonly name: string;
  readonly state: NodeState;
  /** The service's own word. */
  readonly status: string;
  readonly value?: NodeValue;
  /** For users. */
  readonly error?: string;
  /** As it was thrown. */
  readonly rawError?: string;
  /** What is not whole about the value. */
  readonly warning?: string;
  /** Time from the first look that found it at work to the one that found it done; milliseconds. */
  readonly tookMs?: number;
}

/** Times in milliseconds from the moment the run was asked for. */
export interface WorkflowStatus {
  readonly runId: number;
  readonly state: RunState;
  readonly elapsedMs: number;
  readonly executionId?: number;
  readonly problem?: RunProblem;
  /** What the user should know that is no failure. */
  readonly note?: string;
}

export interface WorkflowSnapshot {
  readonly status: WorkflowStatus;
  readonly nodes: readonly NodeReport[];
  /** The value of the output node; of each by its name when there are several. */
  readonly final?: NodeValue;
}

/** What the page keeps in its own state, for the extension to find it again. */
export interface WorkflowPageState {
  readonly panelId: string;
  readonly connectionId: string;
  readonly workflowName: string;
  readonly choice: PromptChoice;
}

export interface WorkflowReported {
  readonly page: WorkflowPageState;
  /** Null while it is being loaded, or when it could not be. */
  readonly presentation: WorkflowPresentation | null;
  readonly problem: RunProblem | null;
}

export interface WorkflowPanelView extends WorkflowReported {
  readonly run: WorkflowSnapshot;
}

type Request<Params, Result> = { readonly params: Params; readonly result: Result };

/** What the panel asks of the extension. */
export type WorkflowHostRequests = {
  /** First message of a page. */
  readonly ready: Request<null, WorkflowPanelView>;
  /** Ends the run that is going on, if one is, and begins another. */
  readonly run: Request<{ readonly variables: readonly RunVariable[] }, null>;
  readonly stop: Request<null, null>;
  /** The final output, or that of a node. */
  readonly copyOutput: Request<{ readonly node: string | null }, null>;
  readonly openOutput: Request<{ readonly node: string | null }, null>;
  /** What every node has done, as JSON in an editor. */
  readonly showAll: Request<null, null>;
  /** Another version or label of the same workflow. */
  readonly choose: Request<null, null>;
  readonly reload: Request<null, null>;
  /** Asks where values are to come from: a sheet, a file, a selection, a set that was kept. */
  readonly fill: Request<{ readonly variables: readonly RunVariable[] }, Filling>;
};

export type WorkflowHostEvents = {
  /** What was typed, to be remembered for this workflow. */
  readonly variables: readonly RunVariable[];
};

export const workflowCommands = ['start', 'stop', 'copyOutput', 'openOutput', 'showAll'] as const;
export type WorkflowCommand = (typeof workflowCommands)[number];

/** What the extension asks of the panel. */
export type WorkflowViewRequests = {
  /** Presses the Run button, which knows what was typed. */
  readonly start: Request<null, null>;
};

export type WorkflowViewEvents = {
  readonly workflow: WorkflowReported;
  /** A new run: what the one before has given goes. */
  readonly started: WorkflowStatus;
  /** Nodes whose report is another one than before. */
  readonly progress: {
    readonly status: WorkflowStatus;
    readonly nodes: readonly NodeReport[];
    readonly final?: NodeValue;
  };
};
