import * as z from 'zod';
import {
  NotFoundError,
  ValidationError,
  describeError,
  isCancellation,
  isPromptTablesError,
} from '../errors.ts';
import type { CallOptions } from '../http/call.ts';
import { stringifyJson } from '../http/json.ts';
import { withinTokens, tokensIn, usualTokens } from './budget.ts';
import type { Plan, Tool, ToolCall, ToolContext, ToolWorkspace } from './tool.ts';

/** An answer may be a little longer than the tool's limit, but is always limited. */
const tolerance = 1.5;

export interface ToolCallOptions extends CallOptions {
  /** As many tokens as the model has room for. */
  readonly tokenBudget?: number | undefined;
  /** False: there was nothing in the plan of the call to ask about. */
  readonly wasAsked?: boolean | undefined;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

function workspaceOf(toolContext: ToolContext, wanted: unknown): ToolWorkspace {
  const { workspaces, currentId } = toolContext;
  const known = workspaces.map(({ name }) => `"${name}"`).join(', ');
  if (typeof wanted === 'string') {
    const found = workspaces.find(({ name, id }) => id === wanted || name === wanted);
    if (found !== undefined) return found;
    throw new NotFoundError({
      kind: 'tool-call',
      words: `There is no workspace "${wanted}". Available: ${known}.`,
    });
  }
  const current = workspaces.find(({ id }) => id === currentId);
  if (current !== undefined) return current;
  throw new ValidationError(
    { kind: 'tool-call', words: 'No workspace is in use.' },
    {
      hint: {
        kind: 'call-again',
        words: `Name one in "workspace": ${known}. Or ask the user to select one with the command "Prompt Tables: Switch Workspace…".`,
      },
    },
  );
}

function inputOf(tool: Tool, given: unknown): Readonly<Record<string, unknown>> {
  const read = tool.input.safeParse(given ?? {});
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => {
    const place = path.join('.');
    return place === '' ? message : `${place}: ${message}`;
  });
  throw new ValidationError({
    kind: 'tool-call',
    words: `The input of ${tool.name} isn't valid. ${problems.join('; ')}.`,
  });
}

function tokensOf(
  input: Readonly<Record<string, unknown>>,
  { tokenBudget }: Pick<ToolCallOptions, 'tokenBudget'>,
): number {
  const asked = typeof input['max_tokens'] === 'number' ? input['max_tokens'] : usualTokens;
  return Math.min(asked, tokenBudget ?? asked);
}

async function callOf(
  toolContext: ToolContext,
  input: Readonly<Record<string, unknown>>,
  { tokenBudget, signal, wasAsked = true }: ToolCallOptions,
): Promise<ToolCall> {
  const options = { signal };
  const tokens = tokensOf(input, { tokenBudget });
  const workspace = workspaceOf(toolContext, input['workspace']);
  const client = await toolContext.client(workspace.id, options);
  return { toolContext, workspace, client, options, tokens, wasAsked };
}

/** What the model should do about a failure. */
function adviceFor(error: unknown): string {
  if (!isPromptTablesError(error)) return 'Tell the user; the log of Prompt Tables says more.';
  switch (error.code) {
    case 'not_found':
      return 'List what there is (list_smart_tables, list_prompt_templates, list_prompt_workspaces), then call again with an exact name or id.';
    case 'validation':
    case 'template':
      return 'Correct the input and call again.';
    case 'invalid_cursor':
      return 'Call again without a cursor, from the beginning.';
    case 'authentication':
      return 'Do not ask for a key in the chat. Tell the user to set the API key of this workspace with the command "Prompt Tables: Set API Key…" (over MCP: the variable PROMPTLAYER_API_KEY).';
    case 'configuration':
      return 'Do not ask for a key in the chat. Tell the user what is missing; keys of model providers are set with the command "Prompt Tables: Set Provider Key…" or in the environment.';
    case 'rate_limit':
      return `Wait ${error.retryAfterMs === undefined ? 'a minute' : `${String(Math.ceil(error.retryAfterMs / 1000))} seconds`}, then call once more.`;
    case 'conflict':
      return 'Something else is under way there. Look with get_sheet_operation, and call again when it has ended.';
    case 'server':
    case 'network':
    case 'timeout':
      return 'Call once more later; if it fails again, tell the user.';
    case 'provider':
      return 'The model provider refused or failed. Tell the user what it said; do not repeat it unchanged.';
    case 'cancelled':
      return 'It was canceled. Do not repeat it unless the user asks.';
    case 'not_logged':
    case 'response_format':
    case 'workflow':
      return 'Tell the user what happened.';
  }
}

/** What went wrong, in words, and what to do next. */
export const failedAnswer = (error: unknown): ToolAnswer => ({
  text: `${describeError(error)}\nNext: ${adviceFor(error)}`,
  isError: true,
});

/** What a call of a tool would do. Undefined: nothing that anybody has to be asked about. */
export async function planTool(
  tool: Tool,
  toolContext: ToolContext,
  given: unknown,
  callOptions: ToolCallOptions = {},
): Promise<Plan | undefined> {
  if (!('run' in tool) || tool.plan === undefined) return undefined;
  const input = inputOf(tool, given);
  const call = await callOf(toolContext, input, callOptions);
  return tool.plan(input as never, call);
}

async function answerOf(
  tool: Tool,
  toolContext: ToolContext,
  input: Readonly<Record<string, unknown>>,
  callOptions: ToolCallOptions,
): Promise<{ readonly answer: unknown; readonly tokens: number }> {
  if ('survey' in tool) {
    const answer: unknown = await tool.survey(input as never, toolContext, callOptions.signal);
    return { answer, tokens: tokensOf(input, callOptions) };
  }
  const call = await callOf(toolContext, input, callOptions);
  return { answer: await tool.run(input as never, call), tokens: call.tokens };
}

/** Calls a tool. Failures are answers that say what to do next; being cancelled is thrown. */
export async function callTool(
  tool: Tool,
  toolContext: ToolContext,
  given: unknown,
  callOptions: ToolCallOptions = {},
): Promise<ToolAnswer> {
  try {
    const input = inputOf(tool, given);
    const { answer, tokens } = await answerOf(tool, toolContext, input, callOptions);
    const text = stringifyJson(answer);
    const limit = Math.max(tokens, usualTokens) * tolerance;
    if (tokensIn(text) <= limit) return { text, isError: false };
    const note = '\nCut here: the answer is too long. Ask for less.';
    return { text: `${withinTokens(text, limit)}${note}`, isError: false };
  } catch (error) {
    if (isCancellation(error) && callOptions.signal?.aborted) throw error;
    return failedAnswer(error);
  }
}

/** The input of a tool as JSON schema. */
export function inputSchemaOf({ input }: Pick<Tool, 'input'>): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema;
}
