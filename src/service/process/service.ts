import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeOutside } from '../egress/outside.ts';
import { startWorker, startWorkerThread, type RunningThread } from '../engine/index.ts';
import { dropOldCalls } from '../engine/kept-calls.ts';
import { Hold } from '../hold.ts';
import { releaseImports } from '../imports/import-store.ts';
import { ImportRunner } from '../imports/runner.ts';
import { Keys } from '../keys.ts';
import type { Log } from '../log.ts';
import { freeSlots } from '../models/slots.ts';
import { startObserving, type ObserveSettings, type Observing } from '../observe/observe.ts';
import type { Observer } from '../observe/observer.ts';
import { PromptCells } from '../models/prompt-cells.ts';
import { WindowKeys } from '../models/window-keys.ts';
import { allRoutes } from '../routes/all.ts';
import { Prices, readOwnPrices } from '../requests/prices.ts';
import { releaseCalculations } from '../scorecards/calculations.ts';
import { ScoreRunner } from '../scorecards/runner.ts';
import { Sandbox } from '../sandbox/sandbox.ts';
import { createServer } from '../server.ts';
import type { Database, DatabaseAddress } from '../store/database.ts';
import { openDatabase } from '../store/database.ts';
import { migrate } from '../store/migrate.ts';
import { checkPostgres } from '../store/postgres.ts';
import { createWriteLock } from '../store/write-lock.ts';
import { dropUnfinishedVersions } from '../versions/version-store.ts';
import { releaseExecutions } from '../workflows/executions.ts';
import { Realtime } from '../workflows/realtime.ts';
import { WorkflowRunner } from '../workflows/runner.ts';
import { lockDataFolder } from './data-lock.ts';
import type { Address } from './listen.ts';
import { listen } from './listen.ts';
import type { Settings } from './settings.ts';

const GRACE_MS = 5000;

export interface RunningService {
  readonly ready: { readonly ready: true; readonly pid: number } & Partial<
    Record<'socketPath' | 'url' | 'metricsUrl', string>
  >;
  /** Finishes what is under way, then closes everything in the order of its use. Callable twice. */
  stop(): Promise<void>;
}

type Closer = () => Promise<void> | void;

