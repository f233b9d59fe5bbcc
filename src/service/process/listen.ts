import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { answerUnexpected, answerUnreadable, unreadable } from '../http/unreadable.ts';
import type { Settings } from './settings.ts';

/** Longest socket path that every system takes (104 on macOS, with its end mark). */
const SOCKET_PATH_LIMIT = 100;
const KEEP_ALIVE_MS = 65_000;
const UPLOAD_MS = 600_000;

export type Address = { readonly socketPath: string } | { readonly url: string };

export interface Listening {
  readonly address: Address;
  /** Finishes what is under way, up to a limit, and closes. */
  close(graceMs: number): Promise<void>;
}

type Fetch = (request: Request) => Response | Promise<Response>;
/** Takes over a connection whose client asks for another protocol. */
type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export async function listen(
  fetch: Fetch,
  settings: Pick<Settings, 'listen' | 'dataFolder'>,
  upgrade?: Upgrade,
): Promise<Listening> {
  const answer = getRequestListener((request) => fetch(request), { errorHandler: unreadable });
  // Node's own refusal of a request without a host has no body.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    void answer(request, response);
  });
  if (upgrade !== undefined) server.on('upgrade', upgrade);
  server.on('clientError', answerUnreadable);
  server.on('checkExpectation', answerUnexpected);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = UPLOAD_MS;
  const address =
    settings.listen.kind === 'port'
      ? await onPort(server, settings.listen.port)
      : await onSocket(server, settings.listen.path ?? defaultSocket(settings.dataFolder));
  return {
    address,
    close: async (graceMs) => {
      await close(server, graceMs);
      if ('socketPath' in address && process.platform !== 'win32') {
        rmSync(address.socketPath, { force: true });
      }
    },
  };
}

async function onPort(server: HttpServer, port: number): Promise<Address> {
  await bound(server, () => server.listen(port, '127.0.0.1'));
  const bind = server.address();
  const actual = typeof bind === 'object' && bind !== null ? bind.port : port;
  return { url: `http://127.0.0.1:${String(actual)}` };
}

async function onSocket(server: HttpServer, socketPath: string): Promise<Address> {
  const isPipe = process.platform === 'win32';
  // A socket file that a killed service left behind: the folder's lock says that nobody uses it.
  if (!isPipe) rmSync(socketPath, { force: true });
  await bound(server, () => server.listen(socketPath));
  if (!isPipe) chmodSync(socketPath, 0o600);
  return { socketPath };
}

function bound(server: HttpServer, start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    start();
  });
}

function defaultSocket(dataFolder: string): string {
  if (process.platform === 'win32') {
    return `\\\\.\\pipe\\prompt-tables-${randomBytes(16).toString('hex')}`;
  }
  const inFolder = join(dataFolder, 'service.sock');
  return Buffer.byteLength(inFolder) <= SOCKET_PATH_LIMIT ? inFolder : shortSocket(dataFolder);
}

/** For deep folders: a folder of ours alone under the temporary one, named after the deep one. */
function shortSocket(dataFolder: string): string {
  const user = process.getuid?.() ?? 0;
  const name = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), `prompt-tables-${String(user)}-${name}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(folder);
  if (uid !== user || (mode & 0o077) !== 0) {
    throw new Error(
      `${folder} belongs to another user or is open to others. Remove it, or give --socket.`,
    );
  }
  return join(folder, 's');
}

function close(server: HttpServer, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}
