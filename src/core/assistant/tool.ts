import type * as z from 'zod';
import type { Client } from '../client.ts';
import type { CallKind } from '../code-index/call.ts';
import type { CallOptions } from '../http/call.ts';
import type { SheetRef } from '../tables/ref.ts';
import type { FormerToolName, ToolName } from './names.ts';

/** A workspace that assistants may look into. */
export interface ToolWorkspace {
  readonly id: string;
  readonly name: string;
  /** For people: its base URL, or that it is on this machine. */
  readonly address: string;
}

/** What a tool is about to do, for the question to the user. Costs in US dollars. */
export type Plan = { readonly workspace: string } & (
  | {
      readonly kind: 'recalculate';
      readonly table: string;
      readonly sheet: string;
      /** Titles; undefined: every computed column. */
      readonly columns: readonly string[] | undefined;
      /** Row indices; undefined: every row. */
      readonly rowIndices: readonly number[] | undefined;
      readonly scope: 'stale' | 'failed' | 'all';
      readonly cellCount: number;
      /** Some of the cells may turn out not to need it. */
      readonly isUpperLimit: boolean;
      readonly costUsd: number | undefined;
      readonly costCeilingUsd: number | undefined;
    }
  | {
      readonly kind: 'cancel';
      readonly table: string;
      readonly sheet: string;
      readonly operationId: string;
      /** Undefined: the operation has ended, or is not known. */
      readonly pendingCount: number | undefined;
    }
  | {
      readonly kind: 'run';
      readonly prompt: string;
      readonly version: number | undefined;
      readonly label: string | undefined;
      readonly model: string | undefined;
      /** Origin of the address that the workspace has set for its provider; undefined: none. */
      readonly sentTo?: string | undefined;
      /** What its runs have cost on average. */
      readonly costUsd: number | undefined;
    }
);

/** A place in code that asks for a prompt or a workflow. */
export interface CodePlace {
  /** Path from the folder. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly kind: CallKind;
  readonly name: string;
  readonly label: string | undefined;
}

export interface FoundPlaces {
  readonly places: readonly CodePlace[];
  /** There is more code than was looked through. */
  readonly isPartial: boolean;
}

/** What tools are given by the program that they are in. */
export interface ToolContext {
  readonly workspaces: readonly ToolWorkspace[];
  /** Used when a call names none. */
  readonly currentId: string | undefined;
  client(workspaceId: string, options: CallOptions): Promise<Client>;
  /** Where code of the folder asks for prompts; undefined: there is no folder to look into. */
  readonly findInCode: (signal: AbortSignal | undefined) => Promise<FoundPlaces | undefined>;
  /** Asks the user about more than was agreed to. Absent: nobody can be asked. */
  readonly confirm?: ((plan: Plan) => Promise<boolean>) | undefined;
  /** Called when a recalculation was started. */
  readonly started?:
    ((workspaceId: string, ref: SheetRef, operationId: string) => void) | undefined;
}

/** One call of a tool. */
export interface ToolCall {
  readonly toolContext: ToolContext;
  readonly workspace: ToolWorkspace;
  readonly client: Client;
  readonly options: CallOptions;
  /** About so many tokens the answer may have. */
  readonly tokens: number;
  /** False: the plan of the call had nothing in it that anybody had to be asked about. */
  readonly wasAsked: boolean;
}

export interface ToolDeclaration {
  readonly name: ToolName | FormerToolName;
  /** For people. */
  readonly title: string;
  /** For models: what it does, when to use it, what comes back. */
  readonly description: string;
  /** `changes`: it changes something or costs something, so the user is asked first. */
  readonly effect: 'reads' | 'changes';
  readonly input: z.ZodObject;
}

/** Answers out of one workspace, with any JSON. The model gets errors with what to do next. */
interface WorkspaceTool extends ToolDeclaration {
  /** Undefined: the call changes nothing, so nobody has to be asked. */
  readonly plan?: (input: never, call: ToolCall) => Promise<Plan | undefined>;
  readonly run: (input: never, call: ToolCall) => Promise<unknown>;
}

/** Asks no workspace. */
interface Survey extends ToolDeclaration {
  readonly survey: (
    input: never,
    toolContext: ToolContext,
    signal: AbortSignal | undefined,
  ) => unknown;
}

export type Tool = WorkspaceTool | Survey;

/** Lets the functions of a tool see the type of its input. */
export const tool = <Input extends z.ZodObject>(
  declared: Omit<ToolDeclaration, 'input'> & {
    readonly input: Input;
    readonly plan?: (input: z.output<Input>, call: ToolCall) => Promise<Plan | undefined>;
    readonly run: (input: z.output<Input>, call: ToolCall) => Promise<unknown>;
  },
): Tool => declared;

/** The same for one that asks no workspace. */
export const survey = <Input extends z.ZodObject>(
  declared: Omit<ToolDeclaration, 'input'> & {
    readonly input: Input;
    readonly survey: (
      input: z.output<Input>,
      toolContext: ToolContext,
      signal: AbortSignal | undefined,
    ) => unknown;
  },
): Tool => declared;
