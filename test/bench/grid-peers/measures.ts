/** The measurements, alike for every contender. Runs in the page; the bench calls `bench`. */
import { rowCount, type Change, type Contender } from './contender.ts';

export interface ScrollFigures {
  readonly frames: number;
  readonly p95Ms: number;
  readonly longTasks: number;
  readonly longestTaskMs: number;
  /** Share of looked-at frames with the right row in the middle. */
  readonly rightShare: number;
  /** Share of looked-at frames with values in the middle. */
  readonly filledShare: number;
}

const frame = (): Promise<number> => new Promise(requestAnimationFrame);
const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Resolves once what was drawn in this frame is painted. */
const painted = (): Promise<number> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(0);
    });
  });

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

const longTasks: number[] = [];
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longTasks.push(duration);
}).observe({ type: 'longtask' });

export function measureWith(contender: Contender): void {
  const { scroller } = contender;

  async function firstRows(): Promise<number> {
    // What is put into the page in a microtask is painted in the same frame.
    await Promise.resolve();
    for (;;) {
      const isThere = [60, 90, 120].some(
        (y) => contender.rowAt(y) !== undefined && contender.isFilled(y),
      );
      if (isThere) return painted();
      await frame();
      if (performance.now() > 30_000) throw new Error('no rows after 30 s');
    }
  }

  /** Frames while something moves the view for `ms`. */
  async function frames(ms: number, move: (elapsed: number) => void): Promise<ScrollFigures> {
    const middle = Math.floor(scroller().clientHeight / 2);
    const gaps: number[] = [];
    let looked = 0;
    let right = 0;
    let filled = 0;
    longTasks.length = 0;
    await frame();
    await frame();
    const start = performance.now();
    let last = start;
    for (let count = 1; ; count++) {
      await frame();
      const now = performance.now();
      gaps.push(now - last);
      last = now;
      if (count % 4 === 0) {
        looked++;
        const row = contender.rowAt(middle);
        if (row !== undefined && Math.abs(row - contender.expectedAt(middle)) <= 2) right++;
        if (contender.isFilled(middle)) filled++;
      }
      if (now - start >= ms) break;
      move(now - start);
    }
    await after(150);
    return {
      frames: gaps.length,
      p95Ms: quantile(gaps, 0.95),
      longTasks: longTasks.filter((duration) => duration > 50).length,
      longestTaskMs: Math.max(0, ...longTasks),
      rightShare: right / Math.max(1, looked),
      filledShare: filled / Math.max(1, looked),
    };
  }

  /** The scrollbar is dragged over the whole range. */
  function drag(ms: number): Promise<ScrollFigures> {
    const element = scroller();
    const end = element.scrollHeight - element.clientHeight;
    element.scrollTop = 0;
    return frames(ms, (elapsed) => {
      element.scrollTop = (end * elapsed) / ms;
    });
  }

  /** 3,000 pixels a second, and 300 changes a second in the rows on screen. */
  async function wheel(ms: number): Promise<ScrollFigures> {
    const element = scroller();
    element.scrollTop = 28_000;
    await after(500);
    let made = 0;
    return frames(ms, (elapsed) => {
      element.scrollTop = 28_000 + (elapsed / 1000) * 3000;
      const due = Math.floor((elapsed / 1000) * 300);
      const changes: Change[] = [];
      for (; made < due; made++) {
        const row = Math.min(rowCount - 1, contender.firstRow() + ((made * 7) % 24));
        changes.push({ row, column: made % 2 ? 1 : 2, text: `change ${made}` });
      }
      if (changes.length > 0) contender.update(changes);
    });
  }

  async function jump(): Promise<number> {
    scroller().scrollTop = 0;
    await after(400);
    const start = performance.now();
    contender.jump(rowCount - 1);
    for (;;) {
      await frame();
      const height = scroller().clientHeight;
      const isThere = [20, 40, 60, 80].some(
        (y) => contender.rowAt(height - y) === rowCount - 1 && contender.isFilled(height - y),
      );
      if (isThere) return (await painted()) - start;
      if (performance.now() - start > 15_000)
        throw new Error('the last row was not reached in 15 s');
    }
  }

  const keyTimes: number[] = [];
  async function prepareKeys(): Promise<void> {
    scroller().scrollTop = 0;
    await after(500);
    contender.focus();
    await after(200);
    document.addEventListener(
      'keydown',
      ({ timeStamp }) => void painted().then((at) => keyTimes.push(at - timeStamp)),
      { capture: true },
    );
  }

  Object.assign(globalThis, {
    bench: {
      first: firstRows(),
      drag,
      wheel,
      jump,
      prepareKeys,
      keys: () => ({
        count: keyTimes.length,
        p50: quantile(keyTimes, 0.5),
        p95: quantile(keyTimes, 0.95),
      }),
      cursorRow: contender.cursorRow,
      height: () => scroller().clientHeight,
      elements: () => document.querySelectorAll('*').length,
    },
  });
}
