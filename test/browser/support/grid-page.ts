/** The built grid alone in Chromium, with a scripted extension inside the page. */
import path from 'node:path';
import esbuild from 'esbuild';
import type { Page } from 'playwright-core';
import { askWithFirstPage } from '../../../src/extension/grid/html.ts';
import { timeLimit } from '../../support/time-limit.ts';
import type { Peer } from './grid-peer.ts';
import { startPages, type OpenOptions } from './pages.ts';

declare global {
  // Set by the scripted peer; only code that runs in the page sees it.
  var peer: Peer;
}

let peerScript: string | undefined;

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

export interface PageOptions extends OpenOptions {
  readonly rows?: number | 'unknown';
  /** False: returns before the first rows are there. */
  readonly awaitRows?: boolean;
}

export interface GridPages {
  open(options?: PageOptions): Promise<Page>;
  /** Gives a page back: the next that is opened loads into it, which takes half the time of a new one. */
  done(page: Page): Promise<void>;
  close(): Promise<void>;
}

/** `args`: further switches of the browser. */
export async function startGridPages(args: readonly string[] = []): Promise<GridPages> {
  const pages = await startPages({
    ...{ bundle: 'grid', askWith: askWithFirstPage, args },
    script: (peerScript ??= bundle('grid-peer.ts')),
  });
  return {
    ...pages,
    async open({ rows = 100_000, awaitRows = true, query = {}, ...options } = {}) {
      const page = await pages.open({ ...options, query: { rows: String(rows), ...query } });
      if (!awaitRows) return page;
      await page.waitForSelector('.rows > .row:not(.skeleton)', { timeout: timeLimit(15_000) });
      // What the grid leaves for later is done: rows beyond the edges, texts cut to the real font.
      await page.evaluate(async () => {
        await new Promise(requestAnimationFrame);
        await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 }));
      });
      return page;
    },
  };
}
