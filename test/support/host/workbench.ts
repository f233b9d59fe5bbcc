/** A VS Code workbench in a page, and the steps that a person's hands would take in it. */
import fs from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Frame, FrameLocator, Locator, Page } from 'playwright-core';
import { cacheDir } from '../../../scripts/paths.mjs';
import { workbenchUrl } from '../../../scripts/vscode-server.mjs';
import { timeLimit } from '../time-limit.ts';
import type { TestHost } from './boot.ts';
import { until } from '../until.ts';

const themes = {
  dark: { name: 'Dark Modern', css: 'vs-dark', page: 'vscode-dark' },
  light: { name: 'Light Modern', css: 'vs', page: 'vscode-light' },
  'high-contrast': { name: 'Dark High Contrast', css: 'hc-black', page: 'vscode-high-contrast' },
  'high-contrast-light': {
    name: 'Light High Contrast',
    css: 'hc-light',
    page: 'vscode-high-contrast-light',
  },
} as const;
export type Theme = keyof typeof themes;

/** For what a machine that is busy with other things may take long over. */
export const patiently = { timeout: timeLimit(90_000) };

export interface Workbench {
  readonly page: Page;
  readonly host: TestHost;
}

/** Opens the host's workspace, also in another language, and waits until commands can be run. */
export async function openWorkbench(
  context: BrowserContext,
  host: TestHost,
  { language }: { readonly language?: string } = {},
): Promise<Workbench> {
  const page = await context.newPage();
  page.setDefaultTimeout(timeLimit(20_000));
  if (language !== undefined)
    await page.addInitScript((name) => {
      (globalThis as Record<string, unknown>)['_VSCODE_NLS_LANGUAGE'] = name;
    }, language);
  await page.goto(workbenchUrl(host, host.workspace), patiently);
  await isReady(page);
  return { page, host };
}

/** The activity bar shows the extension's container once the extension host has told of it. */
async function isReady(page: Page): Promise<void> {
  await viewTab(page, 'Prompt Tables').waitFor(patiently);
}

/**
 * Loads the window anew, once VS Code has stored the tabs as they are shown, and the texts that are
 * to come back: in a browser it stores what is open when it loses the focus, and forgets what is
 * newer. A tab is stored before its page has said what it shows, and is closed when it comes back
 * without that: so this is waited for as well.
 */
export async function reload({ page }: Workbench, ...texts: readonly string[]): Promise<void> {
  let missing: string | undefined;
  await until(
    () => `VS Code has stored ${missing}`,
    async () => {
      await page.evaluate(turnAwayAndBack);
      missing = await page.evaluate(notYetStored, texts);
      return missing === undefined;
    },
    { limitMs: timeLimit(60_000), everyMs: 250 },
  );
  await page.reload(patiently);
  await isReady(page);
}

/** Runs in the page. A page that is driven has the focus always, so it is told that it has lost it. */
function turnAwayAndBack(): void {
  for (const hasFocus of [false, true]) {
    document.hasFocus = () => hasFocus;
    document.dispatchEvent(new Event('visibilitychange'));
  }
  Reflect.deleteProperty(document, 'hasFocus');
}

/** Runs in the page. Strings lie in strings there, so the backslashes before quotes do not count. */
async function notYetStored(texts: readonly string[]): Promise<string | undefined> {
  interface Group {
    readonly editors: readonly { readonly value: string }[];
    /** Places among the editors, the one that is shown first. */
    readonly mru: readonly number[];
  }
  const done = <Value>(request: IDBRequest<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error(request.error?.message));
    });
  const groupsIn = (value: unknown): readonly Group[] => {
    if (typeof value !== 'object' || value === null) return [];
    if ('editors' in value && 'mru' in value) return [value as Group];
    return Object.values(value).flatMap(groupsIn);
  };
  const values: string[] = [];
  let tabs = '';
  let isBare = false;
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db')) continue;
    const database = await done(indexedDB.open(name));
    try {
      for (const storeName of database.objectStoreNames) {
        const store = database.transaction(storeName).objectStore(storeName);
        for (const value of await done(store.getAll()))
          if (typeof value === 'string') values.push(value.replaceAll('\\', ''));
        const editors: unknown = await done(store.get('memento/workbench.parts.editor'));
        if (typeof editors !== 'string') continue;
        const groups = groupsIn(JSON.parse(editors));
        isBare = groups.some((group) =>
          group.editors.some(({ value }) => {
            const tab = JSON.parse(value) as {
              readonly viewType?: string;
              readonly state?: string;
            };
            return tab.viewType !== undefined && tab.state === undefined;
          }),
        );
        tabs = groups
          .filter((group) => group.editors.length > 0)
          .map((group) => `${group.mru[0]} of ${group.editors.length}`)
          .toSorted()
          .join(', ');
      }
    } finally {
      database.close();
    }
  }
  const shown = [...document.querySelectorAll('.editor-group-container')]
    .map((group) => [...group.querySelectorAll('.tabs-container .tab')])
    .filter((group) => group.length > 0)
    .map((group) => `${group.findIndex((tab) => tab.matches('.active'))} of ${group.length}`)
    .toSorted()
    .join(', ');
  if (tabs !== shown) return `the tabs: shown ${shown || 'none'}, stored ${tabs || 'none'}`;
  if (isBare) return 'what the page of a tab shows';
  return texts.find((text) => !values.some((value) => value.includes(text)));
}

