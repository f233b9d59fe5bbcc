import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { CancelledError } from '../../errors.ts';
import { callTool, failedAnswer, inputSchemaOf, planTool } from '../call.ts';
import type { Plan, Tool, ToolContext } from '../tool.ts';
import { toolNamed, tools } from '../tools.ts';
import type { AllowedOrigins } from './addresses.ts';
import { questionOf } from './question.ts';

export interface ServerParts extends Omit<ToolContext, 'confirm'> {
  readonly version: string;
  /** False: nothing that changes or costs something. */
  readonly allowsChanges: boolean;
  /** Asked through the client of this server, when that can show a question. */
  readonly origins: AllowedOrigins;
}

const readOnlyNote =
  'This server only reads: running prompts, recalculating, and canceling are not allowed. The user can allow them with --allow-changes or PROMPT_TABLES_ALLOW_CHANGES=1, in VS Code with the setting promptTables.assistants.mcpServers.';

const described = ({ name, title, description, effect, input }: Tool) => ({
  ...{ name, title, description },
  inputSchema: inputSchemaOf({ input }) as { type: 'object' },
  annotations: {
    readOnlyHint: effect === 'reads',
    destructiveHint: false,
    // Running a prompt twice costs twice.
    idempotentHint: effect === 'reads',
    openWorldHint: true,
  },
});

const answerOf = (text: string, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError,
});

/** Our tools over MCP. Cancelling a call aborts its request at the socket. */
export function makeServer(parts: ServerParts): McpServer {
  const { version, allowsChanges } = parts;
  const mcp = new McpServer(
    { name: 'prompt-tables', title: 'Prompt Tables', version },
    {
      instructions: `Tables of prompts, inputs and computed cells, prompt templates and the log of requests. ${
        allowsChanges ? 'Say what something will cost before you run it.' : readOnlyNote
      }`,
    },
  );
  const { server } = mcp;
  const isOffered = ({ effect }: Tool): boolean => allowsChanges || effect === 'reads';

  const canAsk = (): boolean => server.getClientCapabilities()?.elicitation !== undefined;
  const elicit = async (message: string, signal: AbortSignal | undefined): Promise<boolean> => {
    const requestedSchema = { type: 'object' as const, properties: {} };
    const asked = { mode: 'form' as const, message, requestedSchema };
    // People may take their time.
    const timeout = 600_000;
    const answer = await server.elicitInput(asked, { timeout, ...(signal && { signal }) });
    return answer.action === 'accept';
  };
  /** Clients that can show a question do; the others ask before any call of such a tool. */
  const confirm = async (plan: Plan, signal: AbortSignal): Promise<boolean> =>
    canAsk() ? elicit(questionOf(plan), signal) : true;
  // Where nobody can be asked, nothing goes to an address that is not listed.
  parts.origins.ask = async (message, signal) => canAsk() && elicit(message, signal);

  server.registerCapabilities({ tools: {} });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.filter(isOffered).map(described),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = toolNamed(params.name);
    if (tool === undefined) {
      const names = tools.filter(isOffered).map(({ name }) => name);
      return answerOf(`There is no tool "${params.name}". Available: ${names.join(', ')}.`, true);
    }
    if (!isOffered(tool)) return answerOf(`${params.name} was not called. ${readOnlyNote}`, true);
    const ask = (plan: Plan) => confirm(plan, signal);
    const toolContext = { ...parts, confirm: ask };
    let wasAsked = true;
    try {
      const plan = await planTool(tool, toolContext, params.arguments, { signal });
      wasAsked = plan !== undefined;
      if (plan !== undefined && !(await ask(plan))) {
        throw new CancelledError({ kind: 'declined', words: 'The user has declined.' });
      }
    } catch (error) {
      if (signal.aborted) throw error;
      return answerOf(failedAnswer(error).text, true);
    }
    const callOptions = { signal, wasAsked };
    const { text, isError } = await callTool(tool, toolContext, params.arguments, callOptions);
    return answerOf(text, isError);
  });
  return mcp;
}
