/** The entry of the worker thread: the worker with a database connection of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeOutside } from '../../egress/outside.ts';
import type { Log, LogLevel } from '../../log.ts';
import { startObserving } from '../../observe/observe.ts';
import { PromptCells } from '../../models/prompt-cells.ts';
import { WindowKeys } from '../../models/window-keys.ts';
import { Prices, readOwnPrices } from '../../requests/prices.ts';
import { openDatabase } from '../../store/database.ts';
import type { ThreadData, ThreadMessage, ThreadOrder } from './thread-messages.ts';
import { startWorker } from './worker.ts';

const ALIVE_MS = 2000;

if (!parentPort) throw new Error('This file runs as a thread of the service only.');
const port = parentPort;
const tell = (message: ThreadMessage): void => port.postMessage(message);
const at =
  (level: LogLevel): Log[LogLevel] =>
  (message, fields = {}) =>
    tell({ kind: 'log', level, message, fields });
const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };

// The service itself has made the data.
const { address, sandbox, pricesFile, outside, limits, observe, keys } = workerData as ThreadData;
const { observer, meter, ...observing } = await startObserving(observe, 'worker', log);
const database = await openDatabase(address);
const prices = new Prices(pricesFile === undefined ? {} : readOwnPrices(pricesFile));
const windowKeys = keys && new WindowKeys();
if (keys) windowKeys?.replace(keys);
const lookUp = windowKeys?.lookUp;
const allowedHosts = outside?.allowedHosts;
const prompts = new PromptCells({
  ...{ database, log, prices, limits, observer },
  ...{ allowedHosts, lookUp },
});
const worker = await startWorker({
  database,
  log,
  prompts,
  observer,
  ...(sandbox && { sandbox }),
  ...(outside && { outside: makeOutside(outside) }),
});
const alive = setInterval(() => tell({ kind: 'alive' }), ALIVE_MS);
port.on('message', (order: ThreadOrder) => {
  if (order === 'wake') worker.wake();
  else if (order === 'measure') void measure();
  else if (order === 'stop') void stop();
  else windowKeys?.replace(order.keys);
});

async function measure(): Promise<void> {
  tell({ kind: 'measured', measured: (await meter?.measured()) ?? [] });
}

async function stop(): Promise<void> {
  clearInterval(alive);
  await worker.stop();
  await database.close();
  await observing.stop();
  port.close();
}