const viewTab = (page: Page, name: string): Locator =>
  page.locator('.activitybar').getByRole('tab', { name });

/** Shows a view container of the side bar; leaves it be when it is shown already. */
export async function showView({ page }: Workbench, name = 'Prompt Tables'): Promise<void> {
  const tab = viewTab(page, name);
  const isShown = async (): Promise<boolean> =>
    (await tab.getAttribute('aria-expanded')) === 'true';
  if (await isShown()) return;
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    if (!(await isShown())) await tab.click();
    // While a window is being restored the click may come after it has shown the view by itself,
    // and hide it.
    await page.waitForTimeout(500);
    if (await isShown()) return;
  }
  throw new Error(`The view ${name} was not shown after four tries.`);
}

/** A row of a tree view, by the text that a screen reader would say or a part of it. */
export const treeItem = ({ page }: Workbench, name: string | RegExp): Locator =>
  page.getByRole('treeitem', { name }).first();

export const quickInput = ({ page }: Workbench): Locator => page.locator('.quick-input-widget');

/** Runs a command by its title through the command palette. */
export async function runCommand(workbench: Workbench, title: string): Promise<void> {
  const { page } = workbench;
  const box = quickInput(workbench);
  // The one of the command before may still be closing, and would swallow the key.
  await box.waitFor({ state: 'hidden' });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await openPalette(workbench);
      const option = box.getByRole('option', { name: title }).first();
      await box.locator('input[type=text]').fill(`>${title}`, { timeout: timeLimit(1000) });
      await option.click({ timeout: timeLimit(attempt * 800) });
      return;
    } catch (error) {
      // The list is of the moment in which it opened: the editor that has the command may have come since.
      if (await box.isVisible()) await page.keyboard.press('Escape');
      if (attempt === 5) throw error;
    }
  }
}

/**
 * A key is lost while the focus is on its way between page and webview, and a palette closes when a
 * webview takes the focus late: pressed again soon, as by hand.
 */
async function openPalette(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  const box = quickInput(workbench);
  for (let attempt = 1; !(await box.isVisible()); attempt += 1) {
    if (attempt > 10) throw new Error('The command palette did not open, ten keys long.');
    if (attempt > 2) await page.evaluate(leaveWebView);
    await page.keyboard.press('F1');
    await succeeds(box.waitFor({ timeout: timeLimit(400) }));
  }
}

/** Runs in the page. A web view that is still loading has the focus and passes no key on. */
function leaveWebView(): void {
  if (document.activeElement instanceof HTMLIFrameElement) document.activeElement.blur();
}

/**
 * Runs a command that asks something, and waits until the question stays: a web view that takes the
 * focus late closes it.
 */
export async function askBy(
  workbench: Workbench,
  title: string,
  question: (box: Locator) => Locator,
): Promise<void> {
  const { page } = workbench;
  const asked = question(quickInput(workbench)).first();
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await runCommand(workbench, title);
    const isAsked = await asked.waitFor({ timeout: timeLimit(8000) }).then(
      () => true,
      () => false,
    );
    await page.waitForTimeout(500);
    if (isAsked && (await asked.isVisible())) return;
  }
  throw new Error(`What the command "${title}" asks was closed four times.`);
}

export const anOption =
  (name: string | RegExp) =>
  (box: Locator): Locator =>
    box.getByRole('option', { name });

/** Runs a command and chooses an entry of the list that it shows. */
export async function pickBy(
  workbench: Workbench,
  title: string,
  name: string | RegExp,
): Promise<void> {
  await askBy(workbench, title, anOption(name));
  await pick(workbench, name);
}

