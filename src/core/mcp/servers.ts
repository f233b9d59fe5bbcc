import * as z from 'zod';
import { isMapping } from '../mapping.ts';

/** Where a server is, and what it is sent with every request. */
export interface HttpMcpServer {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A program that is spoken to on its standard input and output. Only its user's own settings can name one. */
export interface ProgramMcpServer {
  readonly kind: 'program';
  /** What messages call it. */
  readonly id: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Beside PATH and the like: nothing else of our environment reaches it. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
}

export type McpServer = HttpMcpServer | ProgramMcpServer;

/** By the id that columns and people name. */
export type McpServers = Readonly<Record<string, McpServer>>;

const texts = z.record(z.string(), z.string());
const schema = () =>
  z.record(
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
 * Reads such as `{"search": {"url": "https://...", "headers": {"Authorization": "Bearer
 * ${SEARCH_TOKEN}"}}, "files": {"command": "npx", "args": ["-y", "a-server"], "env": {}}}`, also
 * below `mcpServers`; `${NAME}` stands for a variable of the environment. `explain` makes the error.
 */
export function mcpServersOf(
  given: unknown,
  environment: Environment,
  explain: (reason: string, cause?: unknown) => Error,
): McpServers {
  const parsed = schema().safeParse(
    isMapping(given) && 'mcpServers' in given ? given['mcpServers'] : given,
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
