import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as prom from 'prom-client';
import { isLocalHost } from '../http/guard.ts';
import type { Log } from '../log.ts';
import { errorText } from '../log.ts';
import type { Database } from '../store/database.ts';
import { serviceVersion } from '../version.ts';
import type { Measured, Meter } from './meter.ts';
import { watchDatabase } from './queue.ts';

const HEALTH_MS = 2000;

export interface MetricsParts {
  readonly port: number;
  readonly meter: Meter;
  readonly database: Database;
  readonly log: Log;
  /** What another thread has counted; nothing when there is none, or when it does not answer. */
  readonly others?: (() => Promise<Measured | undefined>) | undefined;
  /** Why this process is of no use just now. */
  readonly trouble?: (() => string | undefined) | undefined;
}

export interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Answers /metrics and /healthz on the loopback interface without a key: there are numbers in it,
 * and names of paths, column types and models, but nothing of what tables hold.
 */
export async function startMetricsServer(parts: MetricsParts): Promise<MetricsServer> {
  const { meter, database, log } = parts;
  prom.collectDefaultMetrics({ register: meter.registry });
  watchDatabase(meter.registry, database);
  const server = createServer((request, response) => {
    answer(parts, request, response).catch((error: unknown) => {
      log.error('Metrics could not be collected.', { error: errorText(error) });
      send(response, 500, 'text/plain', 'The service failed to answer. Its log has the reason.\n');
    });
  });
  server.listen(parts.port, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { meter, database, others, trouble }: MetricsParts,
  { url, headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // As everywhere: no web page can read this through a name that it points at 127.0.0.1.
  if (!isLocalHost(headers.host) || headers.origin !== undefined) {
    send(response, 403, 'text/plain', 'This port answers to localhost only.\n');
    return;
  }
  if (url === '/metrics') {
    const all = [await meter.measured(), await others?.()].filter((one) => one !== undefined);
    const registry = prom.AggregatorRegistry.aggregate(all.map((one) => [...one]));
    send(response, 200, registry.contentType, await registry.metrics());
    return;
  }
  if (url === '/healthz') {
    const problem = trouble?.() ?? (await databaseTrouble(database));
    const body = { ok: problem === undefined, problem, version: serviceVersion, pid: process.pid };
    const status = problem === undefined ? 200 : 503;
    send(response, status, 'application/json', `${JSON.stringify(body)}\n`);
    return;
  }
  send(response, 404, 'text/plain', 'There are /metrics and /healthz here.\n');
}

async function databaseTrouble(database: Database): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('The database does not answer.'), HEALTH_MS);
  });
  const asked = database.one('select 1 as one').then(
    () => undefined,
    () => "The database can't be asked.",
  );
  try {
    return await Promise.race([asked, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}
