/** The built run panel alone in Chromium, with a scripted extension inside the page. */
import type { Page } from 'playwright-core';
import type { RunPanelView, ViewEvents } from '../../../src/protocol/run.ts';
import { drawn, startPages } from './pages.ts';

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
  /** What the extension answers from now on. */
  answer(name: string, result: unknown): void;
}
declare global {
  // Set by the scripted extension; only code that runs in the page sees it.
  var runPeer: RunPeer;
}

export const firstView: RunPanelView = {
  page: { panelId: 'p1', connectionId: 'c1', promptName: 'answer', choice: { kind: 'latest' } },
  presentation: {
    name: 'answer',
    choice: 'latest version',
    version: 3,
    model: 'gpt-test',
    connection: { name: 'Acme', local: false },
    variables: [{ name: 'question', kind: 'text', text: '' }],
  },
  problem: null,
  run: { status: { runId: 0, state: 'idle', elapsedMs: 0 }, parts: [] },
  comparisonRun: null,
  isMarkdown: false,
  usesCache: false,
  chat: { turns: [], head: null, draft: { text: '', edits: null }, stopsBefore: [] },
};

/** Runs in the page before its own script. */
function actAsExtension(): void {
  const view: unknown = JSON.parse(new URLSearchParams(location.search).get('view') ?? 'null');
  const sent: Message[] = [];
  const faults: string[] = [];
  const deliver = (data: unknown): void => {
    window.dispatchEvent(new MessageEvent('message', { data }));
  };
  window.addEventListener('error', ({ message }) => {
    // Not a fault: what an observer has changed is measured in the next frame.
    if (!message.startsWith('ResizeObserver loop')) faults.push(message);
  });
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    faults.push(`${violatedDirective} ${blockedURI}`),
  );
  const verdict = { faults: [] };
  const answers: Record<string, unknown> = {
    ...{ ready: view, setKey: { isSet: true } },
    ...{ run: verdict, chatSay: verdict, checkParameters: verdict, saveParameters: verdict },
  };
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
      answer: (name: string, result: unknown) => {
        answers[name] = result;
      },
    } satisfies RunPeer,
  });
}

export interface RunPages {
  /** `before` runs in the page before its own script. */
  open(view?: RunPanelView, width?: number, language?: string, before?: () => void): Promise<Page>;
  /** Gives a page back: the next that is opened loads into it. */
  done(page: Page): Promise<void>;
  close(): Promise<void>;
}

export async function startRunPages(): Promise<RunPages> {
  const pages = await startPages({
    ...{ bundle: 'run', dataImages: true, script: `(${String(actAsExtension)})()` },
  });
  return {
    ...pages,
    async open(view = firstView, width = 1100, language = 'en', before) {
      const page = await pages.open({
        ...{ width, height: 700, language, query: { view: JSON.stringify(view) } },
        ...(before !== undefined && { before }),
      });
      await page.locator('.button.primary').waitFor();
      return page;
    },
  };
}

export const emit = <Name extends keyof ViewEvents>(
  page: Page,
  name: Name,
  payload: ViewEvents[Name],
): Promise<void> =>
  page.evaluate(([event, sent]) => runPeer.emit(event, sent), [name, payload] as const);

/** The text of the answer, block after block, once what was said so far is drawn. */
export async function shownText(page: Page): Promise<string> {
  await drawn(page);
  return page.evaluate(() =>
    [...document.querySelectorAll('.output .block, .output .language')]
      .map((block) => block.textContent.replace(/\n$/, ''))
      .join('\n'),
  );
}
