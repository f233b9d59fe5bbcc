/**
 * The grid with all of its features against the bare shape it grew from and against SlickGrid, in
 * one run on one machine: first rows, dragging over everything, wheel speed with live changes, far
 * jump, keys. Contenders take turns, so that a busy machine is busy for all of them.
 */
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import esbuild from 'esbuild';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../../scripts/chromium.mjs';
import { lightIcons } from '../../scripts/light-icons.mjs';
import { askWithFirstPage } from '../../src/extension/grid/html.ts';
import { earlyScript } from '../../src/protocol/early.ts';
import type { ScrollFigures } from './grid-peers/measures.ts';
import type { Figure } from './figure.ts';
import { opened } from './grid-peers/product-sheet.ts';

interface Measured {
  readonly firstMs: number;
  readonly drag: ScrollFigures;
  readonly wheel: ScrollFigures;
  readonly jumpMs: number;
  readonly keys: { readonly count: number; readonly p50: number; readonly p95: number };
  readonly elements: number;
  readonly heapMb: number;
  /** Processor time of the page's main thread: steady also while other programs are busy. */
  readonly dragCpuMs: number;
  readonly wheelCpuMs: number;
  readonly keyCpuMs: number;
}

export const name = 'grid';

const root = path.resolve(import.meta.dirname, '../..');
const rounds = 3;
/** The first rows of a page are there in a blink: many turns, or chance decides. */
const firstRounds = 22;
const keyCount = 120;
const phaseMs = 6000;
const contenders = ['bare', 'product', 'slick', 'warm'] as const;
type Contender = (typeof contenders)[number];
const nonce = 'bm9uY2U';

async function scriptOf(entry: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path.resolve(import.meta.dirname, 'grid-peers', entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'chrome138',
    plugins: [lightIcons],
    absWorkingDir: root,
  });
  return outputFiles[0]?.text ?? '';
}

function styleOf(contender: Contender): string {
  const file = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');
  const product = ['src/webview/common/base.css', 'src/webview/grid/grid.css'];
  const own: Readonly<Record<Contender, readonly string[]>> = {
    bare: [],
    product,
    warm: product,
    slick: ['node_modules/slickgrid/dist/styles/css/slick.grid.css'],
  };
  return [...own[contender], 'test/bench/grid-peers/peers.css'].map(file).join('');
}

/**
 * VS Code as the page of the product sees it. Its first request goes to another process, as JSON, as
 * it does there; the other side of all the others is in the page.
 */
const vsCodeScript = `globalThis.acquireVsCodeApi = () => ({
  getState: () => undefined,
  setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
  postMessage: (frame) => {
    if (frame.name !== 'ready') return toHost(frame);
    fetch('/opened')
      .then((answer) => answer.json())
      .then((result) => window.postMessage({ kind: 'answer', id: frame.id, result }));
  },
});`;

/** The others' areas are as high as the product's, before their own scripts run. */
const heightScript = `const height = new URLSearchParams(location.search).get('height');
if (height !== null) document.documentElement.style.setProperty('--host-height', height + 'px');`;

