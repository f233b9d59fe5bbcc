import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { columnRenewal, renewSheets } from '../engine/index.ts';
import { dropOldCalls } from '../engine/kept-calls.ts';
import { Hold } from '../hold.ts';
import { releaseImports } from '../imports/import-store.ts';
import { ImportRunner } from '../imports/runner.ts';
import { Keys } from '../keys.ts';
import type { Log } from '../log.ts';
import { freeSlots } from '../models/slots.ts';
import { startObserving, type Observing } from '../observe/observe.ts';
import { WindowKeys } from '../models/window-keys.ts';
import { WindowModels } from '../models/window-models.ts';
import { allRoutes } from '../routes/all.ts';
import { Prices, readOwnPrices } from '../requests/prices.ts';
import { releaseCalculations } from '../scorecards/calculations.ts';
import { stepRenewal } from '../scorecards/renew-steps.ts';
import { createServer } from '../server.ts';
import type { Database, DatabaseAddress } from '../store/database.ts';
import { openDatabase } from '../store/database.ts';
import { migrate } from '../store/migrate.ts';
import { checkPostgres } from '../store/postgres.ts';
import { createWriteLock } from '../store/write-lock.ts';
import { dropUnfinishedVersions } from '../versions/version-store.ts';
import { releaseExecutions } from '../workflows/executions.ts';
import { Realtime } from '../workflows/realtime.ts';
import { lockDataFolder } from './data-lock.ts';
import type { Address } from './listen.ts';
import { listen } from './listen.ts';
import type { Settings } from './settings.ts';
import { isOn, Work, type WorkParts } from './work.ts';

/** For requests under way. Whoever stops the process waits 5 s in all. */
const GRACE_MS = 1500;

export interface RunningService {
  readonly ready: { readonly ready: true; readonly pid: number } & Partial<
    Record<'socketPath' | 'url' | 'metricsUrl', string>
  >;
  /** Takes up what waits, or was left half done: only when the service is there for its users. */
  begin(): void;
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
    const { ready, begin } = await startParts(settings, log, onIdle, closers);
    return { ready, begin, stop };
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

async function observe(settings: Settings, log: Log, closers: Closer[]): Promise<Observing> {
  const observing = await startObserving(isOn(settings.observe), 'service', log);
  closers.push(() => observing.stop());
  return observing;
}

/** Tells what is counted, where the settings say so. Answers where. */
async function tell(
  { observe: { metricsPort: port } }: Settings,
  { meter }: Observing,
  { database, log }: WorkParts,
  closers: Closer[],
  work: Work,
): Promise<{ metricsUrl?: string }> {
  if (port === undefined || meter === undefined) return {};
  const { startMetricsServer } = await import('../observe/metrics-server.ts');
  const server = await startMetricsServer({
    ...{ port, meter, database, log },
    others: async () => work.thread?.measured(),
    trouble: () => (work.thread?.isAlive() === false ? 'The worker thread is silent.' : undefined),
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

interface Started {
  readonly ready: RunningService['ready'];
  readonly begin: () => void;
}

/** Computes for services that run elsewhere, and answers no requests. */
async function startComputing(
  settings: Settings,
  observing: Observing,
  log: Log,
  closers: Closer[],
): Promise<Started> {
  const database = await openStore(settings, closers);
  const work = new Work(settings, { database, log });
  closers.push(() => work.stop());
  const reported = await tell(settings, observing, { database, log }, closers, work);
  return { ready: { ready: true, pid: process.pid, ...reported }, begin: () => work.begin() };
}

async function startParts(
  settings: Settings,
  log: Log,
  onIdle: () => void,
  closers: Closer[],
): Promise<Started> {
  const observing = await observe(settings, log, closers);
  if (settings.worker === 'only') return startComputing(settings, observing, log, closers);
  const lock = lockDataFolder(settings.dataFolder);
  closers.push(() => lock.release());
  const database = await openStore(settings, closers);
  const keys = await Keys.open(settings.keys, database, log);
  if (settings.databaseUrl === undefined) await takeOver(database);
  const observed = { database, log };
  const windowKeys = settings.keysFromWindows
    ? new WindowKeys({
        lingerMs: settings.idleExitMs ?? 0,
        onChange: (handed) => work.thread?.give(handed),
      })
    : undefined;
  // On a database that others use too, nobody's cells are computed with somebody else's keys.
  const workOf = settings.keysFromWindows ? keys.workspaces : undefined;
  const windowModels = new WindowModels();
  const windows = windowKeys && { keys: windowKeys, models: windowModels, workOf };
  const work = new Work(settings, observed, windows);
  closers.push(() => work.stop());
  const imports = new ImportRunner(database, log, workOf);
  closers.push(() => imports.stop());
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
    windowModels,
    compress: settings.listen.kind === 'port',
    observer: observing.observer,
  });
  const listening = await listen((request) => server.fetch(request), settings, realtime.upgrade);
  closers.push(async () => {
    hold.stop();
    await realtime.stop();
    return listening.close(GRACE_MS);
  });
  hold.start();
  const reported = await tell(settings, observing, observed, closers, work);
  const ready = publish(settings.dataFolder, { ...listening.address, ...reported }, closers);
  const begin = (): void => {
    work.begin();
    imports.wake();
    renew(observed, closers);
  };
  return { ready, begin };
}

/** Beside the first requests; ends between two sheets when the service stops. */
function renew({ database, log }: WorkParts, closers: Closer[]): void {
  const ending = new AbortController();
  const renewAll = async (): Promise<void> => {
    for (const renewal of [columnRenewal, stepRenewal]) {
      await renewSheets(database, renewal, log, ending.signal);
    }
  };
  const renewing = renewAll().catch((error: unknown) => {
    log.warn('Columns and scorecards could not be renewed', { error: String(error) });
  });
  closers.push(() => {
    ending.abort();
    return renewing;
  });
}

/** Whatever worked on an embedded database before has ended. */
async function takeOver(database: Database): Promise<void> {
  await releaseImports(database);
  await dropUnfinishedVersions(database);
  await releaseExecutions(database);
  await releaseCalculations(database);
  await freeSlots(database);
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
