/** The built grid alone in Chromium, served with the product's content security policy. */
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import esbuild from 'esbuild';
import { chromium, type Browser, type Page } from 'playwright-core';
import { findChromium } from '../../../scripts/chromium.mjs';
import { askWithFirstPage } from '../../../src/extension/grid/html.ts';
import { textsElement } from '../../../src/extension/page-html.ts';
import { earlyScript } from '../../../src/protocol/early.ts';
import { themes, type ThemeName } from './grid-themes.ts';
import type { Peer } from './grid-peer.ts';
import { textsIn } from './texts.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const nonce = 'bm9uY2U';

declare global {
  // Set by the scripted peer; only code that runs in the page sees it.
  var peer: Peer;
}

function bundle(entry: string): string {
  const { outputFiles } = esbuild.buildSync({
    entryPoints: [path.join(import.meta.dirname, entry)],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'chrome138',
  });
  return outputFiles[0]?.text ?? '';
}

export interface PageOptions {
  readonly rows?: number | 'unknown';
  readonly theme?: ThemeName;
  /** Display language; default English. */
  readonly language?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly width?: number;
  readonly height?: number;
  readonly forcedColors?: boolean;
  readonly reducedMotion?: boolean;
  /** The drawings of icons can't be loaded. */
  readonly withoutIcons?: boolean;
  /** False: returns before the first rows are there. */
  readonly awaitRows?: boolean;
}

export interface GridPages {
  open(options?: PageOptions): Promise<Page>;
  /** Gives a page back: the next that is opened loads into it, which takes half the time of a new one. */
  done(page: Page): Promise<void>;
  close(): Promise<void>;
  readonly browser: Browser;
}

/** `args`: further switches of the browser. */
export async function startGridPages(args: readonly string[] = []): Promise<GridPages> {
  const script = path.join(root, 'dist/webview/grid.js');
  if (!fs.existsSync(script))
    throw new Error('dist/webview/grid.js is missing: run node esbuild.mjs first.');
  const peerScript = bundle('grid-peer.ts');
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://page');
    const language = searchParams.get('language') ?? 'en';
    const send = (
      type: string,
      body: string | Buffer,
      more: http.OutgoingHttpHeaders = {},
    ): void => {
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store', ...more });
      response.end(body);
    };
    if (pathname === '/grid.js') send('text/javascript', fs.readFileSync(script));
    else if (pathname === '/grid.css')
      send('text/css', fs.readFileSync(script.replace(/js$/, 'css')));
    else if (pathname === '/icons.js')
      send('text/javascript', fs.readFileSync(path.join(root, 'dist/webview/icons.js')));
    else if (pathname === '/peer.js') send('text/javascript', peerScript);
    else if (pathname === '/page') {
      const origin = `http://${request.headers.host ?? ''}`;
      send(
        'text/html; charset=utf-8',
        `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Sheet</title><link rel="stylesheet" href="/grid.css"></head><body><div id="grid"></div>${textsElement(textsIn(language))}<script nonce="${nonce}" src="/peer.js"></script><script nonce="${nonce}">${earlyScript(askWithFirstPage)}</script><script nonce="${nonce}" src="/grid.js"></script></body></html>`,
        {
          'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${origin}`,
        },
      );
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      ...args,
    ],
  });

  const isScaled = args.some((arg) => arg.startsWith('--force-device-scale-factor'));
  const idle: Page[] = [];
  let turns = 0;

  async function newPage(): Promise<Page> {
    const context = await browser.newContext({
      ...(isScaled && { viewport: null }),
      permissions: [],
    });
    const page = await context.newPage();
    await page.addInitScript((byName) => {
      const query = new URLSearchParams(location.search);
      const turn = query.get('turn') ?? '';
      // What the page before has kept is its own.
      if (sessionStorage.getItem('turn') !== turn) sessionStorage.clear();
      sessionStorage.setItem('turn', turn);
      const { variables, kind } = byName[query.get('theme') as ThemeName];
      const apply = (): void => {
        for (const [name, value] of Object.entries(variables)) {
          document.documentElement.style.setProperty(name, value);
        }
        document.body.classList.add(kind);
        document.body.dataset['vscodeThemeKind'] = kind;
      };
      if (document.readyState === 'loading')
        document.addEventListener('readystatechange', apply, { once: true });
      else apply();
    }, themes);
    return page;
  }

  async function open(options: PageOptions = {}): Promise<Page> {
    const { width = 1280, height = 800, theme = 'dark', rows = 100_000 } = options;
    const page = idle.pop() ?? (await newPage());
    if (!isScaled) await page.setViewportSize({ width, height });
    await page.emulateMedia({
      forcedColors: options.forcedColors ? 'active' : 'none',
      reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
    });
    if (options.withoutIcons) await page.route('**/icons.js', (route) => route.abort());
    const { language = 'en' } = options;
    const query = new URLSearchParams({
      ...{ rows: String(rows), language, theme, turn: String((turns += 1)) },
      ...options.query,
    });
    await page.goto(`http://127.0.0.1:${port}/page?${query.toString()}`);
    if (options.awaitRows !== false) {
      await page.waitForSelector('.rows > .row:not(.skeleton)', { timeout: 15_000 });
      // What the grid leaves for later is done: rows beyond the edges, texts cut to the real font.
      await page.evaluate(async () => {
        await new Promise(requestAnimationFrame);
        await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 }));
      });
    }
    return page;
  }

  return {
    browser,
    open,
    done: async (page) => {
      await page.unrouteAll();
      page.removeAllListeners('console');
      await page.mouse.move(0, 0);
      idle.push(page);
    },
    close: async () => {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