/**
 * Closes the editor that is shown, and no other: a command that a slow window takes twice would
 * close two.
 */
export async function closeEditor({ page }: Workbench): Promise<void> {
  const tabs = page.locator('.tabs-container .tab');
  const before = await tabs.count();
  const shown = page.locator('.editor-group-container.active .tab.active');
  const button = shown.getByRole('button', { name: /^Close/ });
  for (let attempt = 1; (await tabs.count()) === before; attempt += 1) {
    if (attempt > 4) throw new Error('The editor was still open after four clicks on its button.');
    await button.click();
    await page
      .waitForFunction(
        (count) => document.querySelectorAll('.tabs-container .tab').length < count,
        before,
        {
          timeout: timeLimit(3000),
        },
      )
      .catch((error: unknown) => {
        if (attempt === 4) throw error;
      });
  }
}

/** VS Code takes no click on a menu in its first 100 ms: it may be the end of the one that opened it. */
const menuIsDeafMs = 160;

/**
 * Chooses an entry of an item's context menu, and waits until it asks what it asks: a menu may close
 * by itself, as when the tree below it is drawn anew.
 */
export async function chooseInMenu(
  { page }: Workbench,
  item: Locator,
  name: string | RegExp,
  { asks = typeof name === 'string' && name.endsWith('…') } = {},
): Promise<void> {
  const entry = page.getByRole('menuitem', { name }).first();
  const question = page.locator('.quick-input-widget:visible, .monaco-dialog-box').first();
  const isTaken = (): Promise<boolean> | boolean =>
    !asks || succeeds(question.waitFor({ timeout: timeLimit(2000) }));
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    if (!(await entry.isVisible())) await item.click({ button: 'right' });
    if (!(await succeeds(entry.waitFor({ timeout: timeLimit(4000) })))) continue;
    await page.waitForTimeout(menuIsDeafMs);
    // The click before may have been taken late, and the menu be gone by now.
    const isClicked = await succeeds(entry.click({ timeout: timeLimit(1000) }));
    const isChosen = await succeeds(entry.waitFor({ state: 'hidden', timeout: timeLimit(600) }));
    // A slow window may draw the menu anew, and open.
    await page.waitForTimeout(100);
    const isOver = (isClicked || attempt > 1) && isChosen && !(await entry.isVisible());
    if (isOver && (await isTaken())) return;
  }
  throw new Error(`${String(name)} was not chosen in the menu, four clicks long.`);
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/**
 * Chooses an entry of the quick pick that is shown, and waits until the box closes or asks something
 * else: its list stays a moment longer, and would swallow the answer to the next question.
 */
export async function pick(workbench: Workbench, name: string | RegExp): Promise<void> {
  const { page } = workbench;
  const entry = quickInput(workbench).getByRole('option', { name }).first();
  await entry.waitFor();
  await untilOver(page, () => entry.click());
}

/** Does it until the question is over: a slow window can lose a click or a key. */
async function untilOver(page: Page, act: () => Promise<void>): Promise<void> {
  const before = await page.evaluate(shownQuestion);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    try {
      await act();
    } catch (error) {
      // What was lost before may have come late, between a look and this click.
      if (attempt === 1 || !(await isOver(page, before))) throw error;
    }
    if (await isOver(page, before)) return;
  }
  throw new Error('The question stayed, three clicks or keys long.');
}

/** Whether the question closes, or another one comes in its place, while it is waited for. */
async function isOver(page: Page, question: string | undefined): Promise<boolean> {
  const deadline = performance.now() + timeLimit(8000);
  while (performance.now() < deadline) {
    if ((await page.evaluate(shownQuestion)) !== question) return true;
    await page.waitForTimeout(50);
  }
  return false;
}

/** Runs in the page. What the box asks, with its entries and marks; nothing where it is closed. */
function shownQuestion(): string | undefined {
  const box = document.querySelector<HTMLElement>('.quick-input-widget');
  if (box === null || box.offsetParent === null) return undefined;
  const parts = '.quick-input-title, .quick-input-message, [role=option]';
  const words = [...box.querySelectorAll(parts)].map(
    (part) => `${part.getAttribute('aria-label') ?? part.textContent} ${part.ariaChecked}`,
  );
  const inputs = [...box.querySelectorAll('input')].map(
    (input) => `${input.placeholder} ${input.value} ${input.checked}`,
  );
  return [...words, ...inputs].join('\n');
}

