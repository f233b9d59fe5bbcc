/** A page alone, and a test in the place of its extension: it answers, tells, and sees what is sent. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type {
  Channel,
  EventMap,
  Handlers,
  Listeners,
  RequestMap,
} from '../../../src/protocol/channel.ts';
import { openChannel, readFrame } from '../../../src/protocol/channel.ts';
import { explain } from '../../../src/webview/common/explain.ts';
import { seriousViolations } from '../../support/host/axe.ts';
import { faultsOfTab } from '../../support/host/tab-walk.ts';
import { picture } from '../../support/host/workbench.ts';
import { changeTheme, themeNames } from './page-themes.ts';
import { startPages, type BundleParts, type OpenOptions } from './pages.ts';

/** What an extension and its page say to each other. */
export interface Protocol {
  /** What the page asks, and tells. */
  readonly asks: RequestMap;
  readonly tells: EventMap;
  /** What it is asked, and told. */
  readonly asked: RequestMap;
  readonly reported: EventMap;
}

export type Answers<P extends Protocol> = Partial<Handlers<P['asks']>>;
type PageChannel<P extends Protocol> = Channel<P['asked'], P['reported']>;

export interface LinkedPage<P extends Protocol> {
  readonly page: Page;
  /** The way to the page: emits events, asks it. */
  readonly channel: PageChannel<P>;
  /** Params of the requests of a name, in their order. */
  asked<Name extends keyof P['asks'] & string>(name: Name): readonly P['asks'][Name]['params'][];
  /** Payloads of the events of a name, in their order. */
  reported<Name extends keyof P['tells'] & string>(name: Name): readonly P['tells'][Name][];
  /** All that the page has asked and told so far has come. */
  heard(): Promise<void>;
  /** Other answers than so far. */
  answer(answers: Answers<P>): void;
  /** What VS Code would keep of the page. */
  state(): Promise<unknown>;
  /** Loads the page anew with what it has kept, as VS Code does with one that comes back. */
  comeBack(): Promise<void>;
  /** Nothing was wrong with it so far: errors, refused by its policy, messages that were not understood. */
  noFaults(): Promise<void>;
  /** In each of the four themes: a picture, and what axe says. */
  canBeReadByEverybody(name: string): Promise<void>;
  /** Every control is reached by Tab, shows that, and the page is left. */
  canBeWalkedByTab(): Promise<void>;
}

export interface LinkedPages<P extends Protocol> {
  /** `answers` may be made of the way to the page, which is there once the page has asked. */
  open(
    answers?: Answers<P> | ((channel: () => PageChannel<P> | undefined) => Answers<P>),
    options?: OpenOptions,
  ): Promise<LinkedPage<P>>;
  /** To be called after each test: checks for faults, and gives the pages back. */
  done(): Promise<void>;
  close(): Promise<void>;
}

export interface LinkParts<P extends Protocol> extends Omit<BundleParts, 'script'> {
  /** To everything that the page can ask, in every test of the suite that says nothing else. */
  readonly answers: Handlers<P['asks']>;
  /** Names of the events that the page may tell. */
  readonly tells: readonly (keyof P['tells'] & string)[];
}

/**
 * In each of the four themes: a picture, and what axe says. A theme is nothing but colors, so that
 * in the others these are looked at alone.
 */
export async function canBeReadByEverybody(page: Page, name: string): Promise<void> {
  for (const theme of themeNames) {
    await changeTheme(page, theme);
    await picture(page, `${name}-${theme}`);
    const found = await seriousViolations(page, theme === 'dark' ? 'at everything' : 'at colors');
    assert.deepEqual(found, [], `${name} in the theme ${theme}:\n${found.join('\n')}`);
  }
  await changeTheme(page, 'dark');
}

interface InPage {
  readonly toExtension: (message: string) => Promise<void>;
  readonly faults: string[];
}

/** Runs in the page, before anything else of it. */
function actAsVsCode(): void {
  const faults: string[] = [];
  addEventListener('error', ({ message }) => {
    // Not a fault: what an observer has changed is measured in the next frame.
    if (!message.startsWith('ResizeObserver loop')) faults.push(message);
  });
  addEventListener('unhandledrejection', ({ reason }) => void faults.push(String(reason)));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    faults.push(`${violatedDirective} ${blockedURI}`);
  });
  Object.assign(globalThis, {
    faults,
    acquireVsCodeApi: () => ({
      postMessage: (message: unknown) => {
        void (globalThis as unknown as InPage).toExtension(JSON.stringify(message));
      },
      getState: (): unknown =>
        JSON.parse(sessionStorage.getItem('page-state') ?? 'null') ?? undefined,
      setState: (state: unknown) => sessionStorage.setItem('page-state', JSON.stringify(state)),
    }),
  });
}

