/** Whoever collects the spans of the service may fail in every way: nobody else is to notice. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { closedPort } from '../support/providers/faulty-server.ts';
import { timeLimit } from '../support/time-limit.ts';
import { tablesPath } from './support/api.ts';
import { RunningService } from './support/running-service.ts';

const REQUESTS = 600;
const AT_ONCE = 8;
/** The exporter holds 2,048 spans at most, of some kilobytes; the rest is what a busy heap grows by. */
const MOST_MORE_MB = 120;
/** What a process may take to stop (5 s), and a little for the machine. */
const STOP_LIMIT_MS = timeLimit(4000);
/** By how much all requests may be slower than without a collector, and by how much in all. */
const MOST_TIMES = 5;
const MOST_MORE_MS = timeLimit(1000);

/** Answers a request of the exporter, or does not. */
const faults: Readonly<Record<string, (response: http.ServerResponse) => void>> = {
  'resets the connection': (response) => response.socket?.resetAndDestroy(),
  'closes the connection': (response) => response.socket?.destroy(),
  'answers 500': (response) => response.writeHead(500).end('{}'),
  'answers 503 and asks for patience': (response) =>
    response.writeHead(503, { 'retry-after': '3600' }).end(),
  'answers 401': (response) => response.writeHead(401).end(),
  'speaks no HTTP': (response) => response.socket?.end('no\r\n\r\n'),
  'sends without end': (response) => {
    const more = setInterval(() => response.write('x'.repeat(10_000)), 5);
    response.on('close', () => clearInterval(more));
  },
  hangs: () => undefined,
};

describe('A collector of spans', function () {
  this.timeout(timeLimit(90_000));

  /** Where nobody collects, and what all requests take there. */
  let plain: RunningService;
  let usualMs = 0;
  before(async () => {
    plain = await RunningService.start();
    await askAll(plain, REQUESTS / 3);
    usualMs = await askAll(plain, REQUESTS);
  });
  after(() => plain.stop());

  /** Milliseconds. */
  async function askAll(service: RunningService, count: number): Promise<number> {
    const began = performance.now();
    const some = async (): Promise<void> => {
      for (let at = 0; at < count / AT_ONCE; at += 1)
        await service.api.expect(200, 'GET', `${tablesPath}?limit=1`);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, some));
    return performance.now() - began;
  }

  /** What else this machine does by now is no fault of the collector: asked again beside each other. */
  async function assertUnnoticed(service: RunningService, firstMs: number): Promise<void> {
    let tookMs = firstMs;
    for (let again = 0; tookMs >= MOST_TIMES * usualMs + MOST_MORE_MS; again += 1) {
      assert.ok(again < 2, `${String(tookMs)} ms, without a collector ${String(usualMs)}.`);
      usualMs = await askAll(plain, REQUESTS);
      tookMs = await askAll(service, REQUESTS);
    }
  }

  /** Each takes its time to give up what it has not sent: all at once, while the next is asked. */
  const stops: Promise<void>[] = [];
  const collectors: http.Server[] = [];
  after(() => {
    for (const collector of collectors) {
      collector.closeAllConnections();
      collector.close();
    }
  });
  async function stopped(service: RunningService, endpoint: string): Promise<void> {
    const began = performance.now();
    const ended = await service.stop();
    const took = performance.now() - began;
    assert.ok(took < STOP_LIMIT_MS, `${endpoint}: It took ${String(took)} ms to stop.`);
    assert.deepEqual(ended, { code: 0, signal: null }, endpoint);
    assert.doesNotMatch(service.log, /The service failed|hangs/, endpoint);
  }

  async function unnoticed(endpoint: string): Promise<void> {
    const service = await RunningService.start({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        // Exports come one after the other, so that many are under way in a short test.
        OTEL_BSP_SCHEDULE_DELAY: '100',
      },
    });
    const memoryMb = (): number => {
      const status = readFileSync(`/proc/${String(service.child.pid)}/status`, 'utf8');
      return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    };
    const isLinux = process.platform === 'linux';
    try {
      // The heap has grown to what requests take.
      await askAll(service, REQUESTS / 3);
      const before = isLinux ? memoryMb() : 0;
      const tookMs = await askAll(service, REQUESTS);
      const more = (isLinux ? memoryMb() : 0) - before;
      assert.ok(more < MOST_MORE_MB, `${String(Math.round(more))} MB more`);
      await assertUnnoticed(service, tookMs);
    } finally {
      const stop = stopped(service, endpoint);
      stop.catch(() => undefined);
      stops.push(stop);
    }
  }

  it('that is not there is not noticed', async () => {
    await unnoticed(`http://127.0.0.1:${String(await closedPort())}`);
  });

  for (const [way, answer] of Object.entries(faults)) {
    it(`that ${way} is not noticed`, async () => {
      let posts = 0;
      const collector = http.createServer((request, response) => {
        response.on('error', () => undefined);
        request.resume().on('end', () => {
          posts += 1;
          answer(response);
        });
      });
      collectors.push(collector);
      collector.listen(0, '127.0.0.1');
      await once(collector, 'listening');
      const { port } = collector.address() as AddressInfo;
      await unnoticed(`http://127.0.0.1:${String(port)}`);
      assert.ok(posts > 0, 'It was asked.');
    });
  }

  it('does not hold up the end of the service, whatever it does', async () => {
    await Promise.all(stops);
  });
});
