/** Asks a service small things, one after the other, in a thread of its own, and times the answers. */
import { setTimeout as pause } from 'node:timers/promises';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { Client } from 'undici';

const GAP_MS = 4;

interface Target {
  readonly url: string;
  readonly key: string;
  readonly path: string;
}

/** Milliseconds, sorted. */
export interface Waits {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export function waitsOf(times: readonly number[]): Waits {
  const sorted = [...times].sort((left, right) => left - right);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** What small requests wait while the work is under way. */
export async function waitsDuring<Result>(
  target: Target,
  work: () => Promise<Result>,
): Promise<{ readonly waits: Waits; readonly result: Result; readonly tookMs: number }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: target });
  const next = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  await next();
  const began = performance.now();
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  const tookMs = performance.now() - began;
  const times = next();
  worker.postMessage('stop');
  const waits = waitsOf((await times) as number[]);
  await worker.terminate();
  return { waits, result, tookMs };
}

async function ping({ url, key, path }: Target): Promise<void> {
  const client = new Client(url);
  const times: number[] = [];
  const over = new AbortController();
  parentPort?.once('message', () => over.abort());
  const askOnce = async (): Promise<number> => {
    const began = performance.now();
    const { statusCode, body } = await client.request({
      method: 'GET',
      path,
      headers: { 'x-api-key': key },
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${path} was answered with ${String(statusCode)}.`);
    return performance.now() - began;
  };
  // Connections and statements are made when first needed.
  for (let count = 0; count < 5; count += 1) await askOnce();
  parentPort?.postMessage('ready');
  while (!over.signal.aborted) {
    times.push(await askOnce());
    await pause(GAP_MS);
  }
  parentPort?.postMessage(times);
  await client.close();
}

if (!isMainThread && (workerData as Partial<Target> | null)?.path !== undefined) {
  await ping(workerData as Target);
}
