/** The entry of the thread that computes: a worker with database connections of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeOutside } from '../../egress/outside.ts';
import type { Log, LogLevel } from '../../log.ts';
import { AskWindow } from '../../models/ask-window.ts';
import { PromptCells } from '../../models/prompt-cells.ts';
import { modelRequestsOf, WindowKeys } from '../../models/window-keys.ts';
import { startObserving } from '../../observe/observe.ts';
import { Prices, readOwnPrices } from '../../requests/prices.ts';
import { Sandbox } from '../../sandbox/sandbox.ts';
import { ScoreRunner } from '../../scorecards/runner.ts';
import { openDatabase } from '../../store/database.ts';
import { WorkflowRunner } from '../../workflows/runner.ts';
import { Place } from './place.ts';
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
const data = workerData as ThreadData;
const { observer, meter, ...observing } = await startObserving(data.observe, 'worker', log);
const database = await openDatabase(data.address);
const closers: (() => Promise<void> | void)[] = [];
const windowKeys = data.keys && new WindowKeys();
if (data.keys) windowKeys?.replace(data.keys);
const window = data.keys && new AskWindow(tell);

async function startDuties(): Promise<void> {
  const { duties, pricesFile, limits, name, place, workOf } = data;
  const prices = new Prices(pricesFile === undefined ? {} : readOwnPrices(pricesFile));
  const allowedHosts = data.outside.allowedHosts;
  const prompts = new PromptCells({
    ...{ database, log, prices, limits, observer, allowedHosts },
    lookUp: windowKeys?.lookUp,
    restrictedLookUp: windowKeys?.restrictedLookUp,
    ...(window && { askWindow: (body, signal) => window.ask(body, signal) }),
    windowRequests: () => (windowKeys ? modelRequestsOf(windowKeys.keys) : 0),
  });
  closers.push(() => prompts.close());
  const outside = makeOutside(data.outside);
  closers.push(() => outside.close());
  if (duties.operations) {
    const shared = { database, log, prompts, outside, observer, workOf };
    const worker = await startWorker({ ...shared, name, place: new Place(place) });
    closers.push(() => worker.stop());
  }
  const sandbox = new Sandbox();
  closers.push(() => sandbox.close());
  const tools = { database, log, sandbox, prompts, outside, workOf };
  if (duties.scores) {
    const scores = new ScoreRunner(tools);
    closers.push(() => scores.stop());
    await scores.start();
  }
  if (duties.workflows) {
    const workflows = new WorkflowRunner(tools);
    closers.push(() => workflows.stop());
  }
}

const starting = startDuties();
const alive = setInterval(() => tell({ kind: 'alive' }), ALIVE_MS);
port.on('message', (order: ThreadOrder) => {
  if (order === 'measure') void measure();
  else if (order === 'stop') void stop();
  else if (order.kind === 'answer') window?.answered(order.id, order.answer);
  else windowKeys?.replace(order.keys);
});
await starting;

async function measure(): Promise<void> {
  tell({ kind: 'measured', measured: (await meter?.measured()) ?? [] });
}

async function stop(): Promise<void> {
  await starting.catch(() => undefined);
  clearInterval(alive);
  // What works gives back what it has before that with which it works is closed.
  for (const close of [...closers].reverse()) await close();
  await database.close();
  await observing.stop();
  port.close();
}
