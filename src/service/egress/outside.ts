import type { Outside } from '../engine/outside.ts';
import { Python } from '../sandbox/python.ts';
import { Egress } from './egress.ts';
import { McpTools } from './mcp.ts';
import type { McpServers } from '../../core/mcp/servers.ts';

/** Plain data: it travels to the worker thread. */
export interface OutsideSettings {
  /** Hosts that requests of columns may go to. */
  readonly allowedHosts: readonly string[];
  /** Servers whose tools columns may call, beside those that they name by address. */
  readonly mcpServers: McpServers;
  /** Whether code in Python may run. */
  readonly python: boolean;
}

export function makeOutside({ allowedHosts, mcpServers, python }: OutsideSettings): Outside {
  const egress = new Egress(allowedHosts);
  const tools = new McpTools(egress, mcpServers);
  const snake = python ? new Python() : undefined;
  return {
    send: (request) => egress.send(request),
    callTool: (order) => tools.call(order),
    runPython: snake && ((code, data, sessionOptions) => snake.run(code, data, sessionOptions)),
    close: async () => {
      await tools.close();
      await egress.close();
    },
  };
}
