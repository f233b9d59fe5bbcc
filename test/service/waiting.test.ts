import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { waitsDuring } from '../support/pinger.ts';
import { tablesPath } from './support/api.ts';
import { firstKey, RunningService } from './support/running-service.ts';

/** Bytes. How long others wait, the bench `waiting` measures. */
const SIZE = 4 * 2 ** 20;
/**
 * Who asks one thing after the other gets so many answers meanwhile, on a slow machine too: of work
 * that lets nobody have a turn it would be one or two. A quick machine may be done before.
 */
const LEAST_ANSWERS = 8;
const USUAL_MS = 250;

const line = 'some text of a few words, as it stands in many cells of a sheet';
const rows = Array.from(
  { length: Math.ceil(SIZE / (3 * line.length + 15)) },
  (_, row) => `"${String(row)} ${line}","${line}","${line}"`,
);
const csv = `a,b,c\n${rows.join('\n')}\n`;

describe('Other requests, on SQLite', function () {
  this.timeout(240_000);
  let service: RunningService;
  before(async () => {
    service = await RunningService.start();
  });
  after(() => service.stop());

  /** What others wait at most while the work is under way. */
  const beside = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    const target = { url: service.ready.url!, key: firstKey, path: `${tablesPath}?limit=1` };
    const { waits, result, tookMs } = await waitsDuring(target, work);
    // Nor does anybody wait for most of the work, however long a busy machine makes all of it.
    const isServed = waits.count >= LEAST_ANSWERS || waits.max < Math.max(USUAL_MS, tookMs / 2);
    assert.ok(isServed, `${what}, ${String(tookMs)} ms: ${JSON.stringify(waits)}`);
    return result;
  };

  it('are answered while a large file is sent, which is never held in memory', async () => {
    const { api, child } = service;
    const body = {
      source: {
        type: 'file',
        file_name: 'large.csv',
        file_content_base64: Buffer.from(csv.repeat(10).replaceAll('\na,b,c', '')).toString(
          'base64',
        ),
      },
    };
    const raw = Buffer.from(JSON.stringify(body));
    const { table } = await api.expect(201, 'POST', tablesPath, { create_default_sheet: false });
    const memoryMb = (field: string): number => {
      const status = readFileSync(`/proc/${String(child.pid)}/status`, 'utf8');
      return Number(new RegExp(`${field}:\\s*(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
    };
    const isLinux = process.platform === 'linux';
    const idle = isLinux ? memoryMb('VmRSS') : 0;
    const path = `${tablesPath}/${table.id}/sheets`;
    const started = await beside('upload', () => api.call('POST', path, undefined, { raw }));
    assert.equal(started.status, 202, started.text);
    if (isLinux) {
      const more = memoryMb('VmHWM') - idle;
      assert.ok(more < 150, `${String(more)} MB for a body of ${String(raw.length / 2 ** 20)} MB`);
    }
    // Its rows are not needed here.
    await api.expect(200, 'DELETE', started.body.status_url);
  });

  it('are answered while a sheet is imported, exported, saved and restored', async () => {
    const { api } = service;
    const sheet = await beside('import', () => api.sheetOf(csv, 'data.csv', 120_000));
    for (const format of ['csv', 'jsonl', 'json', 'parquet']) {
      const url = `${service.ready.url!}${sheet.path}/export?format=${format}`;
      const size = await beside(format, async () => {
        const answer = await fetch(url, { headers: { 'x-api-key': firstKey } });
        return (await answer.arrayBuffer()).byteLength;
      });
      assert.ok(size > SIZE / 100, `${format}: ${String(size)} bytes`);
    }
    const versions = `${sheet.path}/versions`;
    const { version } = await beside('version', () =>
      api.expect(201, 'POST', versions, { name: 'one' }),
    );
    await api.expect(201, 'POST', `${sheet.path}/rows`, { count: 1 });
    await beside('restore', () =>
      api.expect(201, 'POST', versions, { source_version_id: version.id }),
    );
  });

  it('are answered while a page of large values is sent, which is whole', async () => {
    const { api } = service;
    const values = Array.from({ length: 50 }, (_, row) => `${String(row)}🙂`.repeat(12_000));
    const large = await api.sheetOf(`a\n${values.join('\n')}`, 'values.csv', 120_000);
    const page = await beside('page', () => api.get(`${large.path}/rows?limit=100`));
    const cells = page.data.map(({ cells: own }) => own[large.columnId]?.value);
    assert.deepEqual(cells, values);
  });

  it('are answered while 10 MB of spans are stored, which are whole', async () => {
    const { api } = service;
    const traceId = 'a1'.repeat(16);
    const text = 'word '.repeat(2000);
    const spans = Array.from({ length: 1000 }, (_, index) => ({
      traceId,
      spanId: (index + 1).toString(16).padStart(16, '0'),
      name: `span ${String(index)}`,
      startTimeUnixNano: String(1_760_000_000_000_000_000n + BigInt(index)),
      attributes: [{ key: 'text', value: { stringValue: `${String(index)} ${text}` } }],
    }));
    const raw = Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
    const sent = await beside('spans', () => api.call('POST', '/v1/traces', undefined, { raw }));
    assert.equal(sent.status, 200, sent.text);
    assert.match(sent.text, /"partialSuccess":null/);
    const trace = await api.call('GET', `/api/public/v2/traces/${traceId}`);
    assert.equal(trace.status, 200, trace.text.slice(0, 300));
    const kept = (JSON.parse(trace.text) as { spans: { attributes: { text: string } }[] }).spans;
    assert.equal(kept.length, spans.length);
    assert.equal(new Set(kept.map(({ attributes }) => attributes.text)).size, spans.length);
  });

  it('are answered while one cell of nearly 10 MB is written and read', async () => {
    const { api } = service;
    const sheet = await api.sheetOf('a\nx');
    const { data } = await api.get(`${sheet.path}/rows`);
    const id = String(data[0]?.cells[sheet.columnId]?.id);
    const value = 'ein "Wort", '.repeat(600_000);
    const raw = Buffer.from(JSON.stringify({ value }));
    const path = `${sheet.path}/cells/${id}`;
    const written = await beside('write', () => api.call('PATCH', path, undefined, { raw }));
    assert.equal(written.status, 200, written.text.slice(0, 300));
    const read = await beside('read', () => api.get(path));
    assert.equal(read.cell.value, value);
    const page = await beside('row', () => api.get(`${sheet.path}/rows`));
    assert.equal(page.data[0]?.cells[sheet.columnId]?.value, value);
    // Only whoever knows all of it may replace it.
    for (const [expected, outcome] of [
      [`${value.slice(0, -1)}!`, 'differs'],
      [value, 'written'],
    ] as const) {
      const cells = [{ column_id: sheet.columnId, row_index: 0, value: 'short', expected }];
      const sent = Buffer.from(JSON.stringify({ cells }));
      const compared = await beside('compare', () =>
        api.call('PATCH', `${sheet.path}/cells`, undefined, { raw: sent }),
      );
      const { results } = JSON.parse(compared.text) as { results: { outcome: string }[] };
      assert.equal(results[0]?.outcome, outcome, compared.text.slice(0, 300));
    }
  });
});