export async function startLinkedPages<P extends Protocol>(
  parts: LinkParts<P>,
): Promise<LinkedPages<P>> {
  const { answers: usual, tells, ...bundle } = parts;
  const pages = await startPages({ ...bundle, script: `(${String(actAsVsCode)})()` });
  /** What a page says goes to the test that has it now. */
  const receivers = new WeakMap<Page, (message: unknown) => void>();
  let shown: LinkedPage<P>[] = [];

  const open: LinkedPages<P>['open'] = async (given = {}, options = {}) => {
    const asked: { readonly name: string; readonly params: unknown }[] = [];
    const reported: { readonly name: string; readonly payload: unknown }[] = [];
    const faults: string[] = [];
    const note = (fault: unknown): void =>
      void faults.push(fault instanceof Error ? fault.message : String(fault));
    let channel: PageChannel<P> | undefined;
    let hear: ((message: unknown) => void) | undefined;
    let answers: Handlers<P['asks']> = {
      ...usual,
      ...(typeof given === 'function' ? given(() => channel) : given),
    };

    const connect = (page: Page): void => {
      channel?.close();
      channel = openChannel<P['asks'], P['asked'], P['tells'], P['reported']>({
        port: {
          post: (message) => {
            // One that is being loaded anew hears nothing, as in VS Code.
            page.evaluate(deliver, message).catch(() => undefined);
          },
          listen: (listener) => {
            hear = listener;
            return () => (hear = undefined);
          },
        },
        handlers: Object.fromEntries(
          Object.keys(usual).map((name) => [
            name,
            (params: unknown, signal: AbortSignal) => {
              asked.push({ name, params });
              return answers[name as keyof P['asks']](params, signal);
            },
          ]),
        ) as unknown as Handlers<P['asks']>,
        listeners: Object.fromEntries(
          tells.map((name) => [name, (payload: unknown) => void reported.push({ name, payload })]),
        ) as unknown as Listeners<P['tells']>,
        check: (_kind, _name, payload) => payload,
        describeError: (error) => ({ code: 'failed', message: explain(error) }),
        onFault: note,
      });
    };

    const page = await pages.open({
      ...options,
      begin: async (made, isNew) => {
        receivers.set(made, (message) => {
          if (message === null) return;
          const frame = readFrame(message);
          if (frame?.kind === 'request' && frame.name === 'ready') connect(made);
          hear?.(message);
        });
        if (isNew) {
          await made.exposeFunction('toExtension', (message: string) =>
            receivers.get(made)?.(JSON.parse(message)),
          );
        }
        made.on('console', (said) => {
          if (said.type() === 'error') note(said.text());
        });
      },
    });
    const linked: LinkedPage<P> = {
      page,
      get channel() {
        if (channel === undefined) throw new Error('The page has not asked for anything yet.');
        return channel;
      },
      asked: (name) => asked.filter((one) => one.name === name).map(({ params }) => params),
      reported: (name) =>
        reported.filter((one) => one.name === name).map(({ payload }) => payload as never),
      answer: (others) => {
        answers = { ...answers, ...others };
      },
      state: () => page.evaluate(stateOf),
      heard: () => page.evaluate(sayNothing),
      comeBack: async () => {
        await page.evaluate(sayNothing);
        await page.reload();
      },
      noFaults: async () => {
        const inPage = await page.evaluate(() => (globalThis as unknown as InPage).faults);
        assert.deepEqual([...faults, ...inPage], []);
      },
      canBeReadByEverybody: (name) => canBeReadByEverybody(page, name),
      canBeWalkedByTab: async () => {
        assert.deepEqual(await faultsOfTab(page, page.mainFrame()), []);
      },
    };
    shown.push(linked);
    return linked;
  };

  return {
    open,
    async done() {
      const all = shown;
      shown = [];
      try {
        for (const one of all) await one.noFaults();
      } finally {
        for (const { page } of all) await pages.done(page);
      }
    },
    close: () => pages.close(),
  };
}

/** Runs in the page. */
function deliver(data: unknown): void {
  window.dispatchEvent(new MessageEvent('message', { data }));
}

/** Runs in the page: what is said is heard in its order, and this last. */
async function sayNothing(): Promise<void> {
  await new Promise(requestAnimationFrame);
  await (globalThis as unknown as InPage).toExtension('null');
}

/** Runs in the page. */
function stateOf(): unknown {
  return JSON.parse(sessionStorage.getItem('page-state') ?? 'null') as unknown;
}

/** `vscode.l10n.t` where there are no translations. */
export const inEnglish = (message: string, ...args: readonly (string | number)[]): string =>
  message.replaceAll(/\{(\d)\}/g, (_, at: string) => String(args[Number(at)]));
