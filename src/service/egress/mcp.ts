import { setTimeout as pause } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { isMapping } from '../../core/mapping.ts';
import { CellProblem } from '../engine/problem.ts';
import { Turns } from '../models/turns.ts';
import { connectFaultOf } from '../../core/http/reach.ts';
import { mayHaveTakenEffect, reasonOf, withStop, type Egress } from './egress.ts';
import { fitArguments } from './mcp-arguments.ts';
import type { RequestInit as EgressInit } from 'undici';
import type { McpSession } from '../../core/mcp/session.ts';
import { openMcpSession } from '../../core/mcp/session.ts';
import type { McpServer, McpServers } from '../../core/mcp/servers.ts';
import { mcpServersVariable } from './mcp-servers.ts';
import { withoutHeaders } from '../../core/mcp/without-headers.ts';

/** Calls to one server at the same time, each with a session of its own. */
const SESSIONS = { http: 8, program: 2 };
const IDLE_MS = 30_000;
/** For the notice of a cancel to get out before the sockets are closed. */
const NOTICE_MS = 100;
const QUOTED = 300;
const NAMED_TOOLS = 20;

export interface ToolOrder {
  /** An id of the servers that are set up, or an http(s) address. */
  readonly server: string;
  /** For an address. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether those that are set up, with what they are sent, may be used. */
  readonly ownServers: 'used' | 'refused';
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onBegin?: (() => void) | undefined;
}

/** A call was sent, and nothing came back that says what became of it. */
class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** Codes of the SDK for a connection that was closed, and for time that was up. */
const broken = new Set<unknown>([-32_000, -32_001]);

/** Answers have a number, of JSON-RPC or of HTTP. */
function isUnanswered(error: unknown): boolean {
  if (connectFaultOf(error) !== undefined) return false;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code !== 'number' || broken.has(code);
}

interface Place {
  readonly turns: Turns;
  readonly idle: { readonly session: McpSession; readonly timer: NodeJS.Timeout }[];
}

/** Calls tools of MCP servers, under the rules of all requests to other machines. */
export class McpTools {
  readonly #egress: Egress;
  readonly #servers: McpServers;
  readonly #places = new Map<string, Place>();
  #isClosed = false;

  constructor(egress: Egress, servers: McpServers) {
    this.#egress = egress;
    this.#servers = servers;
  }

  /** What the tool answers. Throws CellProblems; rejects when the signal aborts. */
  async call(order: ToolOrder): Promise<unknown> {
    const server = this.#find(order);
    const host = server.kind === 'http' ? this.#egress.check(server.url).host : server.id;
    const place = this.#placeOf(server);
    return place.turns.take(async () => {
      order.onBegin?.();
      const late = AbortSignal.timeout(order.timeoutMs);
      const signal = AbortSignal.any([order.signal, late]);
      try {
        return valueOf(await this.#callOnce(server, place, { ...order, signal }), order.tool, host);
      } catch (error) {
        order.signal.throwIfAborted();
        if (error instanceof CellProblem) throw error;
        const cause = { cause: error };
        const more = error instanceof Unanswered ? ` ${mayHaveTakenEffect}` : '';
        if (late.aborted || /request timed out/i.test(reasonOf(error))) {
          const limit = String(order.timeoutMs / 1000);
          const text = `The tool "${order.tool}" of ${host} did not answer within ${limit} s.${more}`;
          throw new CellProblem('timed_out', text, cause);
        }
        const reason = withoutSecrets(reasonOf(error), server, host);
        const words = withStop(reason.replace(/\s+/g, ' ').slice(0, QUOTED));
        const failed = more === '' ? 'could not be called' : 'gave no answer';
        const text = `The tool "${order.tool}" of ${host} ${failed}: ${words}${more}`;
        throw new CellProblem('request_failed', text, cause);
      }
    }, order.signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { idle } of this.#places.values()) {
      for (const { session, timer } of idle.splice(0)) {
        clearTimeout(timer);
        await session.close();
      }
    }
  }

  #find({ server, headers, ownServers }: ToolOrder): McpServer {
    const known = Object.hasOwn(this.#servers, server) ? this.#servers[server] : undefined;
    if (known !== undefined && ownServers === 'used') return known;
    if (known !== undefined) {
      throw new CellProblem(
        'not_supported',
        `The MCP server "${server}" isn't used for a window in Restricted Mode. Trust the folder, then run this again.`,
      );
    }
    if (/^https?:\/\//i.test(server)) return { kind: 'http', url: server, headers };
    throw new CellProblem(
      'invalid_config',
      `There is no MCP server "${server}". Describe it in the file of ${mcpServersVariable} (in VS Code: the setting promptTables.localService.mcpServersFile) and restart the local service, or give its http(s) address as mcp_server_id.`,
    );
  }

  #placeOf(server: McpServer): Place {
    const name = JSON.stringify(server);
    let place = this.#places.get(name);
    if (place === undefined) {
      place = { turns: new Turns(SESSIONS[server.kind]), idle: [] };
      this.#places.set(name, place);
    }
    return place;
  }

  async #callOnce(server: McpServer, place: Place, order: ToolOrder): Promise<CallToolResult> {
    let idle = place.idle.pop();
    clearTimeout(idle?.timer);
    // A program that has ended meanwhile.
    while (idle !== undefined && idle.session.client.transport === undefined) {
      idle = place.idle.pop();
      clearTimeout(idle?.timer);
    }
    if (idle === undefined) return this.#callIn(await this.#open(server, order), place, order);
    try {
      return await this.#callIn(idle.session, place, order);
    } catch (error) {
      // A server that has been started anew knows the session no more, and has done nothing.
      if (!(error instanceof Error) || !('code' in error) || error.code !== 404) throw error;
      return this.#callIn(await this.#open(server, order), place, order);
    }
  }

