import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { productVersion } from '../version.ts';
import type { HttpMcpServer, McpServer, ProgramMcpServer } from './servers.ts';

const MOST_PAGES = 20;
/** Statuses with which a server that speaks the older transport only refuses the newer one. */
const OLDER = new Set([400, 404, 405, 406, 415]);

export interface McpTool {
  readonly name: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A connection to a server, for one call at a time. */
export interface McpSession {
  readonly client: Client;
  readonly tools: readonly McpTool[];
  /** Ends every request that is under way at its socket. */
  close(): Promise<void>;
}

export interface McpSessionOptions {
  /** What reaches servers over HTTP. */
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'number'
    ? error.code
    : undefined;

export function openMcpSession(
  server: McpServer,
  sessionOptions: McpSessionOptions,
): Promise<McpSession> {
  return server.kind === 'http'
    ? overHttp(server, sessionOptions)
    : withProgram(server, sessionOptions);
}

/** As much of what a program complains about as a message quotes. */
const COMPLAINT = 200;

/** Starts the program; closing the session ends it. */
async function withProgram(
  server: ProgramMcpServer,
  sessionOptions: McpSessionOptions,
): Promise<McpSession> {
  const { command, args, env, cwd } = server;
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const transport = new StdioClientTransport({
    ...{ command, args: [...args], env: { ...env }, stderr: 'pipe' },
    ...(cwd !== undefined && { cwd }),
  });
  let complaint = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-COMPLAINT);
  });
  try {
    return await connect(transport, sessionOptions);
  } catch (error) {
    // What it has written last arrives after the news of its end.
    await nextTurn();
    if (complaint !== '' && error instanceof Error) error.message += ` It said: ${complaint}`;
    throw error;
  }
}

/** Connects over Streamable HTTP, or with server-sent events where a server knows only these. */
async function overHttp(
  server: HttpMcpServer,
  sessionOptions: McpSessionOptions,
): Promise<McpSession> {
  const url = new URL(server.url);
  const options = { fetch: sessionOptions.fetch, requestInit: { headers: { ...server.headers } } };
  const { StreamableHTTPClientTransport } =
    await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  try {
    const transport = new StreamableHTTPClientTransport(url, options);
    return await connect(transport, sessionOptions);
  } catch (error) {
    if (!OLDER.has(statusOf(error) ?? 0)) throw error;
    // oxlint-disable-next-line typescript/no-deprecated -- there are servers that speak nothing else
    const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js');
    return connect(new SSEClientTransport(url, options), sessionOptions);
  }
}

async function connect(
  transport: Transport,
  { signal, timeoutMs }: McpSessionOptions,
): Promise<McpSession> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const client = new Client({ name: 'prompt-tables', version: productVersion });
  const close = (): Promise<void> => client.close();
  try {
    await client.connect(transport, { signal, timeout: timeoutMs });
    const tools: McpTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const answer = await client.listTools({ cursor }, { signal, timeout: timeoutMs });
      tools.push(...answer.tools);
      cursor = answer.nextCursor;
      if (cursor === undefined) break;
    }
    return { client, tools, close };
  } catch (error) {
    await close();
    throw error;
  }
}
