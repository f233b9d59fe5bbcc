/** Thousands of clients that ask for a large sheet and take one byte a second of it. */
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import type { Campaign } from './load.ts';
import { within, Writer } from './load.ts';

/** Or as many as one process may open files here. */
const WANTED = 10_000;
const SPARE = 500;
/** So many are made before the next ones: more than wait in line are refused by the system. */
const AT_ONCE = 200;
const ROWS = 20_000;
const MOST_MB = 900;

export const slowReaders: Campaign = {
  name: 'slow readers',
  async run(untilMs) {
    const wanted = Math.min(WANTED, openFilesLimit() - SPARE);
    const service = await RunningService.start();
    const { api, child } = service;
    const readers: SlowReader[] = [];
    const openNow = (): number => readers.filter(({ isOpen }) => isOpen).length;
    try {
      const line = 'text '.repeat(40);
      const sheet = await api.sheetOf(
        `a,b\n${`${line},${line}\n`.repeat(ROWS)}`,
        'large.csv',
        120_000,
      );
      const writer = await Writer.create(api);
      const before = memoryMb(child.pid);
      const { port } = new URL(service.ready.url!);
      let most = 0;
      const began = performance.now();
      while (readers.length < wanted) {
        const made = Array.from({ length: Math.min(AT_ONCE, wanted - readers.length) }, (_, at) => {
          const paths = [
            `${sheet.path}/export?format=csv`,
            `${sheet.path}/rows?limit=100`,
            // An answer without end.
            '/_local/hold',
          ];
          return new SlowReader(Number(port), paths[at % paths.length] ?? '');
        });
        readers.push(...made);
        await within('the next readers are connected', 60_000, () =>
          Promise.all(made.map(({ connected }) => connected)).then(() => true),
        );
        most = Math.max(most, memoryMb(child.pid));
      }
      const connectingMs = performance.now() - began;
      let mostOpen = openNow();
      // All at once, when all are there: a service that is done with one may hang up on it.
      for (const reader of readers) reader.ask();
      const times: number[] = [];
      do {
        mostOpen = Math.max(mostOpen, openNow());
        for (const reader of readers) reader.takeOne();
        const asked = performance.now();
        await within('a write beside them', 90_000, () => writer.write(api));
        await api.get('/_local/health');
        times.push(performance.now() - asked);
        most = Math.max(most, memoryMb(child.pid));
        await pause(1000);
      } while (Date.now() < untilMs);
      const stayed = openNow();
      await writer.verify(api);
      for (const reader of readers) reader.leave();
      await within('the service is well', 10_000, async () => {
        await api.get('/_local/health');
        return true;
      });
      times.sort((left, right) => left - right);
      const isAll = wanted === WANTED;
      return [
        {
          metric: `connections made${isAll ? '' : ', as many as may be open here (ulimit -n)'}`,
          value: readers.filter(({ wasConnected }) => wasConnected).length,
          unit: '',
        },
        { metric: 'time to make them', value: connectingMs / 1000, unit: 's' },
        { metric: 'open at the same time, most', value: mostOpen, unit: '' },
        { metric: 'open at the end', value: stayed, unit: '' },
        {
          metric: 'had an answer',
          value: readers.filter(({ bytes }) => bytes > 0).length,
          unit: '',
        },
        { metric: 'memory before', value: before, unit: 'MB' },
        { metric: 'most memory with them', value: most, unit: 'MB', limit: MOST_MB },
        { metric: 'memory of the readers', value: memoryMb(process.pid), unit: 'MB' },
        {
          metric: 'a write beside them, p50',
          value: times[Math.floor(times.length / 2)] ?? 0,
          unit: 'ms',
        },
        { metric: 'a write beside them, longest', value: times.at(-1) ?? 0, unit: 'ms' },
      ];
    } finally {
      for (const reader of readers) reader.leave();
      await service.stop();
    }
  },
};

/** One byte for all: what is read is not looked at, and ten thousand have no buffers of their own. */
const byte = Buffer.alloc(1);

/** Takes a byte when it is told to. The service may be tired of it, which is its right. */
class SlowReader {
  readonly connected: Promise<void>;
  readonly #socket: net.Socket;
  readonly #path: string;
  bytes = 0;
  wasConnected = false;
  isOpen = false;

  constructor(port: number, path: string) {
    this.#path = path;
    this.#socket = net.connect({
      port,
      host: '127.0.0.1',
      onread: {
        buffer: byte,
        callback: (count) => {
          this.bytes += count;
          return false;
        },
      },
    });
    this.connected = new Promise((resolve) => {
      this.#socket.once('connect', () => {
        this.wasConnected = true;
        this.isOpen = true;
        resolve();
      });
      this.#socket.once('close', () => {
        this.isOpen = false;
        resolve();
      });
    });
    this.#socket.on('error', () => this.#socket.destroy());
  }

  ask(): void {
    this.#socket.write(
      `GET ${this.#path} HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${firstKey}\r\n\r\n`,
    );
  }

  takeOne(): void {
    if (this.isOpen) this.#socket.resume();
  }

  leave(): void {
    this.#socket.destroy();
  }
}

function openFilesLimit(): number {
  if (process.platform !== 'linux') return 1000;
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/Max open files\s+(\d+)/.exec(limits)?.[1] ?? 1000);
}

function memoryMb(pid: number | undefined): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
