import { ConfigurationError, ServerError, ValidationError } from '../../../core/errors.ts';
import { isMapping } from '../../../core/mapping.ts';
import type { McpServer, McpServers } from '../../../core/mcp/servers.ts';
import { mcpServersOf } from '../../../core/mcp/servers.ts';
import type { McpSession } from '../../../core/mcp/session.ts';
import { withoutHeaders } from '../../../core/mcp/without-headers.ts';
import { shortened } from '../../../core/shortened.ts';
import type { Translate } from '../../shell/translate.ts';

export const mcpServersSetting = 'promptTables.mcpServers';
const longestReason = 300;
const limitMs = 60_000;

/** The servers of the setting. Errors: ConfigurationError, when they aren't described rightly. */
export const configuredServers = (
  setting: unknown,
  environment: Readonly<Record<string, string | undefined>>,
  t: Translate,
): McpServers =>
  mcpServersOf(
    setting,
    environment,
    (reason, cause) =>
      new ConfigurationError(
        t("The setting {0} can't be used: it {1}", mcpServersSetting, reason),
        {
          cause,
        },
      ),
  );

/** Where a server is, for people to decide about it; never what it is sent. */
export const addressOf = (server: McpServer): string =>
  server.kind === 'http' ? server.url : [server.command, ...server.args].join(' ');

/** Servers may say back what they were sent. */
function wordsOf(error: unknown, server: McpServer): string {
  const said = error instanceof Error ? error.message : String(error);
  const { cause } = error instanceof Error ? error : {};
  const words = cause instanceof Error ? `${said}: ${cause.message}` : said;
  const secrets = server.kind === 'http' ? server.headers : server.env;
  return shortened(withoutHeaders(words, secrets).replaceAll(/\s+/g, ' '), longestReason);
}

/** The server has said it itself, in JSON-RPC. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' && error.code < 0;

/** Calls tools of MCP servers for one conversation, over one session with each of them. */
export class McpCalls {
  readonly #t: Translate;
  readonly #sessions = new Map<string, McpSession>();
  readonly #opening = new Map<string, Promise<McpSession>>();
  /** Ends what is opened for a conversation that is over. */
  #conversation = new AbortController();

  constructor(t: Translate) {
    this.#t = t;
  }

  has(id: string): boolean {
    return this.#sessions.get(id)?.client.transport !== undefined;
  }

  /** Starts or reaches the server, and asks which tools it has. */
  async toolsOf(id: string, server: McpServer, signal: AbortSignal): Promise<readonly string[]> {
    return (await this.#session(id, server, signal)).tools.map(({ name }) => name);
  }

  /** What a tool answers, as text. Errors: ServerError, ValidationError. */
  async call(
    {
      id,
      server,
      tool,
    }: { readonly id: string; readonly server: McpServer; readonly tool: string },
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<string> {
    const t = this.#t;
    const { client } = await this.#session(id, server, signal);
    const options = { signal, timeout: limitMs };
    const result = await client
      .callTool({ name: tool, arguments: { ...input } }, undefined, options)
      .catch(async (error: unknown) => {
        signal.throwIfAborted();
        // A new session finds a server that was started anew; others still answer in this one.
        if (!isAnswer(error)) await this.#end(id);
        const words = t('{0} of {1} gave no answer: {2}', tool, id, wordsOf(error, server));
        throw new ServerError(words, { cause: error });
      });
    const content: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
    const texts = content.map((part) =>
      isMapping(part) && part['type'] === 'text' ? part['text'] : null,
    );
    const text = texts.every((one) => typeof one === 'string') ? texts.join('\n') : undefined;
    if (result.isError === true) {
      const words = shortened(text ?? JSON.stringify(content), longestReason);
      throw new ServerError(t('{0} of {1} failed: {2}', tool, id, words));
    }
    if (isMapping(result.structuredContent) && (text ?? '') === '') {
      return JSON.stringify(result.structuredContent);
    }
    if (text === undefined) {
      throw new ValidationError(t('The tool answered something other than text.'));
    }
    return text;
  }

  /** Ends the programs that were started, and the connections. */
  async close(): Promise<void> {
    this.#conversation.abort();
    this.#conversation = new AbortController();
    this.#opening.clear();
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.close();
  }

  /** One session for calls at the same time: a server is started once. */
  async #session(id: string, server: McpServer, signal: AbortSignal): Promise<McpSession> {
    const known = this.#sessions.get(id);
    if (known !== undefined && this.has(id)) return known;
    const begun = this.#opening.get(id);
    if (begun !== undefined) return begun;
    const opening = this.#open(id, server, AbortSignal.any([signal, this.#conversation.signal]));
    this.#opening.set(id, opening);
    try {
      return await opening;
    } finally {
      if (this.#opening.get(id) === opening) this.#opening.delete(id);
    }
  }

  async #open(id: string, server: McpServer, signal: AbortSignal): Promise<McpSession> {
    const { openMcpSession } = await import('../../../core/mcp/session.ts');
    // What the server is sent is for it alone.
    const direct: typeof fetch = (address, init) => fetch(address, { ...init, redirect: 'error' });
    try {
      const session = await openMcpSession(server, { fetch: direct, timeoutMs: limitMs, signal });
      if (signal.aborted) await session.close();
      signal.throwIfAborted();
      this.#sessions.set(id, session);
      return session;
    } catch (error) {
      signal.throwIfAborted();
      const t = this.#t;
      throw new ServerError(
        t("The MCP server {0} can't be reached: {1}", id, wordsOf(error, server)),
        { hint: t('Check it in the setting {0}.', mcpServersSetting), cause: error },
      );
    }
  }
}
