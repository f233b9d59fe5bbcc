/**
 * Imports and calculations of scores that have stopped the service three times are not begun again.
 * The process is killed in the middle of the work, as by a crash; nothing is mocked.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { chatReply } from '../support/providers/chat.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import { timeLimit } from '../support/time-limit.ts';
import type { SheetPlace } from './support/api.ts';
import { tablesPath } from './support/api.ts';
import { onEachBackend, type Backend } from './support/backends.ts';
import { letLeasesRunOut } from './support/leases.ts';
import type { Loose } from './support/loose.ts';
import { newFolder, RunningService, type ServiceOptions } from './support/running-service.ts';
import { until } from '../support/until.ts';

const KILLS = 3;
const patiently = { limitMs: timeLimit(60_000) };

/** A connection of our own to the data of a service. */
interface Data {
  readonly run: (sql: string) => Promise<void>;
  readonly value: (sql: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

async function openData(backend: Backend, folder: string): Promise<Data> {
  const url = backend.databaseUrl();
  if (url === undefined) {
    const database = new DatabaseSync(path.join(folder, 'tables.db'), {
      timeout: timeLimit(10_000),
    });
    return {
      run: async (sql) => database.exec(sql),
      value: async (sql) => database.prepare(sql).get()?.['value'],
      close: async () => database.close(),
    };
  }
  const client = new pg.Client({ connectionString: url });
  // Tests drop the database while a session of a killed process may still be at it.
  client.on('error', () => undefined);
  await client.connect();
  return {
    run: async (sql) => void (await client.query(sql)),
    value: async (sql) => (await client.query(sql)).rows[0]?.value,
    close: () => client.end(),
  };
}

/** Rows that hold a certain word are never inserted: the database is at it for ever. */
const hangs = {
  SQLite: `create trigger hang before insert on cells when new.value like '%endless%' begin
    select (with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n); end`,
  PostgreSQL: `create function hang() returns trigger language plpgsql as
    $$ begin if new.value like '%endless%' then perform pg_sleep(600); end if; return new; end $$;
    create trigger hang before insert on cells for each row execute function hang()`,
} as const;

onEachBackend('What has stopped the service three times', (backend) => {
  /** Kills the service each time that the work was begun; answers the one that is left running. */
  async function killAtWork(
    first: RunningService,
    options: ServiceOptions,
    begun: (time: number, service: RunningService) => Promise<boolean | undefined>,
  ): Promise<RunningService> {
    let service = first;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await until(
        () => `the work is begun: ${service.log}`,
        () => begun(kill, service),
        patiently,
      );
      await service.kill('SIGKILL');
      await letLeasesRunOut(backend.databaseUrl());
      service = await RunningService.start({ ...options, databaseUrl: backend.databaseUrl() });
    }
    return service;
  }

  it('is set aside when it is an import, which says so; others go on', async function () {
    this.timeout(400_000);
    const folder = newFolder();
    let service = await backend.start({ folder });
    const data = await openData(backend, folder);
    try {
      await data.run(hangs[backend.name]);
      const { table } = await service.api.expect(201, 'POST', tablesPath, {
        create_default_sheet: false,
      });
      const fileOf = (text: string, name: string): object => ({
        source: {
          type: 'file',
          file_name: name,
          file_content_base64: Buffer.from(text).toString('base64'),
        },
      });
      const { api } = service;
      const file = fileOf('a\nquick\nendless\n', 'endless.csv');
      // On SQLite the thread that would answer may be at the row by then.
      api.call('POST', `${tablesPath}/${table.id}/sheets`, file).catch(() => undefined);
      service = await killAtWork(service, { folder }, async (time) => {
        const attempts = await data.value('select max(attempts) as value from imports');
        return Number(attempts) === time;
      });
      const operation = await data.value('select operation_id as value from imports');
      const statusUrl = `${tablesPath}/${table.id}/sheets/operations/${String(operation)}`;
      const failed = await service.api.finished(statusUrl, patiently.limitMs);
      assert.match(
        failed.error_message,
        /^It stopped the service 3 times\. Check the file, then import it in smaller parts\./,
      );
      assert.equal(failed.rows_added, 0);
      const { data: sheets } = await service.api.get(`${tablesPath}/${table.id}/sheets`);
      const { data: rows } = await service.api.get(
        `${tablesPath}/${table.id}/sheets/${String(sheets[0]?.id)}/rows`,
      );
      assert.deepEqual(rows, []);
      // What the tree shows at the sheet.
      const [problem] = (sheets[0] as Loose).problems;
      assert.deepEqual(problem, { kind: 'import', message: failed.error_message });
      const other: SheetPlace = await service.api.sheetOf('a\nquick\n');
      assert.equal((await service.api.get(`${other.path}/rows`)).data.length, 1);
    } finally {
      await service.stop();
      await data.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('is set aside when it is the calculation of a score, which says so; others go on', async function () {
    this.timeout(400_000);
    const folder = newFolder();
    let isEndless = true;
    const provider = await startFakeProvider(async () => {
      if (isEndless) await pause(100_000, undefined, { ref: false });
      return { body: chatReply('{"verdict": true, "result": true, "reason": "It is."}') };
    });
    const environment = { OPENAI_API_KEY: 'sk-canary', OPENAI_BASE_URL: `${provider.url}/v1` };
    const options = {
      folder,
      environment: { ...environment, PROMPT_TABLES_MODEL: 'openai/gpt-4o-mini' },
    };
    let service = await backend.start(options);
    try {
      const place = await service.api.sheetOf('answer\none\ntwo\n');
      const { data } = await service.api.get(`${place.path}/columns`);
      await service.api.expect(200, 'PATCH', `${place.path}/scorecard`, {
        name: 'endless',
        aggregation: {},
        steps: [
          {
            title: 'is a word',
            primitive_type: 'LLM_ASSERTION',
            source_column_ids: [data[0]?.id],
            primitive_config: { prompt: 'It is a word.' },
          },
        ],
      });
      const calculate = async (): Promise<string> => {
        const answer: Loose = await service.api.expect(
          202,
          'POST',
          `${place.path}/scorecard/recalculate`,
          {},
        );
        return answer.calculation_id;
      };
      const ended = (id: string): Promise<Loose> =>
        until(
          () => `the calculation has ended: ${service.log}`,
          async (): Promise<Loose> => {
            const { calculation }: Loose = await service.api.get(
              `${place.path}/scorecard/calculations/${id}`,
            );
            return ['queued', 'running'].includes(calculation.status) ? undefined : calculation;
          },
          patiently,
        );
      const id = await calculate();
      let asked = 0;
      service = await killAtWork(service, options, async () => {
        // Both rows are asked about at once.
        if (provider.requests.length < asked + 2) return undefined;
        asked = provider.requests.length;
        return true;
      });
      const failed = await ended(id);
      assert.equal(failed.status, 'failed');
      assert.match(
        failed.error_summary,
        /^It stopped the service 3 times\. Check its steps and the values of the rows/,
      );
      assert.equal(provider.requests.length, asked, 'It was not begun again.');
      const problemsNow = async (): Promise<Loose> => {
        const table = `${tablesPath}/${place.tableId}`;
        const { data: sheets } = await service.api.get(`${table}/sheets`);
        return (sheets[0] as Loose).problems;
      };
      assert.deepEqual(await problemsNow(), [{ kind: 'score', message: failed.error_summary }]);
      isEndless = false;
      assert.equal((await ended(await calculate())).status, 'completed');
      assert.equal(await problemsNow(), undefined);
    } finally {
      await service.stop();
      await provider.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