/** Answers the question that is shown, with a text or as it proposes, and waits until it is over. */
export async function answer(workbench: Workbench, text?: string): Promise<void> {
  const input = questionInput(workbench);
  await input.waitFor();
  if (text !== undefined) await input.fill(text);
  // Into the box itself: a web view may have taken the focus by now, and the key with it.
  await untilOver(workbench.page, () => input.press('Enter'));
}

/** Leaves the question that is shown unanswered, and waits until it is over. */
export async function dismiss(workbench: Workbench): Promise<void> {
  // A box may have closed by itself, as when the window loses the focus.
  if ((await workbench.page.evaluate(shownQuestion)) === undefined) return;
  await untilOver(workbench.page, () => questionInput(workbench).press('Escape'));
}

const questionInput = (workbench: Workbench): Locator =>
  quickInput(workbench).locator('input[type=text], input[type=password]').first();

/**
 * Answers the question for a file: its box takes nothing before it has shown the folder, and puts
 * what it proposes over what is typed while it still reads it.
 */
export async function answerFile(workbench: Workbench, file: string): Promise<void> {
  const input = quickInput(workbench).locator('input[type=text]');
  for (let look = 0; !(await input.inputValue(patiently)).includes('/'); look += 1) {
    if (look === 300) throw new Error('The box for a file never showed a folder.');
    await workbench.page.waitForTimeout(100);
  }
  for (let attempt = 1; ; attempt += 1) {
    await input.fill(file);
    await workbench.page.waitForTimeout(300);
    if ((await input.inputValue()) === file) break;
    if (attempt === 10) throw new Error('The box for a file did not keep what was typed.');
  }
  await answer(workbench);
}

/** Presses a button of the modal dialog that is shown. */
export async function confirm({ page }: Workbench, button: string | RegExp): Promise<void> {
  await page.locator('.monaco-dialog-box').getByRole('button', { name: button }).click();
}

/** The first one: a message beside it may name the same workspace for a while. */
export const statusItem = ({ page }: Workbench, text: string | RegExp): Locator =>
  page.locator('.statusbar-item', { hasText: text }).first();

export const notification = ({ page }: Workbench, text: string | RegExp): Locator =>
  page.locator('.notification-toast', { hasText: text });

const shownWebview = 'iframe.webview.ready:visible';

/** The document inside the webview that is visible. */
export const webview = ({ page }: Workbench): FrameLocator =>
  page.locator(shownWebview).last().contentFrame().frameLocator('#active-frame');

/** The same as a frame, to evaluate code in; a frame locator cannot. */
export async function webviewFrame({ page }: Workbench): Promise<Frame> {
  const inner = page.locator(shownWebview).last().contentFrame().locator('#active-frame');
  const frame = await (await inner.elementHandle()).contentFrame();
  if (!frame) throw new Error('The webview has no document yet.');
  return frame;
}

/** Chooses a color theme as a person would: VS Code often misses a change of its settings file. */
export async function setTheme(workbench: Workbench, theme: Theme): Promise<void> {
  const { name, css, page } = themes[theme];
  const box = quickInput(workbench);
  await runCommand(workbench, 'Preferences: Color Theme');
  await box.locator('input[type=text]').fill(name);
  await box.getByRole('option', { name }).first().click();
  await workbench.page.locator(`.monaco-workbench.${css}`).first().waitFor();
  // A web view takes over the colours a moment after the window.
  if (await workbench.page.locator(shownWebview).count())
    await webview(workbench).locator(`body.${page}`).waitFor();
}

/**
 * A picture for whoever looks at what was changed: only where single files are run, since in a whole
 * run nobody looks at hundreds of them, and each costs about as much as a step of a test.
 */
export const screenshot = ({ page }: Workbench, name: string): Promise<void> => picture(page, name);

/** The same of a page that is alone. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['PROMPT_TABLES_TEST_PICTURES'] !== undefined) await keepPicture(page, name);
}

/** Keeps a picture of the page below .cache/screenshots and tells where. */
export async function keepPicture(page: Page, name: string): Promise<string> {
  const file = path.join(cacheDir, 'screenshots', `${name}.png`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  await page.screenshot({ path: file });
  return file;
}

/** The texts of what opens over the editors, and of the status bar, a line each. */
export async function visibleParts({ page }: Workbench): Promise<string> {
  const parts = ['.quick-input-widget', '.monaco-dialog-box', '.notification-toast', '.statusbar'];
  const texts = parts.map(async (part) => {
    const all = await page.locator(`${part}:visible`).allInnerTexts();
    return `    ${part}: ${all.join(' | ').replace(/\s+/g, ' ')}`;
  });
  return (await Promise.all(texts)).join('\n');
}
