/** The MCP server of the tests as a program. `--broken` makes it end before it has said anything. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { makeServer } from './mcp-server.ts';

if (process.argv.includes('--broken')) {
  process.stderr.write(`no licence for ${process.env['SECRET'] ?? 'nobody'}\n`);
  process.exit(1);
}
const server = makeServer([]);
server.registerTool('environment', {}, () => ({
  content: [{ type: 'text', text: Object.keys(process.env).sort().join(' ') }],
}));
server.registerTool('pid', {}, () => ({ content: [{ type: 'text', text: String(process.pid) }] }));
await server.connect(new StdioServerTransport());
