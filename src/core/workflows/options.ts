import { ValidationError } from '../errors.ts';
import type { CallOptions } from '../http/call.ts';
import { isMapping } from '../mapping.ts';
import type { EitherSpelling } from '../spelling.ts';
import { snakeFields } from '../spelling.ts';
import type { NodeOutputs } from './outputs.ts';

interface WorkflowFields {
  readonly workflowName: string;
  readonly inputVariables?: Readonly<Record<string, unknown>> | null | undefined;
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** Not together with a version; without both, the latest version. */
  readonly workflowLabelName?: string | null | undefined;
  readonly workflowVersion?: number | null | undefined;
  /** True: what every node has done, by its name. Default false: the value of the output node. */
  readonly returnAllOutputs?: boolean | undefined;
}

/** In camelCase or in snake_case. */
export type RunWorkflowOptions = EitherSpelling<WorkflowFields>;

/** How far a workflow has come. */
export interface WorkflowProgress {
  readonly executionId: number;
  /** Every node by name, as the service last reported it; empty when it has just been started. */
  readonly nodes: NodeOutputs;
  /** Names of the nodes whose status is another one than before. */
  readonly changed: readonly string[];
}

/** How the result is waited for. */
export interface RunWorkflowCallOptions extends CallOptions {
  /** How long the result is waited for. Default: one hour. The workflow itself is not stopped. */
  readonly timeoutMs?: number | undefined;
  /** Called when the workflow is started, and whenever a node's status has changed. */
  readonly onProgress?: ((progress: WorkflowProgress) => void) | undefined;
  /**
   * True: a number that would be written in another way (10.0, 1e3) is an ExactNumber, as one is that
   * a double can't hold. Default false: it is a number.
   */
  readonly numbersAsWritten?: boolean | undefined;
}

const defaultTimeoutMs = 3_600_000;

/** What was given, in one spelling and checked. */
export interface GivenWorkflow {
  readonly name: string;
  readonly body: {
    readonly input_variables: Record<string, unknown>;
    readonly metadata: Record<string, string>;
    readonly workflow_label_name: string | null;
    readonly workflow_version_number: number | null;
    readonly return_all_outputs: boolean;
  };
  readonly timeoutMs: number;
}

function refuse(what: string, hint: string): never {
  throw new ValidationError(
    { kind: 'invalid-argument', doing: 'The workflow was not run', problem: what },
    { hint: { kind: 'argument', words: hint } },
  );
}

export function givenWorkflow(
  options: RunWorkflowOptions,
  { timeoutMs = defaultTimeoutMs }: RunWorkflowCallOptions,
): GivenWorkflow {
  const fields = snakeFields(options);
  const { workflow_name: name, workflow_label_name: label = null, metadata: given = null } = fields;
  const variables = fields['input_variables'] ?? {};
  const version = fields['workflow_version'] ?? fields['workflow_version_number'] ?? null;
  if (typeof name !== 'string' || name === '')
    return refuse('it has no name', 'Give workflowName.');
  if (label !== null && version !== null) {
    return refuse('it has both a label and a version', 'Give one of the two.');
  }
  if (label !== null && typeof label !== 'string') {
    return refuse('workflowLabelName is not a text', 'Make it a string.');
  }
  if (version !== null && !Number.isSafeInteger(version)) {
    return refuse('workflowVersion is not a whole number', 'Give an integer.');
  }
  if (!isMapping(variables)) return refuse('inputVariables is not an object', 'Give an object.');
  const metadata = given ?? {};
  const isTexts =
    isMapping(metadata) && Object.values(metadata).every((value) => typeof value === 'string');
  if (!isTexts) return refuse('metadata is not an object of strings', 'Make every value a string.');
  if (!(Number.isFinite(timeoutMs) && timeoutMs > 0)) {
    return refuse('timeoutMs is not a number above zero', 'Give milliseconds.');
  }
  return {
    name,
    body: {
      input_variables: variables,
      metadata: metadata as Record<string, string>,
      workflow_label_name: label,
      workflow_version_number: version as number | null,
      return_all_outputs: fields['return_all_outputs'] === true,
    },
    timeoutMs,
  };
}
