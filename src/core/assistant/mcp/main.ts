import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Client } from '../../client.ts';
import { describeError } from '../../errors.ts';
import type { ProxyOptions } from '../../options.ts';
import { productVersion } from '../../version.ts';
import { AllowedOrigins } from './addresses.ts';
import { FolderCode } from './folder-code.ts';
import { makeServer } from './server.ts';

const usage = `Usage: node dist/mcp.mjs [options]

Serves a workspace to AI assistants over MCP (stdio). It only reads, unless changes
are allowed. The key comes from PROMPTLAYER_API_KEY, the address from
PROMPTLAYER_BASE_URL or --socket.

  --allow-changes    run prompts, recalculate and cancel too
                     (or PROMPT_TABLES_ALLOW_CHANGES=1)
  --allow-address ORIGIN
                     an address (https://host) that the workspace may set for a
                     model provider; may be repeated
                     (or PROMPT_TABLES_ALLOWED_ADDRESSES, separated by commas)
  --folder PATH      a folder of code that find_prompt_usages searches; nothing in
                     it is changed, and nothing outside it is read
                     (or PROMPT_TABLES_FOLDER)
  --socket PATH      socket of a local service (or PROMPT_TABLES_SOCKET)
  --workspace NAME   what the workspace is called (or PROMPT_TABLES_WORKSPACE)`;

const EXIT_CANNOT_START = 2;

/** The client trusts by itself what Node trusts on request, so the same variables apply. */
const trustIn = (env: NodeJS.ProcessEnv): ProxyOptions => ({
  strictSSL: env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0',
  systemCertificates: env['NODE_USE_SYSTEM_CA'] !== '0',
});

async function serve(): Promise<void> {
  const { env } = process;
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      ...{ socket: option, workspace: option, folder: option },
      ...{ 'allow-changes': { type: 'boolean' }, help: { type: 'boolean' } },
      'allow-address': { ...option, multiple: true },
    },
  });
  if (values.help === true) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const socketPath = values.socket ?? env['PROMPT_TABLES_SOCKET'];
  // Made at once, so that a missing key is reported before an assistant needs it.
  const listed = values['allow-address'] ?? [env['PROMPT_TABLES_ALLOWED_ADDRESSES'] ?? ''];
  const origins = new AllowedOrigins(listed.join(','));
  const client = new Client({
    ...{ socketPath, proxy: trustIn(env) },
    allowAddress: (address, signal) => origins.allows(address, signal),
  });
  const address = socketPath ?? env['PROMPTLAYER_BASE_URL'] ?? 'PromptLayer';
  const folder = values.folder ?? env['PROMPT_TABLES_FOLDER'] ?? '';
  const code = folder === '' ? undefined : await FolderCode.open(folder);
  const name = values.workspace ?? env['PROMPT_TABLES_WORKSPACE'] ?? address;
  const server = makeServer({
    ...{ version: productVersion, origins },
    allowsChanges:
      values['allow-changes'] ?? ['1', 'true'].includes(env['PROMPT_TABLES_ALLOW_CHANGES'] ?? ''),
    workspaces: [{ id: 'workspace', name, address }],
    currentId: 'workspace',
    findInCode: async (signal) => code?.find(signal),
    client: () => Promise.resolve(client),
  });
  const end = (): void => {
    void Promise.all([server.close(), client.close()]);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
  // The assistant has gone.
  process.stdin.once('end', end);
  await server.connect(new StdioServerTransport());
}

try {
  await serve();
} catch (error) {
  process.exitCode = EXIT_CANNOT_START;
  process.stderr.write(`${describeError(error)}\n`);
}
