/** Headless Chromium, kept to this machine: a request to anywhere else is refused and remembered. */
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { findChromium } from '../../../scripts/chromium.mjs';

const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-features=Translate',
];

export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: [...switches, ...more] });
}

export interface PrivateContext {
  readonly context: BrowserContext;
  /** Addresses outside this machine that pages asked for. */
  readonly outside: ReadonlySet<string>;
}

/** Webviews are served by the workbench's service worker under this name; nothing leaves the machine. */
const webviewHost = /(^|\.)vscode-(resource|cdn)\.(vscode-)?(cdn\.)?net$|vscode-cdn\.net$/;

export async function newContext(
  browser: Browser,
  viewport = { width: 1280, height: 800 },
): Promise<PrivateContext> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
  const outside = new Set<string>();
  await context.route(
    (url) =>
      /^https?:$/.test(url.protocol) &&
      url.hostname !== '127.0.0.1' &&
      !webviewHost.test(url.hostname),
    (route) => {
      outside.add(route.request().url().split('?')[0] ?? '');
      return route.abort();
    },
  );
  return { context, outside };
}

/**
 * Lets SecretStorage survive a reload: the server here has no key to give, so the page would keep
 * secrets in memory only. With one it stores them encrypted, as a real server does.
 */
export async function keepSecrets(context: BrowserContext): Promise<void> {
  const key = Buffer.alloc(32, 7);
  await context.route('**/mint-key', (route) =>
    route.fulfill({ status: 200, contentType: 'application/octet-stream', body: key }),
  );
}
