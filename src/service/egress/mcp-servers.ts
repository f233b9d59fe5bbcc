import { readFileSync } from 'node:fs';
import type { McpServers } from '../../core/mcp/servers.ts';
import { mcpServersOf } from '../../core/mcp/servers.ts';

export const mcpServersVariable = 'PROMPT_TABLES_MCP_SERVERS';

/** Reads a file such as `{"mcpServers": {"search": {"url": "https://..."}}}`. */
export function readMcpServers(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): McpServers {
  const explain = (reason: string, cause?: unknown): Error =>
    new Error(
      `${mcpServersVariable}: the file ${file} ${reason}. It holds {"mcpServers": {"id": {"url": "https://...", "headers": {}}, "other": {"command": "program", "args": [], "env": {}}}}.`,
      { cause },
    );
  let sent: unknown;
  try {
    sent = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw explain("can't be read as JSON", cause);
  }
  return mcpServersOf(sent, environment, explain);
}
