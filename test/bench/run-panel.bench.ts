/**
 * The run panel as it is packaged, in Chromium: how soon an answer that is there is painted, and
 * whether every frame comes in time while 30,000 tokens of Markdown stream in, a thousand a second.
 */
import type { Page } from 'playwright-core';
import type { RunPanelView, RunStatus } from '../../src/protocol/run.ts';
import { firstView, startRunPages, type RunPages } from '../browser/support/run-page.ts';
import type { Figure } from './figure.ts';

interface Smoothness {
  readonly perSecond: number;
  readonly frames: number;
  readonly p95Ms: number;
  readonly worstMs: number;
  /** Lengths of the tasks over 50 ms, while it streamed and in the second after. */
  readonly streaming: readonly number[];
  readonly ending: readonly number[];
  /** Steady also while other programs are busy. */
  readonly messageCpuMs: number;
}

export const name = 'run panel';

const tokens = 30_000;
const perSecond = 1000;
const rounds = 3;
const paints = 9;
const longestMs = 50;
const flushMs = 33;

const running: RunStatus = { runId: 1, state: 'running', elapsedMs: 10 };

/** Headings, prose, lists, a table and code, again and again, cut into tokens. */
function answer(): string[] {
  const section = (at: number): string =>
    `## Step ${at}\n\nFirst some **words** about *what* it does, with \`code\` in it and a [link](https://example.org/${at}), and then a sentence that goes on for a while so that it wraps.\n\n- one thing\n- another thing, \`with code\`\n\n| name | value |\n| --- | --- |\n| a | ${at} |\n| b | ${at * 2} |\n\n\`\`\`python\ndef step_${at}(rows):\n    for row in rows:\n        if row["value"] > ${at}:\n            yield row["name"].strip()\n\`\`\`\n\n`;
  const pieces: string[] = [];
  for (let at = 1; pieces.length < tokens; at += 1) {
    pieces.push(...(section(at).match(/[\s\S]{1,4}/g) ?? []));
  }
  return pieces.slice(0, tokens);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** From the start of the page to the first frame that shows the answer. */
async function firstPaint(pages: RunPages, view: RunPanelView): Promise<number> {
  const page = await pages.open(view, 1100, 'en', () => {
    const seen = new MutationObserver(() => {
      if (document.querySelector('.output .markdown > *') === null) return;
      seen.disconnect();
      // The callback comes before the frame, the message after it.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => performance.mark('painted'));
        port1.start();
        port2.postMessage(null);
      });
    });
    seen.observe(document, { childList: true, subtree: true });
  });
  await page.waitForFunction(() => performance.getEntriesByName('painted').length > 0);
  const ms = await page.evaluate(() => performance.getEntriesByName('painted')[0]?.startTime ?? 0);
  await page.close();
  return ms;
}

/** Tells the panel as the extension does: what has come is sent together, thirty times a second. */
function stream(page: Page): Promise<Omit<Smoothness, 'messageCpuMs'> & { messages: number }> {
  return page.evaluate(
    async ({ pieces, status, rate, pause }) => {
      const tasks: { at: number; ms: number }[] = [];
      new PerformanceObserver((list) => {
        for (const { startTime, duration } of list.getEntries())
          tasks.push({ at: startTime, ms: duration });
      }).observe({ entryTypes: ['longtask'] });
      const gaps: number[] = [];
      let last = performance.now();
      let isOver = false;
      const frame = (now: number): void => {
        gaps.push(now - last);
        last = now;
        if (!isOver) requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
      const tell = (text: string): void => {
        const change = { id: 'c0', kind: 'text', text, replace: false };
        runPeer.emit('progress', { status, changes: [change] });
      };
      runPeer.emit('started', status);
      const began = performance.now();
      let messages = 0;
      for (let sent = 0; sent < pieces.length;) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        const due = Math.min(
          pieces.length,
          Math.floor(((performance.now() - began) / 1000) * rate),
        );
        tell(pieces.slice(sent, due).join(''));
        messages += 1;
        sent = due;
      }
      const ended = performance.now();
      isOver = true;
      const streamed = gaps.slice(1).toSorted((a, b) => a - b);
      runPeer.emit('progress', { status: { ...status, state: 'done' }, changes: [] });
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return {
        messages,
        perSecond: pieces.length / ((ended - began) / 1000),
        frames: streamed.length,
        p95Ms: streamed[Math.floor(streamed.length * 0.95)] ?? Number.NaN,
        worstMs: streamed.at(-1) ?? Number.NaN,
        streaming: tasks.filter(({ at }) => at < ended).map(({ ms }) => ms),
        ending: tasks.filter(({ at }) => at >= ended).map(({ ms }) => ms),
      };
    },
    { pieces: answer(), status: running, rate: perSecond, pause: flushMs },
  );
}

async function smoothness(pages: RunPages): Promise<Smoothness> {
  const page = await pages.open({ ...firstView, isMarkdown: true });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpuMs = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
  };
  const before = await cpuMs();
  const { messages, ...measured } = await stream(page);
  const messageCpuMs = ((await cpuMs()) - before) / messages;
  await page.locator('.output .markdown h4').first().waitFor();
  await page.close();
  return { ...measured, messageCpuMs };
}

export async function run(): Promise<Figure[]> {
  const pages = await startRunPages();
  const figures: Figure[] = [];
  const limited = (metric: string, value: number, unit: string, limit: number): void => {
    figures.push({ metric, value, unit, limit, pass: value <= limit });
  };
  try {
    const part = { id: 'c0', kind: 'text', text: answer().slice(0, 500).join('') } as const;
    const done: RunPanelView = {
      ...firstView,
      isMarkdown: true,
      run: { status: { ...running, state: 'done', elapsedMs: 900 }, parts: [part] },
    };
    const firsts: number[] = [];
    for (let turn = 0; turn < paints; turn += 1) firsts.push(await firstPaint(pages, done));
    limited('first paint of an answer that is there', median(firsts), 'ms', 1000);
    const all: Smoothness[] = [];
    for (let round = 0; round < rounds; round += 1) all.push(await smoothness(pages));
    const of = (pick: (one: Smoothness) => number): number => median(all.map(pick));
    const longest = (tasks: readonly number[]): number => Math.max(0, ...tasks);
    const speed = of((one) => one.perSecond);
    figures.push({ metric: 'streaming: tokens a second', value: speed, unit: '' });
    const long = of(({ streaming }) => streaming.length);
    limited(`streaming: tasks over ${longestMs} ms`, long, '', 0);
    const p95 = of((one) => one.p95Ms);
    limited('streaming: p95 of a frame', p95, 'ms', longestMs);
    const worst = of((one) => one.worstMs);
    limited('streaming: worst frame', worst, 'ms', longestMs);
    const ending = of((one) => longest(one.ending));
    const cpu = of((one) => one.messageCpuMs);
    limited('streaming: processor time of a message', cpu, 'ms', 16);
    // Not limited: it comes once, after the last token.
    const metric = `whole answer: longest task over ${longestMs} ms`;
    figures.push({ metric, value: ending, unit: 'ms' });
  } finally {
    await pages.close();
  }
  return figures;
}
