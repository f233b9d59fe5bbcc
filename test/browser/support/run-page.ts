/** The built run panel alone in Chromium, with the product's own page and a scripted extension. */
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../../../scripts/chromium.mjs';
import { pageHtml } from '../../../src/extension/page-html.ts';
import type { RunPanelView, ViewEvents } from '../../../src/protocol/run.ts';
import { textsIn } from './texts.ts';

const root = path.resolve(import.meta.dirname, '../../..');

interface Message {
  readonly kind: string;
  readonly id?: number;
  readonly name?: string;
  readonly params?: unknown;
}
interface RunPeer {
  /** What the panel has sent. */
  readonly sent: readonly Message[];
  readonly faults: readonly string[];
  emit(name: string, payload: unknown): void;
  of(name: string): readonly Message[];
}
declare global {
  // Set by the scripted extension; only code that runs in the page sees it.
  var runPeer: RunPeer;
}

export const firstView: RunPanelView = {
  page: { panelId: 'p1', connectionId: 'c1', promptName: 'answer', choice: { kind: 'latest' } },
  face: {
    name: 'answer',
    choice: 'latest version',
    version: 3,
    model: 'gpt-test',
    connection: { name: 'Acme', local: false },
    variables: [{ name: 'question', kind: 'text', text: '' }],
  },
  problem: null,
  run: { status: { runId: 0, state: 'idle', elapsedMs: 0 }, parts: [] },
  rival: null,
  isMarkdown: false,
};

/** Runs in the page before its own script. */
function actAsExtension(): void {
  const view: unknown = JSON.parse(new URLSearchParams(location.search).get('view') ?? 'null');
  const sent: Message[] = [];
  const faults: string[] = [];
  const deliver = (data: unknown): void => {
    window.dispatchEvent(new MessageEvent('message', { data }));
  };
  window.addEventListener('error', ({ message }) => faults.push(message));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    faults.push(`${violatedDirective} ${blockedURI}`),
  );
  const answers: Readonly<Record<string, unknown>> = { ready: view, setKey: { isSet: true } };
  let state: unknown;
  Object.assign(globalThis, {
    acquireVsCodeApi: () => ({
      postMessage(message: Message) {
        sent.push(message);
        if (message.kind !== 'request') return;
        const result = answers[message.name ?? ''] ?? null;
        queueMicrotask(() => deliver({ kind: 'answer', id: message.id, result }));
      },
      getState: () => state,
      setState: (now: unknown) => {
        state = now;
      },
    }),
    runPeer: {
      sent,
      faults,
      emit: (name: string, payload: unknown) => deliver({ kind: 'event', name, payload }),
      of: (name: string) => sent.filter((message) => message.name === name),
    } satisfies RunPeer,
  });
}

export interface RunPages {
  /** `before` runs in the page before its own script. */
  open(view?: RunPanelView, width?: number, language?: string, before?: () => void): Promise<Page>;
  /** Gives a page back: the next that is opened loads into it. Not for one with a `before`. */
  done(page: Page): Promise<void>;
  close(): Promise<void>;
}

export async function startRunPages(): Promise<RunPages> {
  const script = path.join(root, 'dist/webview/run.js');
  if (!fs.existsSync(script))
    throw new Error('dist/webview/run.js is missing: run node esbuild.mjs first.');
  const server = http.createServer((request, response) => {
    const language =
      new URL(request.url ?? '/', 'http://page').searchParams.get('language') ?? 'en';
    const { url } = request;
    const [type, body] =
      url === '/run.js' || url === '/icons.js'
        ? ['text/javascript', fs.readFileSync(path.join(path.dirname(script), url))]
        : url === '/run.css'
          ? ['text/css', fs.readFileSync(script.replace(/js$/, 'css'))]
          : [
              'text/html; charset=utf-8',
              pageHtml({
                cspSource: `http://${request.headers.host ?? ''}`,
                nonce: 'bm9uY2U',
                script: '/run.js',
                style: '/run.css',
                language,
                texts: textsIn(language),
                title: 'Run',
                rootId: 'run',
                dataImages: true,
              }),
            ];
    response.writeHead(200, { 'content-type': type });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  const idle: Page[] = [];
  return {
    async open(view = firstView, width = 1100, language = 'en', before) {
      const size = { width, height: 700 };
      let page = before === undefined ? idle.pop() : undefined;
      if (page === undefined) {
        page = await browser.newPage({ viewport: size });
        await page.addInitScript(actAsExtension);
        if (before !== undefined) await page.addInitScript(before);
      }
      await page.setViewportSize(size);
      const query = new URLSearchParams({ language, view: JSON.stringify(view) });
      await page.goto(`http://127.0.0.1:${port}/page?${query.toString()}`);
      await page.locator('.button.primary').waitFor();
      return page;
    },
    async done(page) {
      await page.mouse.move(0, 0);
      idle.push(page);
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const emit = <Name extends keyof ViewEvents>(
  page: Page,
  name: Name,
  payload: ViewEvents[Name],
): Promise<void> =>
  page.evaluate(([event, sent]) => runPeer.emit(event, sent), [name, payload] as const);

/** The text of the answer, block after block. */
export const shownText = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.output .block, .output .language')]
      .map((block) => block.textContent.replace(/\n$/, ''))
      .join('\n'),
  );
