/** Databases for tests, on the server that scripts/test.mjs started, else on one of this process. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { startPostgres } from '../../scripts/postgres.mjs';
import { openDatabase } from '../../src/service/store/database.ts';
import { migrate } from '../../src/service/store/migrate.ts';

interface Server {
  readonly url: string;
  readonly stop: () => Promise<void>;
  /** A database to copy, with the newest schema: the migrations take ten times as long. */
  template?: Promise<string>;
}

export interface OwnDatabase {
  readonly url: string;
  /** The last one takes a server of this process with it. */
  readonly drop: () => Promise<void>;
}

let server: Promise<Server> | undefined;
let users = 0;

function startServer(): Promise<Server> {
  const url = process.env['PROMPT_TABLES_TEST_POSTGRES'];
  return url === undefined
    ? startPostgres()
    : Promise.resolve({ url, stop: async () => undefined });
}

/** Empty; with `hasSchema`, as a service leaves it that has only started. */
export async function newPostgresDatabase({ hasSchema = false } = {}): Promise<OwnDatabase> {
  users += 1;
  const running = await (server ??= startServer());
  const name = newName('test');
  const from = hasSchema ? await (running.template ??= makeTemplate(running.url)) : 'template1';
  await administer(running.url, `create database ${name} template ${from}`);
  return {
    url: databaseAt(running.url, name),
    drop: async () => {
      await administer(running.url, `drop database ${name} with (force)`);
      users -= 1;
      if (users > 0) return;
      server = undefined;
      await running.stop();
    },
  };
}

async function makeTemplate(url: string): Promise<string> {
  const name = newName('template');
  await administer(url, `create database ${name}`);
  const database = await openDatabase({ kind: 'postgres', url: databaseAt(url, name) });
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
  return name;
}

const newName = (kind: string): string => `${kind}_${randomBytes(6).toString('hex')}`;

function databaseAt(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
