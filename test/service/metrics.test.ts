import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, request } from 'undici';
import { onEachBackend } from './support/backends.ts';
import {
  firstKey,
  RunningService,
  spawnService,
  newFolder,
  ended,
} from './support/running-service.ts';
import type { Api, SheetPlace } from './support/api.ts';
import { until } from '../support/until.ts';

type Ready = RunningService['ready'] & { readonly metricsUrl?: string };
const metricsUrl = ({ ready }: RunningService): string => (ready as Ready).metricsUrl!;

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The text format of Prometheus; fails for a line that is none of it. */
function samplesIn(text: string): Sample[] {
  const described = new Set<string>();
  return text.split('\n').flatMap((line) => {
    const help = /^# HELP (\S+) /.exec(line);
    if (help) {
      assert.ok(!described.has(help[1]!), `${help[1]!} is described twice`);
      described.add(help[1]!);
    }
    if (line === '' || line.startsWith('#')) return [];
    const match = /^([a-zA-Z_:]\w*)(?:\{(.*)\})? (\S+)$/.exec(line);
    assert.ok(match, `not a sample: ${line}`);
    const labels = [...(match[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    return {
      name: match[1]!,
      labels: Object.fromEntries(labels.map(([, name, value]) => [name!, value!])),
      value: Number(match[3]),
    };
  });
}

async function read(url: string): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await request(url);
  return { status: statusCode, text: await body.text() };
}

async function computed(api: Api, rowCount: number): Promise<SheetPlace> {
  const sheet = await api.sheetOf(`a\n${'text\n'.repeat(rowCount)}`);
  await api.expect(201, 'POST', `${sheet.path}/columns`, {
    title: 'Length',
    type: 'COUNT',
    config: { source: 'a', type: 'chars' },
  });
  const { operation_id: id } = await api.expect(202, 'POST', `${sheet.path}/operations`, {});
  await until(
    'the cells are computed',
    async () => (await api.get(`${sheet.path}/operations/${id}`)).operation.status === 'completed',
  );
  return sheet;
}

onEachBackend('Metrics', (backend) => {
  let service: RunningService;
  let sheet: SheetPlace;

  before(async function () {
    this.timeout(60_000);
    service = await backend.start({ args: ['--port', '0', '--metrics-port', '0'] });
    sheet = await computed(service.api, 40);
    await service.api.call('GET', '/nowhere/at/all');
  });

  it('count requests by path and status, cells by type, claims, and what waits', async () => {
    const { status, text } = await read(`${metricsUrl(service)}/metrics`);
    assert.equal(status, 200);
    const samples = samplesIn(text);
    const sum = (name: string, labels: Readonly<Record<string, string>> = {}): number =>
      samples
        .filter((one) => one.name === name)
        .filter((one) => Object.entries(labels).every(([key, value]) => one.labels[key] === value))
        .reduce((total, { value }) => total + value, 0);
    const requests = 'prompt_tables_request_duration_seconds_count';
    const operations = '/api/public/v2/tables/{table_id}/sheets/{sheet_id}/operations';
    assert.equal(sum(requests, { method: 'POST', route: operations, status: '202' }), 1);
    assert.ok(sum(requests, { route: 'other', status: '404' }) >= 1);
    const cells = { type: 'COUNT', status: 'completed', thread: 'worker' };
    assert.equal(sum('prompt_tables_cells_total', cells), 40);
    assert.ok(sum('prompt_tables_claims_total') >= 1);
    assert.equal(sum('prompt_tables_claimed_rows_total'), 40);
    assert.equal(sum('prompt_tables_queued_cells'), 0);
    assert.equal(sum('prompt_tables_operations'), 0);
    assert.ok(samples.some(({ name }) => name === 'prompt_tables_database_connections'));
    for (const thread of ['service', 'worker']) {
      const delay = { thread, quantile: '0.99' };
      assert.ok(sum('prompt_tables_event_loop_delay_seconds', delay) >= 0);
    }
    assert.ok(sum('process_resident_memory_bytes') > 1e6);
    // Nothing of what callers have put there.
    assert.ok(
      !text.includes(sheet.sheetId) && !text.includes(firstKey) && !text.includes('nowhere'),
    );
  });

  it('come with a health that needs no key, and with nothing else', async () => {
    const health = await read(`${metricsUrl(service)}/healthz`);
    assert.equal(health.status, 200);
    assert.equal((JSON.parse(health.text) as { ok: boolean }).ok, true);
    assert.equal((await read(`${metricsUrl(service)}/api/public/v2/tables`)).status, 404);
  });

  it('are not for web pages that point a name at this machine', async () => {
    const client = new Client(metricsUrl(service));
    for (const headers of [{ host: 'evil.example' }, { origin: 'https://evil.example' }]) {
      const refused = await client.request({ method: 'GET', path: '/metrics', headers });
      assert.equal(refused.statusCode, 403);
      await refused.body.dump();
    }
    await client.destroy();
  });

  if (backend.name === 'SQLite') {
    it('are off unless they are asked for', async () => {
      const quiet = await backend.start();
      assert.equal((quiet.ready as Ready).metricsUrl, undefined);
    });
    return;
  }

  it('come from a process that only computes, too', async function () {
    this.timeout(30_000);
    const child = spawnService(newFolder(), {
      args: ['--worker', '--metrics-port', '0'],
      databaseUrl: backend.databaseUrl(),
    });
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    const { metricsUrl: url } = JSON.parse(line.toString()) as { metricsUrl: string };
    assert.equal((await read(`${url}/healthz`)).status, 200);
    assert.match((await read(`${url}/metrics`)).text, /^prompt_tables_claims_total\{/m);
    child.kill('SIGTERM');
    assert.equal((await ended(child)).code, 0);
  });
});

interface SpanJson {
  readonly name: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

interface TracesJson {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: SpanJson['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly SpanJson[] }[];
  }[];
}

describe('Traces', function () {
  this.timeout(30_000);
  let collector: Server;
  const received: TracesJson[] = [];
  const headers: IncomingHttpHeaders[] = [];

  before(async () => {
    collector = createServer((incoming, response) => {
      headers.push(incoming.headers);
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        assert.equal(incoming.url, '/v1/traces');
        received.push(JSON.parse(Buffer.concat(chunks).toString()) as TracesJson);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
  });
  after(() => {
    collector.closeAllConnections();
    collector.close();
  });

  it('go to the collector of the usual variables, and continue those of callers', async () => {
    const { port } = collector.address() as AddressInfo;
    const service = await RunningService.start({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${String(port)}`,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-token=abc',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
      },
    });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const sheet = await computed(service.api, 5);
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    await service.api.call('GET', `${sheet.path}/rows`, undefined, { headers: { traceparent } });
    assert.equal((await service.stop()).code, 0);
    const spans = received.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans: some }) => some)),
    );
    const continued = spans.find((span) => span.traceId === traceId);
    assert.ok(continued, 'the trace of the caller goes on');
    assert.equal(continued.parentSpanId, 'b7ad6b7169203331');
    const attributes = JSON.stringify(continued.attributes);
    assert.match(attributes, /"http\.route"/);
    assert.ok(!attributes.includes(sheet.sheetId));
    assert.ok(
      spans.some(({ name }) => name === 'compute rows'),
      'those of the worker thread too',
    );
    const resource = JSON.stringify(received[0]!.resourceSpans[0]!.resource);
    assert.match(resource, /"prompt-tables"/);
    assert.match(resource, /deployment\.environment/);
    assert.equal(headers[0]!['x-token'], 'abc');
  });
});
