import { tmpdir } from 'node:os';
import path from 'node:path';

/** What starts the service: the bundle that `npm test` has built, else the sources. */
export const serviceEntry = path.resolve(
  import.meta.dirname,
  '../..',
  process.env['PROMPT_TABLES_TEST_SERVICE'] ?? 'src/service/main.ts',
);

/** What serves a workspace to assistants: its bundle beside that of the service, else the sources. */
export const mcpEntry = serviceEntry.endsWith('.mjs')
  ? path.join(path.dirname(serviceEntry), 'mcp.mjs')
  : path.resolve(import.meta.dirname, '../../src/core/assistant/mcp/main.ts');

/** Modules are stripped of types and compiled once, not at every start. */
export const compileCache = {
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path.join(tmpdir(), 'pt-compile-cache'),
};
