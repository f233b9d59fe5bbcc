import { Client } from 'undici';
import type { OwnDatabase } from '../../support/postgres.ts';
import { Api } from './api.ts';
import { RunningService } from './running-service.ts';

/** More than there are suites; each has two. */
const KEYS = 120;

/** What a suite sees of a service that it shares. */
export interface SharedService {
  readonly url: string;
  readonly key: string;
  readonly otherKey: string;
  readonly api: Api;
  /** The service as another workspace sees it. */
  readonly other: Api;
  /** What it has logged, for all suites. */
  readonly log: string;
  readonly withKey: (key: string) => Api;
  readonly leave: () => Promise<void>;
}

/** A service with many keys, started by the first suite that asks: starting costs more than most tests. */
export class ServiceForMany {
  readonly #newDatabase: (() => Promise<OwnDatabase>) | undefined;
  readonly #keys = Array.from({ length: KEYS }, (_none, index) => `shared-key-${String(index)}`);
  #running: Promise<{ service: RunningService; database: OwnDatabase | undefined }> | undefined;

  constructor(newDatabase?: () => Promise<OwnDatabase>) {
    this.#newDatabase = newDatabase;
  }

  async share(): Promise<SharedService> {
    const { service } = await (this.#running ??= this.#start(this.#keys.join(',')));
    const [key, otherKey] = this.#keys.splice(0, 2);
    if (key === undefined || otherKey === undefined) throw new Error('Raise KEYS in this file.');
    const url = service.ready.url!;
    const client = new Client(url);
    return {
      url,
      key,
      otherKey,
      api: new Api(client, key),
      other: new Api(client, otherKey),
      get log() {
        return service.log;
      },
      withKey: (name) => new Api(client, name),
      leave: () => client.destroy(),
    };
  }

  async stop(): Promise<void> {
    const running = await this.#running;
    await running?.service.stop();
    await running?.database?.drop();
  }

  async #start(keys: string) {
    const database = await this.#newDatabase?.();
    const service = await RunningService.start({
      databaseUrl: database?.url,
      environment: { PROMPT_TABLES_API_KEY: keys },
    });
    return { service, database };
  }
}
