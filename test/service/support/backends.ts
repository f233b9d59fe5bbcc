import type { OwnDatabase } from '../../support/postgres.ts';
import { newPostgresDatabase } from '../../support/postgres.ts';
import type { ServiceOptions } from './running-service.ts';
import { RunningService } from './running-service.ts';
import type { SharedService } from './shared-service.ts';
import { ServiceForMany } from './shared-service.ts';

export interface Backend {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** A service on data of its own, stopped after the suite. */
  readonly start: (options?: ServiceOptions) => Promise<RunningService>;
  /** Two workspaces of the suite's own, in a service that other suites have workspaces in too. */
  readonly share: () => Promise<SharedService>;
  /** What a second process needs to work on the same data as those of `start`. */
  readonly databaseUrl: () => string | undefined;
}

const sharedOnSqlite = new ServiceForMany();
const sharedOnPostgres = new ServiceForMany(() => newPostgresDatabase({ hasSchema: true }));

// After all suites: this file is loaded outside of any.
after(async function () {
  this.timeout(60_000);
  await sharedOnSqlite.stop();
  await sharedOnPostgres.stop();
});

/** One suite on both databases. Without a PostgreSQL its half fails: it must not be forgotten. */
export function onEachBackend(title: string, suite: (backend: Backend) => void): void {
  onSqlite(title, suite);
  onPostgres(title, suite);
}

/**
 * Only there: what a suite asks of the store is what others ask of both databases, as that of each of
 * the column types does.
 */
export function onSqlite(title: string, suite: (backend: Backend) => void): void {
  describe(`${title}, on SQLite`, () => {
    const stops: (() => Promise<unknown>)[] = [];
    after(() => Promise.all(stops.map((stop) => stop())));
    suite({
      name: 'SQLite',
      databaseUrl: () => undefined,
      start: async (options) => {
        const service = await RunningService.start(options);
        stops.push(() => service.stop());
        return service;
      },
      share: async () => {
        const service = await sharedOnSqlite.share();
        stops.push(service.leave);
        return service;
      },
    });
  });
}

function onPostgres(title: string, suite: (backend: Backend) => void): void {
  describe(`${title}, on PostgreSQL`, () => {
    const stops: (() => Promise<unknown>)[] = [];
    let database: OwnDatabase | undefined;
    after(async function () {
      this.timeout(60_000);
      await Promise.all(stops.map((stop) => stop()));
      await database?.drop();
    });
    suite({
      name: 'PostgreSQL',
      databaseUrl: () => database?.url,
      start: async (options) => {
        database ??= await newPostgresDatabase({ hasSchema: true });
        const service = await RunningService.start({ ...options, databaseUrl: database.url });
        stops.push(() => service.stop());
        return service;
      },
      share: async () => {
        const service = await sharedOnPostgres.share();
        stops.push(service.leave);
        return service;
      },
    });
  });
}
