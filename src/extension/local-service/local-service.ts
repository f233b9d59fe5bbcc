import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AuthenticationError, CancelledError, ServerError } from '../../core/errors.ts';
import type { Disposable } from '../shell/dispose.ts';
import { DisposableStore } from '../shell/dispose.ts';
import type { HeldWith, LocalAccess, WindowKeys } from '../shell/local-access.ts';
import type { HostProvider } from '../../core/providers/host/host-provider.ts';
import type { Logger } from '../../core/logger.ts';
import type { Ready } from './folder.ts';
import { ServiceFolder } from './folder.ts';
import { followLog } from './follow-log.ts';
import { OfferedModels } from './offered-models.ts';
import { startService } from './process.ts';
import type { Health, Hold } from '../shell/reach.ts';
import { answerOrder, hold, reach } from '../shell/reach.ts';
import type { AddressSecrets } from './storage.ts';
import { LocalStorage } from './storage.ts';
import type { Translate } from '../shell/translate.ts';

const pollMs = 50;
const patienceMs = 10_000;
const lockedPauseMs = 2_000;
/** Beyond this many crashes within the time, somebody has to look. */
const crashesAllowed = 3;
const crashWindowMs = 60_000;

/** Built without a version, as tests do: any extension may use it. */
const unversioned = '0.0.0-source';

export interface LocalServiceParts {
  readonly dataPath: string;
  readonly entry: string;
  /** Of this extension: a service of another version is replaced. */
  readonly version: string;
  readonly idleSeconds: () => number;
  /** The whole environment of a service that is started with this key. */
  readonly environment: (key: string, databaseUrl: string | undefined) => NodeJS.ProcessEnv;
  /** The editor's secret storage of database addresses. */
  readonly addresses: AddressSecrets;
  /** What this window hands to the service while it holds it: keys of model providers. */
  readonly providerKeys: () => Promise<WindowKeys>;
  /** Not so: what this window begins is done without keys of any environment. */
  readonly isTrusted: () => boolean;
  /** Language models of VS Code for cells: how many requests at the same time (0: none), and how. */
  readonly languageModels: { readonly requests: () => number; readonly ask: HostProvider };
  readonly log: Logger;
  readonly t: Translate;
  /** Called when the running service was replaced by another one. */
  readonly onReplaced: (access: LocalAccess) => void;
  /** Called when it ended for good, with the reason. */
  readonly onGivenUp: (error: unknown) => void;
}

interface Running {
  readonly ready: Ready;
  readonly health: Health;
  readonly key: string;
  readonly hold: Hold;
  readonly database: string | undefined;
}

/**
 * The service of the local workspace: started when it is first needed, shared by all windows of
 * this data folder, started again when it crashes, left to end by itself when nobody holds it.
 */
export class LocalService implements Disposable {
  readonly #parts: LocalServiceParts;
  readonly folder: ServiceFolder;
  readonly storage: LocalStorage;
  readonly #own = new DisposableStore();
  readonly #crashes: number[] = [];
  readonly #window = randomUUID();
  readonly #offered: OfferedModels;
  #running: Promise<Running> | undefined;
  #hasReplaced = false;
  #follower: Disposable | undefined;

  constructor(parts: LocalServiceParts) {
    this.#parts = parts;
    this.folder = new ServiceFolder(parts.dataPath);
    this.#offered = new OfferedModels(parts.languageModels.ask, parts.log);
    this.storage = new LocalStorage(this.folder, parts.addresses, parts.t);
  }

  /** Finds the running service or starts one. Concurrent callers share the answer. */
  async access(): Promise<LocalAccess> {
    const { ready, key, health, database } = await this.#ensure();
    const apiKey = this.#parts.isTrusted() ? key : (health.restricted_key ?? key);
    return { socketPath: ready.socketPath, apiKey, database };
  }

  /** Process id of the service in use, without starting one. */
  async pid(): Promise<number | undefined> {
    return this.#running === undefined ? undefined : (await this.#running).ready.pid;
  }

  /** Ends the service politely, for all windows, and starts it again. */
  async restart(): Promise<void> {
    const before = this.#running;
    this.#running = undefined;
    this.#crashes.length = 0;
    if (before !== undefined) {
      // One that could not be started has been reported, and needs no ending.
      const running = await before.catch(() => undefined);
      running?.hold.release();
      if (running !== undefined) await this.#end(running.ready, running.key);
    }
    this.#parts.onReplaced(await this.access());
  }

  /**
   * Keeps the data in this database from now on, or in the folder (undefined), for all windows. A
   * database is tried first: where it can't be used, everything stays as it is.
   */
  async keepIn(address: string | undefined): Promise<void> {
    if (address === undefined) await this.storage.keepInFolder();
    else {
      await this.#try(address);
      await this.storage.keepInDatabase(address);
    }
    await this.restart();
  }

