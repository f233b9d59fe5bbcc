import type { Python } from '../sandbox/python.ts';
import type { ToolOrder } from '../egress/mcp.ts';
import type { EgressAnswer, EgressRequest } from '../egress/egress.ts';

/** What cells may reach beside models, as far as whoever runs the service has allowed it. */
export interface Outside {
  /** An HTTP request to an allowed host. Throws CellProblems; rejects when the signal aborts. */
  send(request: EgressRequest): Promise<EgressAnswer>;
  /** What a tool of an MCP server answers, as JSON. Throws and rejects as `send`. */
  callTool(order: ToolOrder): Promise<unknown>;
  /** Runs Python on `data`. Undefined where it is turned off. */
  readonly runPython: Python['run'] | undefined;
  close(): Promise<void>;
}