async function serve(): Promise<{ url: string; close: () => Promise<void> }> {
  // As in the product: the icons in a script of their own, which comes after the first rows.
  const product = await scriptOf('product.ts');
  const icons = await scriptOf('../../../src/webview/icons/main.ts');
  const scripts = new Map<string, string>([
    ['bare', await scriptOf('bare.ts')],
    ['product', product],
    ['warm', product],
    ['slick', await scriptOf('slick.ts')],
  ]);
  const openedSheet = JSON.stringify(opened());
  const server = http.createServer((request, response) => {
    const [, contender = '', what = ''] = new URL(request.url ?? '/', 'http://page').pathname.split(
      '/',
    );
    if (contender === 'opened') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(openedSheet);
      return;
    }
    const script = scripts.get(contender);
    if (script === undefined) {
      response.writeHead(404).end();
      return;
    }
    const send = (type: string, body: string): void => {
      response.writeHead(200, {
        'content-type': `text/${type}; charset=utf-8`,
        'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'`,
      });
      response.end(body);
    };
    if (what === 'icons.js') send('javascript', icons);
    else {
      // As the product's own page does: with its script and style.
      const isProduct = script === product;
      const early = isProduct ? `${vsCodeScript}\n${earlyScript(askWithFirstPage)}` : heightScript;
      const address = `http://${request.headers.host ?? ''}/${contender}/script.js`;
      send(
        'html',
        `<!doctype html><title>${contender}</title><script nonce="${nonce}">${early}</script><style nonce="${nonce}">${styleOf(contender as Contender)}</style><body class="${contender}"><div id="host"></div><script nonce="${nonce}" data-address="${address}">${script}</script>`,
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function pressKeys(page: Page): Promise<void> {
  for (let key = 0; key < keyCount; key++) {
    const began = Date.now();
    await page.keyboard.down('ArrowDown');
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 33 - (Date.now() - began))));
  }
  await page.keyboard.up('ArrowDown');
  await page.waitForTimeout(300);
}

interface Shown {
  readonly page: Page;
  readonly firstMs: number;
  readonly ask: <Value>(expression: string) => Promise<Value>;
}

/** `height` of the scrolled area, so that all draw as many rows as the product does. */
async function shown<Result>(
  url: string,
  contender: Contender,
  height: number | undefined,
  use: (shown: Shown) => Promise<Result>,
): Promise<Result> {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1300, height: 820 } });
    const query = new URLSearchParams({
      ...(contender === 'warm' && { warm: '1' }),
      ...(height !== undefined && { height: String(height) }),
    });
    await page.goto(`${url}/${contender}/?${query.toString()}`);
    await page.waitForFunction('globalThis.bench', null, { timeout: 30_000 });
    const ask = <Value>(expression: string): Promise<Value> =>
      page.evaluate<Value>(`bench.${expression}`);
    return await use({ page, ask, firstMs: await ask<number>('first') });
  } finally {
    await browser.close();
  }
}

function measure(
  url: string,
  contender: Contender,
  height: number | undefined,
): Promise<Measured & { height: number }> {
  return shown(url, contender, height, async ({ page, ask, firstMs }) => {
    await page.waitForTimeout(500);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const cpuMs = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0) * 1000;
    };
    const start = await cpuMs();
    const drag = await ask<ScrollFigures>(`drag(${String(phaseMs)})`);
    const afterDrag = await cpuMs();
    const wheel = await ask<ScrollFigures>(`wheel(${String(phaseMs)})`);
    const afterWheel = await cpuMs();
    const jumps: number[] = [];
    for (let turn = 0; turn < 3; turn++) jumps.push(await ask<number>('jump()'));
    await ask('prepareKeys()');
    const beforeKeys = await cpuMs();
    await pressKeys(page);
    const afterKeys = await cpuMs();
    const keys = await ask<Measured['keys']>('keys()');
    const row = await ask<number>('cursorRow()');
    if (row < keyCount) throw new Error(`${contender}: the cursor is in row ${String(row)} only`);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return {
      firstMs,
      drag,
      wheel,
      jumpMs: Math.min(...jumps),
      keys,
      elements: await ask<number>('elements()'),
      heapMb: usedSize / 1048576,
      dragCpuMs: (afterDrag - start) / drag.frames,
      wheelCpuMs: (afterWheel - afterDrag) / wheel.frames,
      keyCpuMs: (afterKeys - beforeKeys) / Math.max(1, keys.count),
      height: await ask<number>('height()'),
    };
  });
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const titles: Readonly<Record<Contender, string>> = {
  bare: 'bare shape',
  product: 'grid',
  slick: 'SlickGrid',
  warm: 'grid, all rows in memory',
};

