/**
 * The built page of a web view alone in Chromium: the product's own HTML and content security policy,
 * drawn as VS Code draws it, without a VS Code. What stands in for the extension is either a script in
 * the page itself (`script`), for what is measured, or a test here: see `page-link.ts`.
 */
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { pageHtml } from '../../../src/extension/panels/page-html.ts';
import { launchBrowser } from '../../support/host/browser.ts';
import { atTheEnd } from '../../support/host/shared.ts';
import { timeLimit } from '../../support/time-limit.ts';
import { drawAsVsCode, type ThemeName } from './page-themes.ts';
import { textsIn } from './texts.ts';

const bundles = path.resolve(import.meta.dirname, '../../../dist/webview');

/** What the extension decides about a page. */
export interface BundleParts {
  /** Name of the bundle below dist/webview, and id of the element that it fills. */
  readonly bundle: string;
  readonly askWith?: string;
  readonly dataImages?: boolean;
  /** Runs in each document before its own script. */
  readonly script: string;
  /** Further switches of the browser. */
  readonly args?: readonly string[];
}

export interface OpenOptions {
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
  /** Runs in the page before its own script. Such a page is not used again. */
  readonly before?: () => void;
  /** Called before the document is loaded; `isNew`: the page has not been used before. */
  readonly begin?: (page: Page, isNew: boolean) => Promise<void>;
}

export interface Pages {
  /** The document is there; what it shows may still be on its way. */
  open(options?: OpenOptions): Promise<Page>;
  /** Gives a page back: the next that is opened loads into it, which takes half the time of a new one. */
  done(page: Page): Promise<void>;
  close(): Promise<void>;
}

let common: Promise<Browser> | undefined;

/** The one browser of all suites of a process: starting it costs as much as a test. */
function commonBrowser(): Promise<Browser> {
  if (common === undefined) {
    common = launchBrowser();
    atTheEnd(async () => (await common)?.close());
  }
  return common;
}

export async function startPages(parts: BundleParts): Promise<Pages> {
  const { bundle, askWith, dataImages = false, script, args = [] } = parts;
  if (!fs.existsSync(path.join(bundles, `${bundle}.js`)))
    throw new Error(`dist/webview/${bundle}.js is missing: run node esbuild.mjs first.`);
  const read = (file: string): string => fs.readFileSync(path.join(bundles, file), 'utf8');
  const [own, style, icons] = [read(`${bundle}.js`), read(`${bundle}.css`), read('icons.js')];
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://page');
    const language = searchParams.get('language') ?? 'en';
    const origin = `http://${request.headers.host ?? ''}`;
    const [type, body] =
      pathname === '/icons.js'
        ? ['text/javascript', icons]
        : [
            'text/html; charset=utf-8',
            pageHtml({
              cspSource: origin,
              nonce: 'bm9uY2U',
              ...{ script: own, style, address: `${origin}/${bundle}.js` },
              language,
              texts: textsIn(language),
              title: bundle,
              rootId: bundle,
              ...(askWith !== undefined && { askWith }),
              dataImages,
            }),
          ];
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const isOwn = args.length > 0;
  const browser = await (isOwn ? launchBrowser(args) : commonBrowser());
  const contexts: BrowserContext[] = [];

  const isScaled = args.some((arg) => arg.startsWith('--force-device-scale-factor'));
  const idle: Page[] = [];
  const used = new WeakSet<Page>();
  let turns = 0;

  async function newPage(before: (() => void) | undefined): Promise<Page> {
    const context = await browser.newContext({
      ...(isScaled && { viewport: null }),
      permissions: [],
    });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(timeLimit(15_000));
    await page.addInitScript(() => {
      const turn = new URLSearchParams(location.search).get('turn') ?? '';
      // What the page before has kept is its own.
      if (sessionStorage.getItem('turn') !== turn) sessionStorage.clear();
      sessionStorage.setItem('turn', turn);
    });
    await drawAsVsCode(page);
    await page.addInitScript(script);
    if (before !== undefined) await page.addInitScript(before);
    return page;
  }

  return {
    async open(options = {}) {
      const { width = 1280, height = 800, theme = 'dark', language = 'en', before } = options;
      const kept = before === undefined ? idle.pop() : undefined;
      const page = kept ?? (await newPage(before));
      await options.begin?.(page, kept === undefined);
      if (before !== undefined) used.add(page);
      if (!isScaled) await page.setViewportSize({ width, height });
      await page.emulateMedia({
        forcedColors: options.forcedColors === true ? 'active' : 'none',
        reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
      });
      if (options.withoutIcons === true) await page.route('**/icons.js', (route) => route.abort());
      turns += 1;
      const query = new URLSearchParams({ language, theme, turn: `${turns}`, ...options.query });
      await page.goto(`http://127.0.0.1:${port}/page?${query.toString()}`);
      return page;
    },
    async done(page) {
      if (used.has(page)) {
        await page.context().close();
        return;
      }
      await page.unrouteAll();
      page.removeAllListeners('console');
      await page.mouse.move(0, 0);
      idle.push(page);
    },
    async close() {
      for (const context of contexts) await context.close();
      if (isOwn) await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What has happened so far is drawn: pages draw once a frame, and what follows of it in the next. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  });
}
