import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import * as z from 'zod';
import { stringifyJson } from '../../core/http/json.ts';
import { refuseForeignPages } from '../http/guard.ts';
import { Problem } from '../http/problem.ts';
import type { Log } from '../log.ts';
import { errorText } from '../log.ts';
import type { Database } from '../store/database.ts';
import { serviceVersion } from '../version.ts';
import { readChannelToken } from './channel-token.ts';
import { channelPrefix, realtimePath } from './realtime-names.ts';
import { channels, findExecution, isOver, resultOf, viewExecution } from './executions.ts';

const PING_SECONDS = 25;
/** Notices between processes can be lost. */
const LOOK_MS = 2000;
/** A longer result is fetched by the client. */
const MOST_CHARACTERS = 256 * 1024;
const MOST_SOCKETS = 2000;
const LONGEST_FRAME = 64 * 1024;

/** Commands of the Centrifugo protocol, one JSON object a line, as far as clients here send them. */
const Command = z.looseObject({
  id: z.int().optional(),
  connect: z.looseObject({ token: z.unknown().optional() }).optional(),
  subscribe: z.looseObject({ channel: z.string(), token: z.unknown().optional() }).optional(),
  unsubscribe: z.unknown().optional(),
});
type Command = z.output<typeof Command>;

const codes = { badRequest: 107, unauthorized: 101, unknownChannel: 102 } as const;

interface Member {
  readonly socket: WebSocket;
  /** Of the connection, until a subscription brings its own. */
  token: unknown;
  executionId: number | undefined;
  workspaceId: number;
  isAlive: boolean;
}

/** The realtime channel of executions: tells each listener once when its execution has ended. */
export class Realtime {
  readonly #database: Database;
  readonly #log: Log;
  readonly #secret: string;
  /** Made for the first client: most services never have one, and its package is loaded for it. */
  #server: WebSocketServer | undefined;
  #isStopped = false;
  readonly #members = new Set<Member>();
  readonly #unlisten: Promise<() => Promise<void>>;
  readonly #timers: readonly NodeJS.Timeout[];

  constructor({
    database,
    log,
    secret,
  }: {
    readonly database: Database;
    readonly log: Log;
    readonly secret: string;
  }) {
    this.#database = database;
    this.#log = log;
    this.#secret = secret;
    this.#unlisten = database.listen(channels.ended, () => void this.#publishAll());
    this.#timers = [
      setInterval(() => void this.#publishAll(), LOOK_MS).unref(),
      setInterval(() => this.#ping(), PING_SECONDS * 1000).unref(),
    ];
  }

  /** Takes over a connection whose client asks for a WebSocket. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const refuse = (status: string): void => {
      socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    };
    socket.on('error', () => socket.destroy());
    try {
      refuseForeignPages(new Headers(headersOf(request)));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refuse('403 Forbidden');
      return;
    }
    const [path] = (request.url ?? '').split('?');
    if (path !== realtimePath) refuse('404 Not Found');
    else if (this.#isStopped || this.#members.size >= MOST_SOCKETS) {
      refuse('503 Service Unavailable');
    } else {
      this.#server ??= new WebSocketServer({ noServer: true, maxPayload: LONGEST_FRAME });
      this.#server.handleUpgrade(request, socket, head, (opened) => this.#welcome(opened));
    }
  };

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await (
      await this.#unlisten
    )();
    for (const { socket } of this.#members) socket.close(1001);
    this.#server?.close();
    for (const { socket } of this.#members) socket.terminate();
  }

  #welcome(socket: WebSocket): void {
    const member: Member = {
      socket,
      token: undefined,
      executionId: undefined,
      workspaceId: 0,
      isAlive: true,
    };
    this.#members.add(member);
    socket.on('close', () => this.#members.delete(member));
    socket.on('error', () => socket.terminate());
    socket.on('message', (data, isBinary) => {
      member.isAlive = true;
      if (isBinary) {
        socket.close(3501, 'bad request');
        return;
      }
      const text = Buffer.isBuffer(data) ? data.toString('utf8') : '';
      this.#read(member, text).catch((error: unknown) => {
        this.#log.error('A realtime command failed', { error: errorText(error) });
        socket.close(3000, 'internal error');
      });
    });
  }

  async #read(member: Member, text: string): Promise<void> {
    for (const line of text.split('\n')) {
      // An empty object answers our ping.
      if (line.trim() === '' || line.trim() === '{}') continue;
      const command = parsed(line);
      if (command === undefined) {
        member.socket.close(3501, 'bad request');
        return;
      }
      await this.#obey(member, command);
    }
  }

  async #obey(member: Member, { id, connect, subscribe, unsubscribe }: Command): Promise<void> {
    const reply = (fields: object): void => send(member, { id, ...fields });
    if (connect !== undefined) {
      member.token = connect.token;
      reply({
        connect: {
          client: 'prompt-tables',
          version: serviceVersion,
          ping: PING_SECONDS,
          pong: true,
        },
      });
    } else if (subscribe !== undefined) {
      const claims = readChannelToken(this.#secret, subscribe.token ?? member.token);
      if (claims === undefined) {
        reply({ error: { code: codes.unauthorized, message: 'unauthorized' } });
      } else if (subscribe.channel !== `${channelPrefix}${String(claims.executionId)}`) {
        reply({ error: { code: codes.unknownChannel, message: 'unknown channel' } });
      } else {
        reply({ subscribe: {} });
        member.executionId = claims.executionId;
        member.workspaceId = claims.workspaceId;
        // It may have ended before anybody listened.
        await this.#publish(member);
      }
    } else if (unsubscribe !== undefined) {
      member.executionId = undefined;
      reply({ unsubscribe: {} });
    } else reply({ error: { code: codes.badRequest, message: 'bad request' } });
  }

  async #publishAll(): Promise<void> {
    for (const member of [...this.#members]) {
      try {
        await this.#publish(member);
      } catch (error) {
        this.#log.warn('A result was not published', { error: errorText(error) });
      }
    }
  }

  /** Tells a member the end of its execution, if that has come. */
  async #publish(member: Member): Promise<void> {
    const { executionId: id, workspaceId } = member;
    if (id === undefined) return;
    const output = await this.#database.read(async (session) => {
      const execution = await findExecution(session, workspaceId, id);
      if (!isOver(execution)) return undefined;
      const view = await viewExecution(session, execution);
      return stringifyJson(resultOf(view, execution.returns_all === 1));
    });
    // Another look may have sent it in the meantime.
    if (output === undefined || member.executionId !== id) return;
    member.executionId = undefined;
    const isTooLong = output.length > MOST_CHARACTERS;
    const data = isTooLong
      ? '{"result_code":"EXCEEDS_SIZE_LIMIT","final_output":null}'
      : `{"result_code":"OK","final_output":${output}}`;
    const channel = `${channelPrefix}${String(id)}`;
    send(member, {
      push: { channel, pub: { data: { message_name: 'SET_WORKFLOW_COMPLETE', data } } },
    });
  }

  #ping(): void {
    for (const member of this.#members) {
      if (!member.isAlive) member.socket.terminate();
      member.isAlive = false;
      send(member, {});
    }
  }
}

function send({ socket }: Member, frame: object): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
}

function parsed(line: string): Command | undefined {
  let sent: unknown;
  try {
    sent = JSON.parse(line);
  } catch {
    // The caller ends the connection: this is not its protocol.
    return undefined;
  }
  return Command.safeParse(sent).data;
}

const headersOf = ({ headers }: IncomingMessage): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
