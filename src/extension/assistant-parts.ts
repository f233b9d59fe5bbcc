/** What assistants call: a file of its own beside the extension's, loaded with the first call. */
export { mcpServers, resolveMcpServer } from './assistants/mcp-servers.ts';
export { invokeTool, prepareTool } from './assistants/tools.ts';
