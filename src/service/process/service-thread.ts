/** The entry of the thread that is the service: it answers requests, and leaves computing to another. */
import { parentPort, workerData } from 'node:worker_threads';
import { createLog } from '../log.ts';
import { explain } from './explain.ts';
import type { ServiceMessage, ServiceThreadData } from './service-messages.ts';

const ALIVE_MS = 2000;

if (!parentPort) throw new Error('This file runs as a thread of the service only.');
const port = parentPort;
const tell = (message: ServiceMessage): void => port.postMessage(message);

// The process itself has made the data.
const { settings } = workerData as ServiceThreadData;
const log = createLog(settings.logLevel, (line) => tell({ kind: 'log', line }));
const alive = setInterval(() => tell({ kind: 'alive' }), ALIVE_MS);
const ended = Promise.withResolvers<string>();
port.on('message', (signal: string) => ended.resolve(signal));

try {
  // Not with this ES module: what it imports is loaded as a whole, and with it more than is ever used.
  const { startService } = await import('./service.ts');
  const service = await startService(settings, log, () => ended.resolve('no window uses it'));
  tell({ kind: 'ready', ready: service.ready });
  log.info('Service started', { pid: process.pid });
  service.begin();
  const reason = await ended.promise;
  log.info('Service stops', { reason });
  await service.stop();
} catch (error) {
  const { dataFolder: folder, databaseUrl, logLevel } = settings;
  const circumstances = { command: undefined, folder, databaseUrl, isDebug: logLevel === 'debug' };
  tell({ kind: 'failed', ...explain(error, circumstances) });
} finally {
  clearInterval(alive);
  port.close();
}