  #open(server: McpServer, { signal, timeoutMs }: ToolOrder): Promise<McpSession> {
    // The two kinds of Response differ in their types only.
    const fetch = ((address: string | URL, init?: unknown) =>
      this.#egress.fetch(address, init as EgressInit)) as unknown as typeof globalThis.fetch;
    return openMcpSession(server, { fetch, signal, timeoutMs });
  }

  async #callIn(session: McpSession, place: Place, order: ToolOrder): Promise<CallToolResult> {
    const { tool: name, signal, timeoutMs } = order;
    let isUsable = false;
    try {
      const tool = session.tools.find((one) => one.name === name);
      if (tool === undefined) {
        isUsable = true;
        throw unknownTool(order, session);
      }
      const given = fitArguments(order.arguments, tool.inputSchema);
      const result = await session.client
        .callTool({ name, arguments: given }, undefined, { signal, timeout: timeoutMs })
        .catch((error: unknown) => {
          const isOpen = signal.aborted || isUnanswered(error);
          throw isOpen ? new Unanswered('No answer', { cause: error }) : error;
        });
      isUsable = true;
      return result as CallToolResult;
    } finally {
      if (isUsable && !this.#isClosed) this.#keep(session, place);
      else {
        if (signal.aborted) await pause(NOTICE_MS);
        await session.close();
      }
    }
  }

  #keep(session: McpSession, { idle }: Place): void {
    const timer = setTimeout(() => {
      const at = idle.findIndex((one) => one.session === session);
      if (at >= 0) idle.splice(at, 1);
      // Its sockets are gone either way.
      session.close().catch(() => undefined);
    }, IDLE_MS);
    timer.unref();
    idle.push({ session, timer });
  }
}

const withoutSecrets = (text: string, server: McpServer, host: string): string =>
  server.kind === 'http'
    ? withoutHeaders(text, server.headers).replaceAll(server.url, host)
    : withoutHeaders(text, server.env);

function unknownTool({ tool }: ToolOrder, { tools }: McpSession): CellProblem {
  const names = tools.slice(0, NAMED_TOOLS).map(({ name }) => name);
  const more = tools.length > NAMED_TOOLS ? ' and others' : '';
  return new CellProblem(
    'invalid_config',
    `The MCP server has no tool "${tool}". It has ${names.length === 0 ? 'none' : `${names.join(', ')}${more}`}.`,
  );
}

const textOf = ({ content }: CallToolResult): string | undefined =>
  content.every((part) => part.type === 'text')
    ? content.map((part) => ('text' in part ? part.text : '')).join('\n')
    : undefined;

/** Structured content as it is, else the text, else every part. */
function valueOf(result: CallToolResult, tool: string, host: string): unknown {
  const text = textOf(result);
  if (result.isError === true) {
    const words = (text ?? JSON.stringify(result.content)).replace(/\s+/g, ' ').slice(0, QUOTED);
    throw new CellProblem('request_failed', `The tool "${tool}" of ${host} failed: ${words}`);
  }
  if (isMapping(result.structuredContent)) return result.structuredContent;
  return text ?? result.content;
}