  /** A service of its own, in a folder of its own, that is ended as soon as it is ready. */
  async #try(address: string): Promise<void> {
    const { entry, environment, t } = this.#parts;
    const folder = new ServiceFolder(await fs.mkdtemp(path.join(os.tmpdir(), 'prompt-tables-')));
    const key = await this.folder.key();
    const options = { entry, folder, environment: environment(key, address), idleSeconds: 60, t };
    try {
      const started = await startService(options);
      if (started !== 'locked') await this.#end(started, key);
    } finally {
      await fs.rm(folder.path, { recursive: true, force: true });
    }
  }

  /** Hands over what has changed to the service in use, without starting one. */
  async heldWithChanged(): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    if (running?.health.takes_keys === true) await running.hold.renew(await this.#heldWith());
  }

  dispose(): void {
    this.#own.dispose();
    this.#follower?.dispose();
    this.#offered.stopAll();
    const running = this.#running;
    this.#running = undefined;
    running?.then(
      ({ hold: held }) => held.release(),
      // The caller has reported it.
      () => undefined,
    );
  }

  #ensure(): Promise<Running> {
    if (this.#own.isDisposed) return Promise.reject(new CancelledError('The extension has ended.'));
    const known = this.#running;
    if (known !== undefined) return known;
    const connecting = this.#connect();
    this.#running = connecting;
    connecting.then(
      (running) => {
        if (this.#running === connecting) this.#watch(connecting, running);
        else running.hold.release();
      },
      () => {
        if (this.#running === connecting) this.#running = undefined;
      },
    );
    return connecting;
  }

  async #connect(): Promise<Running> {
    const { t } = this.#parts;
    const key = await this.folder.key();
    const database = (await this.storage.database())?.id;
    const deadline = performance.now() + patienceMs;
    let nextStart = 0;
    for (;;) {
      let ready = await this.#announcedAndAlive(key);
      if (ready === undefined && performance.now() >= nextStart) {
        ready = await this.#start(key);
        // Another window was faster: its service is about to announce itself.
        nextStart = performance.now() + lockedPauseMs;
      }
      const health = ready === undefined ? undefined : await reach(ready, key);
      if (ready !== undefined && typeof health === 'object') {
        // A service that was started by hand has the keys of its own environment.
        const given = health.takes_keys ? await this.#heldWith() : undefined;
        const service = ready;
        const held = await hold(ready, key, given, (order) =>
          this.#offered.take(order, async (id, answer) => {
            await answerOrder(service, key, id, answer);
          }),
        );
        if (held !== undefined) {
          this.#follow();
          this.#parts.log.info(`Using the local service of process ${health.pid}.`);
          return { ready, health, key, hold: held, database };
        }
      }
      if (health === 'refused') throw this.#foreign();
      if (performance.now() > deadline) {
        throw new ServerError(t('The local service does not answer.'), {
          hint: t('Another program may hold {0}. Restart the local service.', this.folder.path),
        });
      }
      await pause(pollMs);
    }
  }

  async #heldWith(): Promise<HeldWith> {
    const { providerKeys, languageModels } = this.#parts;
    const modelRequests = languageModels.requests();
    return { ...(await providerKeys()), window: this.#window, modelRequests };
  }

  /** The service that another window started, unless it belongs to another version of ours. */
  async #announcedAndAlive(key: string): Promise<Ready | undefined> {
    const ready = await this.folder.announced();
    if (ready === undefined) return undefined;
    const reached = await reach(ready, key);
    if (reached === 'absent') return undefined;
    if (reached === 'refused') throw this.#foreign();
    const fits = [this.#parts.version, unversioned].includes(reached.version);
    // Once only: two windows of different versions must not end each other's service for ever.
    if (fits || this.#hasReplaced) return ready;
    this.#hasReplaced = true;
    this.#parts.log.info(
      `Replacing the local service ${reached.version} by ${this.#parts.version}.`,
    );
    await this.#end(ready, key);
    return undefined;
  }

  /** Undefined: another process holds the folder. */
  async #start(key: string): Promise<Ready | undefined> {
    const { entry, idleSeconds, environment, log, t } = this.#parts;
    const address = await this.storage.address();
    log.info('Starting the local service.');
    const started = await startService({
      entry,
      folder: this.folder,
      environment: environment(key, address),
      idleSeconds: idleSeconds(),
      t,
    });
    return started === 'locked' ? undefined : started;
  }

  async #end(ready: Ready, key: string): Promise<void> {
    const reached = await reach(ready, key);
    // Only the process that answers on the socket: the number alone may be someone else's by now.
    if (typeof reached !== 'object' || reached.pid !== ready.pid) return;
    process.kill(ready.pid, 'SIGTERM');
    const deadline = performance.now() + patienceMs;
    while ((await reach(ready, key)) !== 'absent' && performance.now() < deadline)
      await pause(pollMs);
  }

  #watch(connecting: Promise<Running>, running: Running): void {
    void running.hold.lost.then(async () => {
      this.#offered.stopAll();
      if (this.#running !== connecting) return;
      this.#running = undefined;
      const { t } = this.#parts;
      const now = Date.now();
      this.#crashes.push(now);
      const recent = this.#crashes.filter((time) => now - time < crashWindowMs).length;
      this.#parts.log.warn(`The local service of process ${running.ready.pid} has ended.`);
      try {
        if (recent > crashesAllowed) {
          throw new ServerError(t('The local service ended {0} times within a minute.', recent), {
            hint: t('See the log, then restart the local service.'),
          });
        }
        this.#parts.onReplaced(await this.access());
      } catch (error) {
        if (!this.#own.isDisposed) this.#parts.onGivenUp(error);
      }
    });
  }

  #follow(): void {
    this.#follower?.dispose();
    this.#follower = followLog(this.folder.logFile, this.#parts.log);
  }

  #foreign(): AuthenticationError {
    const { t } = this.#parts;
    return new AuthenticationError(
      t('The running local service does not accept the key of its folder.'),
      { hint: t('End it, then try again. The folder is {0}.', this.folder.path) },
    );
  }
}
