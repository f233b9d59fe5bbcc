import type { RequestMetrics } from '../../api/cell.ts';
import type { Tools } from './columns/column-kind.ts';
import type { Json } from './columns/json.ts';
import { CellProblem } from './problem.ts';

/** A value that has cost something, with what it has cost. */
export class Metered {
  readonly value: Json;
  readonly metrics: RequestMetrics;

  constructor(value: Json, metrics: RequestMetrics) {
    this.value = value;
    this.metrics = metrics;
  }
}

/** A cell that failed after a model had been asked: the request is in the log and may be paid for. */
export class MeteredProblem extends CellProblem {
  readonly metrics: RequestMetrics;

  constructor(message: string, metrics: RequestMetrics, options?: ErrorOptions) {
    super('model_failed', message, options);
    this.metrics = metrics;
  }
}

/**
 * On whose account models are asked: an operation of a sheet, a run of a workflow, or a calculation
 * of a scorecard.
 */
export type BudgetOwner = BudgetOwnerPlace & {
  /** Begun by a window in Restricted Mode: neither keys nor servers of the environment serve it. */
  readonly isRestricted: boolean;
};

type BudgetOwnerPlace =
  | { readonly kind: 'operation'; readonly sheetKey: number; readonly operationKey: number }
  | {
      readonly kind: 'run';
      readonly workspaceId: number;
      readonly executionId: number;
      /** Stands in the log of every request. */
      readonly metadata: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'calculation';
      readonly workspaceId: number;
      readonly sheetKey: number;
      readonly calculation: { readonly id: string; readonly number: number };
      readonly metadata: Readonly<Record<string, string>>;
    };

/**
 * What one cell or node asks models. Its questions are numbered: when its process dies half-way and
 * another one begins anew, the answers that have been paid for are found again by their numbers.
 */
export class CallContext {
  readonly budgetOwner: BudgetOwner;
  readonly place: string;
  /** How many workflows it is inside of. */
  readonly depth: number;
  readonly #whole: { workflowCount: number };
  #asked = 0;

  constructor(budgetOwner: BudgetOwner, place = '', depth = 0, whole = { workflowCount: 0 }) {
    this.budgetOwner = budgetOwner;
    this.place = place;
    this.depth = depth;
    this.#whole = whole;
  }

  /** Workflows that have been run for the whole cell or node, at every depth. */
  get workflowCount(): number {
    return this.#whole.workflowCount;
  }

  nextNumber(): number {
    return this.#asked++;
  }

  /** The call context of a cell or a node. */
  of(part: string): CallContext {
    return new CallContext(this.budgetOwner, `${this.place}/${part}`, this.depth);
  }

  /** The call context of a part, which numbers its own questions. */
  inside(part: string): CallContext {
    return new CallContext(this.budgetOwner, `${this.place}/${part}`, this.depth, this.#whole);
  }

  /** The call context of a workflow that is run as the next question. */
  deeper(): CallContext {
    this.#whole.workflowCount += 1;
    const place = `${this.place}/${String(this.nextNumber())}`;
    return new CallContext(this.budgetOwner, place, this.depth + 1, this.#whole);
  }
}

/** A message of a conversation. */
export interface Said {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** Which workflow a cell runs, with what. */
export interface WorkflowOrder {
  readonly tools: Tools;
  readonly workflow:
    | {
        readonly nameOrId: string;
        readonly version?: number | undefined;
        readonly label?: string | undefined;
      }
    | { readonly versionId: number };
  readonly variables: Readonly<Record<string, Json>>;
}

/** Which prompt a cell runs, with what. */
export interface PromptOrder {
  readonly callContext: CallContext;
  /** A template of the registry by name or id; `version` xor `label`, neither: the latest. */
  readonly template:
    | {
        readonly nameOrId: string;
        readonly version?: number | undefined;
        readonly label?: string | undefined;
      }
    /** The prompt itself, which stands in the column. */
    | { readonly promptTemplate: object; readonly metadata: object | undefined };
  readonly variables: Readonly<Record<string, Json>>;
  /** What has been said since: follows the messages of the template. */
  readonly history?: readonly Said[];
  /** Instead of the model that the template names. */
  readonly model: {
    readonly provider?: string | undefined;
    readonly name?: string | undefined;
    readonly parameters?: Readonly<Record<string, Json>> | undefined;
  };
  /** The rendered template is the value; no model is asked. */
  readonly templateOnly: boolean;
  /** The value is the whole blueprint instead of the reply. */
  readonly verbose: boolean;
  readonly signal: AbortSignal;
  /** Its turn has come: from now on a provider is at work. */
  readonly onBegin?: (() => void) | undefined;
}

/** Texts whose likeness is wanted. */
export interface EmbedOrder {
  readonly callContext: CallContext;
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
  readonly onBegin?: (() => void) | undefined;
}

export interface TextVectors {
  /** In the order of the texts. */
  readonly vectors: readonly (readonly number[])[];
  readonly metrics: RequestMetrics;
}

/** Runs prompts for cells. Throws CellProblem and MeteredProblem; rejects when the signal aborts. */
export interface PromptRunner {
  /** So many requests may be under way together. */
  readonly mostAtOnce: number;
  run(order: PromptOrder): Promise<Json | Metered>;
  embed(order: EmbedOrder): Promise<TextVectors>;
  runWorkflow(order: WorkflowOrder): Promise<Metered>;
  close(): Promise<void>;
}
