/** Headless Chromium, kept to this machine: a request to anywhere else finds nobody and is remembered. */
import fs from 'node:fs';
import path from 'node:path';
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
  // With the second, compiled scripts without a charset, as VS Code serves them, are never used again.
  '--disable-features=Translate,BackgroundResourceFetch',
  // Nothing leaves this machine: no name of another one is found.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** Whoever looks for a fault wants to see the window. */
const headless = process.env['PROMPT_TABLES_TEST_SHOWN'] === undefined;

export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = await findChromium();
  return chromium.launch({ executablePath, headless, args: [...switches, ...more] });
}

export interface PrivateContext {
  readonly context: BrowserContext;
  /** Addresses outside this machine that pages asked for. */
  readonly outside: ReadonlySet<string>;
}

/** Webviews are served by the workbench's service worker under this name; nothing leaves the machine. */
const webviewHost = /(^|\.)vscode-(resource|cdn)\.(vscode-)?(cdn\.)?net$|vscode-cdn\.net$/;

const shownAs = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' } as const;

export async function newContext(
  browser: Browser,
  viewport = shownAs.viewport,
): Promise<PrivateContext> {
  return keptPrivate(await browser.newContext({ ...shownAs, viewport }));
}

/**
 * A browser for one window. The lanes of `npm test` each have a profile, of which only the scripts of
 * VS Code that are fetched and compiled stay: a window opens with less of the processor.
 */
export async function ownBrowser(): Promise<PrivateContext & { close(): Promise<void> }> {
  const profile = process.env['PROMPT_TABLES_TEST_PROFILE'];
  if (profile === undefined) {
    const browser = await launchBrowser();
    return { ...(await newContext(browser)), close: () => browser.close() };
  }
  forgetAllButScripts(profile);
  const executablePath = await findChromium();
  const context = await chromium.launchPersistentContext(profile, {
    ...shownAs,
    ...{ executablePath, headless },
    args: switches,
  });
  return { ...keptPrivate(context), close: () => context.close() };
}

function forgetAllButScripts(profile: string): void {
  const kept: readonly (readonly [folder: string, stays: readonly string[]])[] = [
    [profile, ['Default']],
    [path.join(profile, 'Default'), ['Cache', 'Code Cache']],
  ];
  for (const [folder, stays] of kept)
    for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : [])
      if (!stays.includes(name)) fs.rmSync(path.join(folder, name), { recursive: true });
}

function keptPrivate(context: BrowserContext): PrivateContext {
  const outside = new Set<string>();
  // Listened to and not routed: a browser whose requests are routed keeps and compiles nothing twice.
  context.on('request', (request) => {
    const { protocol, hostname, origin, pathname } = new URL(request.url());
    if (!/^https?:$/.test(protocol) || hostname === '127.0.0.1' || webviewHost.test(hostname))
      return;
    outside.add(`${origin}${pathname}`);
  });
  return { context, outside };
}

/**
 * Lets SecretStorage survive a reload: the server here has no key to give, so the page would keep
 * secrets in memory only. With one it stores them encrypted, as a real server does.
 */
export async function keepSecrets(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const real = globalThis.fetch;
    globalThis.fetch = async (input, init) =>
      String(input instanceof Request ? input.url : input).endsWith('/mint-key')
        ? new Response(new Uint8Array(32).fill(7))
        : real(input, init);
  });
}
