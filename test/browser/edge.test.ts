import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, newContext } from '../support/host/browser.ts';
import type { FakeProvider, ProviderRequestSeen } from '../support/providers/fake-provider.ts';
import { sse, startFakeProvider } from '../support/providers/fake-provider.ts';
import { chatTemplate } from '../support/providers/fake-service.ts';
import type { FakeWorkflows } from '../support/workflows/fake-workflows.ts';
import { startFakeWorkflows } from '../support/workflows/fake-workflows.ts';
import type { EdgeServers } from './support/edge-worker.ts';

const dist = path.resolve('dist');

/** The worker alone: the SDK is the built one, loaded piece by piece from dist. */
function bundleWorker(): string {
  const { outputFiles } = esbuild.buildSync({
    entryPoints: [path.resolve('test/browser/support/edge-worker.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    external: ['*/core/edge.ts'],
  });
  return (outputFiles[0]?.text ?? '').replace(
    /(["'])[^"']*core\/edge\.ts\1/,
    '"/dist/core.edge.mjs"',
  );
}

async function startPages(): Promise<{ url: string; close(): Promise<void> }> {
  if (!fs.existsSync(path.join(dist, 'core.edge.mjs')))
    throw new Error('dist/core.edge.mjs is missing: run node esbuild.mjs first.');
  const worker = bundleWorker();
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page');
    const send = (type: string, body: string | Buffer): void => {
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    };
    if (pathname === '/') send('text/html', '<!doctype html><title>Edge</title>');
    else if (pathname === '/worker.mjs') send('text/javascript', worker);
    else if (/^\/dist\/core[\w./-]+\.mjs$/.test(pathname) && !pathname.includes('..'))
      send('text/javascript', fs.readFileSync(path.join(dist, pathname.slice('/dist/'.length))));
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const chunk = (delta: object, finish: string | null = null): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'gpt-test',
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
});
const whole = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-test',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
};

const endless = chatTemplate({ kwargs: { model: 'endless', messages: [] } });
const cached = chatTemplate({
  prompt_template: {
    type: 'chat',
    messages: [
      {
        role: 'user',
        input_variables: ['name'],
        template_format: 'f-string',
        content: [{ type: 'text', text: 'Hello {name}.' }],
      },
    ],
    input_variables: ['name'],
  },
});
const templates: Readonly<Record<string, object>> = {
  greeting: chatTemplate(),
  whole: chatTemplate(),
  endless,
  cached,
};

const exact = '12345678901234567890.5';
const rows = `{"data":[{"row_index":0,"cells":{"k":{"id":"c","column_id":"k","row_index":0,"status":"completed","value":${exact}}}}],"next_cursor":null,"has_more":false,"columns":[],"version":1}`;

describe('the core in a web worker of Chromium', () => {
  let browser: Browser;
  let page: Page;
  let pages: Awaited<ReturnType<typeof startPages>>;
  let provider: FakeProvider;
  let service: FakeProvider;
  let elsewhere: FakeProvider;
  let workflows: FakeWorkflows;
  let servers: EdgeServers;
  const faults: string[] = [];

  before(async function () {
    this.timeout(120_000);
    provider = await startFakeProvider(({ json }) => {
      if (json['model'] === 'endless')
        return { pieces: [sse([chunk({ role: 'assistant', content: 'a' })])], then: 'hang' };
      if (json['stream'] !== true) return { body: whole };
      return {
        pieces: [
          sse([chunk({ role: 'assistant', content: 'Hél' })]),
          sse([chunk({ content: 'lo.' }), chunk({}, 'stop')], { done: true }),
        ],
      };
    });
    elsewhere = await startFakeProvider(() => ({ body: {} }));
    service = await startFakeProvider(answerService);
    workflows = await startFakeWorkflows({
      subscribed: (subscriber) => subscriber.complete({ final_output: { from: 'channel' } }),
    });
    const gone = await startFakeProvider(() => ({}));
    await gone.close();
    servers = {
      service: service.url,
      provider: provider.url,
      workflows: workflows.url,
      elsewhere: gone.url,
    };
    pages = await startPages();
    browser = await launchBrowser();
    const { context } = await newContext(browser);
    page = await context.newPage();
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(pages.url);
  });
  after(async () => {
    await browser.close();
    await Promise.all([pages, provider, service, elsewhere, workflows].map((one) => one.close()));
  });

  function answerService({ method, path: asked }: ProviderRequestSeen) {
    const [, first, name = ''] = asked.split('/');
    if (first === 'api' && method === 'GET') return { body: rows };
    if (first === 'api') {
      const operation = { operation_id: 'imported', status: 'queued' };
      return { body: { success: true, ...operation, operation }, status: 202 };
    }
    if (first === 'track-request') {
      return { body: { request_id: 77, prompt_blueprint: { prompt_template: {}, logged: true } } };
    }
    if (name === 'hangs') return { pieces: [], then: 'hang' as const };
    if (name === 'redirects') return { status: 302, headers: { location: `${elsewhere.url}/x` } };
    const template = templates[name];
    return template === undefined
      ? { status: 404, body: { message: 'There is no such template.' } }
      : { body: template };
  }

  const inWorker = (name: string): Promise<unknown> =>
    page.evaluate(
      (message) =>
        new Promise((resolve, reject) => {
          const worker = new Worker('/worker.mjs', { type: 'module' });
          worker.onerror = ({ message: text }) => reject(new Error(`the worker failed: ${text}`));
          worker.onmessage = ({ data }: MessageEvent<{ result: unknown; failure?: string }>) => {
            worker.terminate();
            if (data.failure === undefined) resolve(data.result);
            else reject(new Error(data.failure));
          };
          worker.postMessage(message);
        }),
      { name, servers },
    );

  it('holds nothing of Node', () => {
    const files = fs
      .readdirSync(path.join(dist, 'core', 'edge'))
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => path.join(dist, 'core', 'edge', name));
    for (const file of [path.join(dist, 'core.edge.mjs'), ...files]) {
      const text = fs.readFileSync(file, 'utf8');
      assert.doesNotMatch(text, /["']node:|\brequire\(["']|\bBuffer\.(?:from|alloc)/, file);
    }
  });

  it('reads a page of rows, exact numbers included', async () => {
    assert.equal(await inWorker('rows'), exact);
  });

  it('uploads a file', async () => {
    const begun = service.requests.length;
    assert.equal(await inWorker('upload'), 'imported');
    const { file_content_base64: content } = service.requests[begun]?.json ?? {};
    const text = Buffer.from(String(content), 'base64').toString('utf8');
    assert.equal(text, 'word\nHallo Wörld\n'.repeat(2_000));
  });

  it('renders a cached template, fetched once', async () => {
    const begun = service.requests.length;
    assert.deepEqual(await inWorker('cachedTemplate'), [
      'Hello Ada.',
      'Hello Grace.',
      'Hello Ada.',
    ]);
    const fetched = service.requests.slice(begun);
    assert.equal(fetched.filter(({ path: asked }) => asked.endsWith('/cached')).length, 1);
  });

  it('runs a prompt', async () => {
    const begun = provider.requests.length;
    assert.deepEqual(await inWorker('run'), [77, ['prompt_template', 'logged']]);
    const asked = provider.requests[begun];
    assert.equal(asked?.headers['authorization'], 'Bearer sk-edge-canary');
    const sent = JSON.stringify(service.requests.map(({ text, headers }) => [text, headers]));
    assert.doesNotMatch(sent, /canary/);
  });

  it('streams a prompt', async () => {
    assert.deepEqual(await inWorker('stream'), ['Hél', 'Héllo.', 'Héllo.', 77]);
  });

  for (const [scenario, result] of [
    ['cancelStream', 'cancelled'],
    ['leaveStream', 'left'],
  ] as const) {
    it(`closes the connection to the provider: ${scenario}`, async () => {
      const begun = provider.requests.length;
      assert.equal(await inWorker(scenario), result);
      await provider.requests[begun]?.closed;
    });
  }

  it('waits for a workflow over the WebSocket of the browser', async () => {
    const { channels } = workflows;
    assert.deepEqual(await inWorker('workflow'), { from: 'channel' });
    assert.equal(workflows.channels, channels + 1);
  });

  it('gives the same errors, and takes no key elsewhere', async () => {
    assert.deepEqual(await inWorker('errors'), {
      missing: 'not_found',
      redirect: 'response_format',
      closedClient: 'cancelled',
      elsewhere: 'network',
      aborted: 'cancelled',
      socket: 'configuration',
    });
    assert.equal(elsewhere.requests.length, 0);
    assert.deepEqual(faults, []);
  });
});