/** Starts every part of the service; what has been started is closed again when a later part fails. */
export async function startService(
  settings: Settings,
  log: Log,
  onIdle: () => void,
): Promise<RunningService> {
  const closers: Closer[] = [];
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= closeAll(closers, log));
  try {
    const ready = await startParts(settings, log, onIdle, closers);
    return { ready, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function closeAll(closers: readonly Closer[], log: Log): Promise<void> {
  for (const close of [...closers].reverse()) {
    try {
      await close();
    } catch (error) {
      log.warn('A part of the service did not close', { error: String(error) });
    }
  }
}

function addressOf(settings: Settings): DatabaseAddress {
  return settings.databaseUrl === undefined
    ? {
        kind: 'sqlite',
        path: join(settings.dataFolder, 'tables.db'),
        writeLock: createWriteLock(),
      }
    : { kind: 'postgres', url: settings.databaseUrl };
}

const pricesOf = ({ pricesFile }: Settings): Prices =>
  new Prices(pricesFile === undefined ? {} : readOwnPrices(pricesFile));

const promptsOf = (
  settings: Settings,
  { database, log, observer }: Observed,
  windowKeys?: WindowKeys,
): PromptCells =>
  new PromptCells({
    database,
    log,
    observer,
    prices: pricesOf(settings),
    limits: settings.limits,
    allowedHosts: settings.outside.allowedHosts,
    lookUp: windowKeys?.lookUp,
  });

interface Observed {
  readonly database: Database;
  readonly log: Log;
  readonly observer: Observer;
}

const isOn = ({ metricsPort, traces }: ObserveSettings): { metrics: boolean; traces: boolean } => ({
  metrics: metricsPort !== undefined,
  traces,
});

async function observe(settings: Settings, log: Log, closers: Closer[]): Promise<Observing> {
  const observing = await startObserving(isOn(settings.observe), 'service', log);
  closers.push(() => observing.stop());
  return observing;
}

/** Tells what is counted, where the settings say so. Answers where. */
async function tell(
  { observe: { metricsPort: port } }: Settings,
  { meter }: Observing,
  { database, log }: Observed,
  closers: Closer[],
  thread?: RunningThread,
): Promise<{ metricsUrl?: string }> {
  if (port === undefined || meter === undefined) return {};
  const { startMetricsServer } = await import('../observe/metrics-server.ts');
  const server = await startMetricsServer({
    ...{ port, meter, database, log },
    others: thread && (() => thread.measured()),
    trouble: () => (thread?.isAlive() === false ? 'The worker thread is silent.' : undefined),
  });
  closers.push(() => server.stop());
  return { metricsUrl: server.url };
}

async function openStore(settings: Settings, closers: Closer[]): Promise<Database> {
  if (settings.databaseUrl !== undefined) await checkPostgres(settings.databaseUrl);
  const database = await openDatabase(addressOf(settings));
  closers.push(() => database.close());
  await migrate(database);
  await dropOldCalls(database);
  return database;
}

async function startParts(
  settings: Settings,
  log: Log,
  onIdle: () => void,
  closers: Closer[],
): Promise<RunningService['ready']> {
  const observing = await observe(settings, log, closers);
  const { observer } = observing;
  if (settings.worker === 'only') {
    const database = await openStore(settings, closers);
    const observed = { database, log, observer };
    const prompts = promptsOf(settings, observed);
    const outside = makeOutside(settings.outside);
    const worker = await startWorker({ ...observed, prompts, outside });
    closers.push(() => worker.stop());
    const sandbox = new Sandbox();
    closers.push(() => sandbox.close());
    const scores = new ScoreRunner({ database, log, sandbox, prompts, outside });
    closers.push(() => scores.stop());
    await scores.start();
    const told = await tell(settings, observing, observed, closers);
    return { ready: true, pid: process.pid, ...told };
  }
  const lock = lockDataFolder(settings.dataFolder);
  closers.push(() => lock.release());
  const database = await openStore(settings, closers);
  const keys = await Keys.open(settings.keys, database, log);
  if (settings.databaseUrl === undefined) {
    await releaseImports(database);
    await dropUnfinishedVersions(database);
    await releaseExecutions(database);
    await releaseCalculations(database);
    await freeSlots(database);
  }
  const observed = { database, log, observer };
  let thread: RunningThread | undefined;
  const windowKeys = settings.keysFromWindows
    ? new WindowKeys({
        lingerMs: settings.idleExitMs ?? 0,
        onChange: (keys) => thread?.give(keys),
      })
    : undefined;
  if (settings.worker === 'with') {
    // Computing has a thread of its own, so that it never holds up an answer.
    const started = await startWorkerThread({
      database,
      log,
      pricesFile: settings.pricesFile,
      outside: settings.outside,
      limits: settings.limits,
      observe: isOn(settings.observe),
      keys: windowKeys && (() => windowKeys.keys),
    });
    closers.push(() => started.stop());
    thread = started;
  }
  const imports = new ImportRunner(database, log);
  closers.push(() => imports.stop());
  imports.wake();
  const prompts = promptsOf(settings, observed, windowKeys);
  closers.push(() => prompts.close());
  const outside = makeOutside(settings.outside);
  closers.push(() => outside.close());
  const sandbox = new Sandbox();
  closers.push(() => sandbox.close());
  if (settings.worker === 'with') {
    const scores = new ScoreRunner({ database, log, sandbox, prompts, outside });
    closers.push(() => scores.stop());
    await scores.start();
  }
  const workflows = new WorkflowRunner({ database, log, sandbox, prompts, outside });
  closers.push(() => workflows.stop());
  const realtime = new Realtime({ database, log, secret: keys.secret });
  const hold = new Hold(settings.idleExitMs, onIdle);
  const server = createServer({
    services: {
      database,
      log,
      prices: pricesOf(settings),
      secret: keys.secret,
      callbackHosts: settings.callbackHosts,
      costCeiling: settings.costCeiling,
      wakeImports: () => imports.wake(),
    },
    routes: allRoutes,
    keys,
    hold,
    windowKeys,
    compress: settings.listen.kind === 'port',
    observer,
  });
  const listening = await listen((request) => server.fetch(request), settings, realtime.upgrade);
  closers.push(async () => {
    hold.stop();
    await realtime.stop();
    return listening.close(GRACE_MS);
  });
  hold.start();
  const told = await tell(settings, observing, observed, closers, thread);
  return publish(settings.dataFolder, { ...listening.address, ...told }, closers);
}

/** Writes down where the service is, for the windows that share it. */
function publish(
  dataFolder: string,
  address: Address & { readonly metricsUrl?: string },
  closers: Closer[],
): RunningService['ready'] {
  const ready = { ready: true as const, pid: process.pid, ...address };
  const file = join(dataFolder, 'service.json');
  writeFileSync(file, `${JSON.stringify(ready)}\n`, { mode: 0o600 });
  closers.push(() => rmSync(file, { force: true }));
  return ready;
}
