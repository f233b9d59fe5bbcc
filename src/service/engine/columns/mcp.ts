import * as z from 'zod';
import { stringifyJson } from '../../../core/http/json.ts';
import { CellProblem } from '../problem.ts';
import { defineColumn, sourceName } from './column-kind.ts';
import { requestHeaders } from './endpoint.ts';
import { jsonFromText, jsonToText } from './json.ts';

const MOST_SECONDS = 60;

const config = z.looseObject({
  mcp_server_id: z.union([z.string().min(1), z.int()]),
  tool_name: z.string().min(1),
  input_mappings: z.record(z.string(), sourceName).nullish(),
  /** The same in every row. */
  arguments: z.record(z.string(), z.unknown()).nullish(),
  headers: requestHeaders,
  timeout_seconds: z.number().min(1).max(MOST_SECONDS).nullish(),
});

/** What a tool of an MCP server answers; its arguments come from the columns that they are mapped to. */
export const mcp = defineColumn('MCP', config, (given) => ({
  slow: true,
  compute: async (sources, { outside, callContext, signal, onBegin }) => {
    if (outside === undefined) {
      throw new CellProblem('not_supported', "This process doesn't call tools.");
    }
    const mapped = jsonToText(Object.fromEntries(sources.variables('input_mappings')));
    const answer = await outside.callTool({
      server: String(given.mcp_server_id),
      headers: given.headers ?? {},
      tool: given.tool_name,
      // Numbers that are too exact for the SDK become its own.
      arguments: { ...given.arguments, ...(JSON.parse(mapped) as Record<string, unknown>) },
      timeoutMs: 1000 * (given.timeout_seconds ?? MOST_SECONDS),
      signal,
      onBegin,
      ownServers: callContext.budgetOwner.isRestricted ? 'refused' : 'used',
    });
    return jsonFromText(stringifyJson(answer ?? null));
  },
}));
