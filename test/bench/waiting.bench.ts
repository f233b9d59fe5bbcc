/** What small requests wait while the local service (SQLite) does something large beside them. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import type { Api, Json, SheetPlace } from '../service/support/api.ts';
import { tablesPath } from '../service/support/api.ts';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import { serviceEntry } from '../support/service-entry.ts';
import { waitsDuring, type Waits } from '../support/pinger.ts';
import type { Figure } from './figure.ts';
import { ofLargeRequests } from './waiting-large.ts';

export const name = 'Waiting';

/** Bytes of the file; less than the whole for a first look. */
const MEGABYTES = Number(process.env['PT_BENCH_MB'] ?? 95);
const MOST_P99_MS = 100;
const MOST_UPLOAD_MB = 300;
const LINE = 'some text of a few words, as it stands in many cells of a sheet';

const limited = (metric: string, value: number, unit: string, limit: number): Figure => ({
  metric,
  value,
  unit,
  limit,
  pass: value <= limit,
});

function csvOf(megabytes: number): string {
  const lines = ['a,b,c'];
  let size = 0;
  for (let row = 0; size < megabytes * 2 ** 20; row += 1) {
    const line = `"${String(row)} ${LINE}","${LINE}","${LINE}"`;
    lines.push(line);
    size += line.length;
  }
  return lines.join('\n');
}

function jsonOf(megabytes: number): string {
  const items: string[] = [];
  let size = 0;
  for (let row = 0; size < megabytes * 2 ** 20; row += 1) {
    const item = `{"n":${String(row)},"a":"${LINE}","b":"${LINE}","c":{"d":[1,2.50,"${LINE}"]}}`;
    items.push(item);
    size += item.length;
  }
  return `[${items.join(',\n')}]`;
}

const memoryMb = (pid: number, field: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s*(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
};

class Bench {
  readonly figures: Figure[] = [];
  readonly #service: RunningService;
  readonly #api: Api;
  readonly #client: Client;
  constructor(service: RunningService) {
    this.#service = service;
    this.#api = service.api;
    this.#client = new Client(service.ready.url!, { bodyTimeout: 0, headersTimeout: 0 });
  }

  async during<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    const url = this.#service.ready.url!;
    const target = { url, key: firstKey, path: `${tablesPath}?limit=1` };
    const { waits, result, tookMs } = await waitsDuring(target, work);
    this.#add(what, waits, tookMs);
    return result;
  }

  #add(what: string, { p50, p99, max, count }: Waits, tookMs: number): void {
    this.figures.push(
      { metric: `${what}: it takes`, value: tookMs / 1000, unit: 's' },
      { metric: `${what}: others wait, p50 of ${String(count)}`, value: p50, unit: 'ms' },
      limited(`${what}: others wait, p99`, p99, 'ms', MOST_P99_MS),
      { metric: `${what}: others wait, longest`, value: max, unit: 'ms' },
    );
  }

  /** Reads a large answer and keeps nothing of it; answers how long it is. */
  async swallow(method: 'GET' | 'POST', path: string, body?: object): Promise<number> {
    const answer = await this.#client.request({
      method,
      path,
      headers: { 'x-api-key': firstKey, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    let size = 0;
    for await (const piece of answer.body) size += (piece as Buffer).byteLength;
    if (answer.statusCode >= 300) throw new Error(`${path}: ${String(answer.statusCode)}`);
    return size;
  }

  /** Sends a file; answers the import, whose rows follow. */
  async upload(text: string, fileName: string): Promise<Json> {
    const { table } = await this.#api.expect(201, 'POST', tablesPath, {
      create_default_sheet: false,
    });
    const body = `{"source":{"type":"file","file_name":"${fileName}","file_content_base64":"${Buffer.from(text).toString('base64')}"}}`;
    const bytes = Buffer.from(body);
    const pid = this.#service.child.pid!;
    const idle = memoryMb(pid, 'VmRSS');
    writeFileSync(`/proc/${String(pid)}/clear_refs`, '5');
    const started = await this.during(`upload of ${fileName}`, () =>
      this.#api.call('POST', `${tablesPath}/${table.id}/sheets`, undefined, { raw: bytes }),
    );
    if (started.status !== 202) throw new Error(started.text.slice(0, 300));
    this.figures.push(
      limited(
        `upload of ${fileName}: memory above idle`,
        memoryMb(pid, 'VmHWM') - idle,
        'MB',
        MOST_UPLOAD_MB,
      ),
    );
    return started.body;
  }

  async import(text: string, fileName: string): Promise<SheetPlace> {
    const started = await this.upload(text, fileName);
    await this.during(`import of ${fileName}`, async () => {
      const state = await this.#api.finished(started.status_url, 600_000);
      if (state.status !== 'completed') throw new Error(JSON.stringify(state));
    });
    const tableId = /tables\/([^/]+)\//.exec(started.status_url)?.[1] ?? '';
    const path = `${tablesPath}/${tableId}/sheets/${started.sheet.id}`;
    return { tableId, sheetId: started.sheet.id, path, columnId: '' };
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

export async function run(): Promise<Figure[]> {
  const service = await RunningService.start();
  const bench = new Bench(service);
  const { api } = service;
  try {
    await bench.during('nothing else', () => pause(3000));
    const sheet = await bench.import(csvOf(MEGABYTES), 'large.csv');
    for (const format of ['csv', 'jsonl', 'json', 'parquet']) {
      await bench.during(`export as ${format}`, () =>
        bench.swallow('GET', `${sheet.path}/export?format=${format}`),
      );
    }
    const backup = path.join(tmpdir(), `pt-bench-${String(process.pid)}.backup`);
    await bench.during('backup', async () => {
      const { spawn } = await import('node:child_process');
      const child = spawn(
        process.execPath,
        [serviceEntry, 'backup', '--data', service.folder, '--to', backup],
        { stdio: 'ignore' },
      );
      await new Promise((resolve) => child.once('exit', resolve));
    });
    rmSync(backup, { force: true });
    const version = await bench.during('saving a version', () =>
      api.expect(201, 'POST', `${sheet.path}/versions`, { name: 'one' }),
    );
    await bench.during('export of a version', () =>
      bench.swallow('GET', `${sheet.path}/export?format=csv&version_id=${version.version.id}`),
    );
    await api.expect(201, 'POST', `${sheet.path}/rows`, { count: 1 });
    await bench.during('restoring a version', () =>
      bench.swallow('POST', `${sheet.path}/versions`, { source_version_id: version.version.id }),
    );
    await bench.during('deleting the sheet', () => api.expect(200, 'DELETE', sheet.path));
    await bench.import(jsonOf(MEGABYTES / 3), 'large.json');
    const wide = Array.from({ length: 100 }, () => `"${'x'.repeat(MEGABYTES * 10_000)}"`);
    const values = await bench.import(`a\n${wide.join('\n')}`, 'values.csv');
    await bench.during('a page of large values', () =>
      bench.swallow('GET', `${values.path}/rows?limit=100`),
    );
    await ofLargeRequests(service, (what, work) => bench.during(what, work));
    return bench.figures;
  } finally {
    await bench.close();
    await service.stop();
  }
}
