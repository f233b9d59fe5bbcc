import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionRecord } from '../../../../src/service/workflows/records.ts';
import { Callbacks } from '../../../../src/service/workflows/callback.ts';
import type { ExecutionView } from '../../../../src/service/workflows/executions.ts';
import { silent } from '../../../support/engine/sheet.ts';
import { until } from '../../../support/until.ts';

const view: ExecutionView = {
  execution: { id: 1, status: 'completed', returns_all: 0 } as ExecutionRecord,
  definition: { nodes: [] },
  states: new Map(),
  cutOff: new Set(),
};

describe('Results that are sent to whoever asked to be called back', () => {
  let server: Server;
  let answer: (response: ServerResponse) => void = () => undefined;
  let posted = 0;
  const lost: string[] = [];
  const stop = new AbortController();
  const log = {
    ...silent,
    warn: (_: string, fields?: object) =>
      void lost.push(String(Reflect.get(fields ?? {}, 'reason'))),
  };
  const callbacks = new Callbacks(log, stop.signal, [10, 40]);
  const listen = async (port: number): Promise<number> => {
    server = createServer((request, response) => {
      request.resume().on('end', () => {
        posted += 1;
        answer(response);
      });
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const send = (port: number): void =>
    callbacks.send({
      url: `http://127.0.0.1:${String(port)}/`,
      execution: 1,
      read: async () => view,
    });

  beforeEach(() => {
    posted = 0;
    lost.length = 0;
  });
  after(async () => {
    stop.abort();
    await callbacks.settled();
  });

  const ways: Readonly<Record<string, readonly [(response: ServerResponse) => void, RegExp?]>> = {
    well: [(response) => response.writeHead(204).end()],
    'with 500': [(response) => response.writeHead(500).end(), /it answered 500/],
    'with a redirect': [(response) => response.writeHead(307, { location: '/' }).end(), /307/],
    'by a reset': [(response) => response.socket?.resetAndDestroy(), /accepted anyway/],
    'by closing': [(response) => response.socket?.destroy(), /accepted anyway/],
    'with no HTTP': [(response) => response.socket?.end('no\r\n\r\n'), /accepted anyway/],
  };
  for (const [way, [how, reason]] of Object.entries(ways))
    it(`are posted once to one that answers ${way}`, async () => {
      answer = how;
      send(await listen(0));
      await callbacks.settled();
      await close();
      assert.equal(posted, 1);
      assert.equal(lost.length, reason === undefined ? 0 : 1);
      if (reason !== undefined) assert.match(lost[0] ?? '', reason);
    });

  it('are tried again while nobody listens, and given up after that', async () => {
    const port = await listen(0);
    await close();
    send(port);
    await callbacks.settled();
    assert.equal(lost.length, 1);
    assert.match(lost[0] ?? '', /ECONNREFUSED|connect/i);
  });

  it('are posted once to one that listens again in time', async () => {
    answer = (response) => response.writeHead(200).end();
    const port = await listen(0);
    await close();
    const patient = new Callbacks(
      log,
      stop.signal,
      Array.from({ length: 1000 }, () => 10),
    );
    patient.send({
      ...{ url: `http://127.0.0.1:${String(port)}/`, execution: 1 },
      read: async () => view,
    });
    await listen(port);
    await until('it is posted', async () => posted > 0);
    await patient.settled();
    await close();
    assert.deepEqual([posted, lost], [1, []]);
  });
});
