import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { isMapping } from '../../core/mapping.ts';

/** Where a server is, and what it is sent with every request. */
export interface HttpMcpServer {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A program that is spoken to on its standard input and output. Only the file can name one. */
export interface ProgramMcpServer {
  readonly kind: 'program';
  /** What messages call it. */
  readonly id: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Beside PATH and the like: nothing else of the service's environment reaches it. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
}

export type McpServer = HttpMcpServer | ProgramMcpServer;

/** By the id that columns name. */
export type McpServers = Readonly<Record<string, McpServer>>;

export const mcpServersVariable = 'PROMPT_TABLES_MCP_SERVERS';

const texts = z.record(z.string(), z.string());
const Servers = z.record(
  z.string(),
  z
    .looseObject({
      url: z.url({ protocol: /^https?$/, error: 'give an http or https address' }).optional(),
      headers: texts.optional(),
      command: z.string().min(1).optional(),
      args: z.array(z.string()).optional(),
      env: texts.optional(),
      cwd: z.string().optional(),
    })
    .refine(({ url, command }) => (url === undefined) !== (command === undefined), {
      error: 'give either the url of a server, or the command that starts one',
    }),
);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a file such as `{"mcpServers": {"search": {"url": "https://...", "headers": {"Authorization":
 * "Bearer ${SEARCH_TOKEN}"}}, "files": {"command": "npx", "args": ["-y", "a-server"], "env": {}}}}`;
 * `${NAME}` stands for a variable of the environment.
 */
export function readMcpServers(file: string, environment: Environment): McpServers {
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
  const parsed = Servers.safeParse(
    isMapping(sent) && 'mcpServers' in sent ? sent['mcpServers'] : sent,
  );
  if (!parsed.success) throw explain(`isn't valid: ${z.prettifyError(parsed.error)}`, parsed.error);
  const filled = (text: string): string =>
    text.replace(/\$\{(\w+)\}/g, (_all, name: string) => {
      const value = environment[name];
      if (value !== undefined) return value;
      throw explain(`names the variable ${name}, which is not set`);
    });
  const filledIn = (values: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filled(value)]));
  return Object.fromEntries(
    Object.entries(parsed.data).map(
      ([id, { url, headers, command = '', args = [], env, cwd }]): [string, McpServer] => [
        id,
        url === undefined
          ? { kind: 'program', id, command, args: args.map(filled), env: filledIn(env), cwd }
          : { kind: 'http', url, headers: filledIn(headers) },
      ],
    ),
  );
}