export async function run(): Promise<Figure[]> {
  const { url, close } = await serve();
  const all = new Map<Contender, Measured[]>(contenders.map((each) => [each, []]));
  const firsts = new Map<Contender, number[]>(contenders.map((each) => [each, []]));
  try {
    let height: number | undefined;
    for (let round = 0; round < rounds; round++) {
      // The product first: it tells how high the area of the others must be.
      for (const contender of ['product', 'bare', 'slick', 'warm'] as const) {
        const isOther = contender === 'bare' || contender === 'slick';
        const got = await measure(url, contender, isOther ? height : undefined);
        if (contender === 'product') height = got.height;
        all.get(contender)?.push(got);
        firsts.get(contender)?.push(got.firstMs);
      }
    }
    for (let round = 0; round < firstRounds; round++) {
      for (const contender of contenders) {
        const isOther = contender === 'bare' || contender === 'slick';
        const ms = await shown(url, contender, isOther ? height : undefined, ({ firstMs }) =>
          Promise.resolve(firstMs),
        );
        firsts.get(contender)?.push(ms);
      }
    }
  } finally {
    await close();
  }
  const of = (contender: Contender, pick: (one: Measured) => number): number =>
    median((all.get(contender) ?? []).map(pick));
  const figures: Figure[] = [];
  const limited = (figure: Figure & { limit: number }, isKept: boolean): void => {
    figures.push({ ...figure, pass: isKept });
  };
  const firstOf = (contender: Contender): number => median(firsts.get(contender) ?? []);
  const first = firstOf('product');
  const slickFirst = firstOf('slick');
  limited(
    { metric: 'first rows: grid', value: first, unit: 'ms', limit: slickFirst },
    first <= slickFirst,
  );
  const againstBare = first / firstOf('bare');
  limited(
    {
      metric: 'first rows, times those of the bare shape',
      value: againstBare,
      unit: '×',
      limit: 1.5,
    },
    againstBare <= 1.5,
  );
  const slickFrames = of('slick', (one) => one.drag.frames);
  const ratio = of('product', (one) => one.drag.frames) / slickFrames;
  limited(
    {
      metric: "whole-range drag: frames of the grid, times SlickGrid's",
      value: ratio,
      unit: '×',
      limit: 2,
    },
    ratio >= 2,
  );
  // Dragged over everything, the grid draws placeholders; this is what drawing each row costs.
  figures.push({
    metric: "whole-range drag: all rows in memory, times SlickGrid's frames",
    value: of('warm', (one) => one.drag.frames) / slickFrames,
    unit: '×',
  });
  const long = of('product', (one) => one.wheel.longTasks);
  limited(
    { metric: 'wheel speed, 300 changes/s: tasks over 50 ms', value: long, unit: '', limit: 0 },
    long === 0,
  );
  const p95 = of('product', (one) => one.keys.p95);
  limited({ metric: 'keys: p95 of the grid', value: p95, unit: 'ms', limit: 30 }, p95 < 30);
  for (const contender of contenders) {
    const title = titles[contender];
    const add = (metric: string, unit: string, pick: (one: Measured) => number): void => {
      figures.push({ metric: `${title}: ${metric}`, value: of(contender, pick), unit });
    };
    figures.push({ metric: `${title}: first rows`, value: firstOf(contender), unit: 'ms' });
    add('drag, frames a second', 'fps', (one) => one.drag.frames / (phaseMs / 1000));
    add('drag, p95 of a frame', 'ms', (one) => one.drag.p95Ms);
    add('drag, tasks over 50 ms', '', (one) => one.drag.longTasks);
    add('drag, frames with values in the middle', '%', (one) => one.drag.filledShare * 100);
    add('wheel, frames a second', 'fps', (one) => one.wheel.frames / (phaseMs / 1000));
    add('wheel, p95 of a frame', 'ms', (one) => one.wheel.p95Ms);
    add('wheel, tasks over 50 ms', '', (one) => one.wheel.longTasks);
    add('wheel, frames with values in the middle', '%', (one) => one.wheel.filledShare * 100);
    add('drag, processor time a frame', 'ms', (one) => one.dragCpuMs);
    add('wheel, processor time a frame', 'ms', (one) => one.wheelCpuMs);
    add('key, processor time', 'ms', (one) => one.keyCpuMs);
    add('jump to the last row', 'ms', (one) => one.jumpMs);
    add('key to paint, p50', 'ms', (one) => one.keys.p50);
    add('key to paint, p95', 'ms', (one) => one.keys.p95);
    add('elements', '', (one) => one.elements);
    add('heap', 'MB', (one) => one.heapMb);
  }
  return figures;
}
