import { tmpdir } from 'node:os';
import path from 'node:path';

/** What starts the service: the bundle that `npm test` has built, else the sources. */
export const serviceEntry = path.resolve(
  import.meta.dirname,
  '../..',
  process.env['PROMPT_TABLES_TEST_SERVICE'] ?? 'src/service/main.ts',
);

/** Other programs: their bundles beside that of the service, which start quicker, else the sources. */
const programAt = (bundle: string, source: string): string =>
  serviceEntry.endsWith('.mjs')
    ? path.join(path.dirname(serviceEntry), bundle)
    : path.resolve(import.meta.dirname, '../../src/core', source);
export const mcpEntry = programAt('mcp-server.mjs', 'assistant/mcp/main.ts');
export const evalsEntry = programAt('evals.mjs', 'evals/main.ts');
export const typesEntry = programAt('types.mjs', 'prompt-types/main.ts');

/** For a `Sandbox` of a test: its processes begin in a third of the time where they are bundled. */
export const sandboxProgram: { readonly program?: string } = serviceEntry.endsWith('.mjs')
  ? { program: path.join(path.dirname(serviceEntry), 'parts', 'sandbox.mjs') }
  : {};

/** Modules are stripped of types and compiled once, not at every start. */
export const compileCache = {
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? path.join(tmpdir(), 'pt-compile-cache'),
};
