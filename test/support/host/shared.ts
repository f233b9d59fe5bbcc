/**
 * A browser, a server and a window for the suites of a process: a fresh one for each that asks for
 * it, so that none meets what another left behind, or the one of the suite before, tidied up. Loaded
 * with mocha's --require: everything is closed after the last one.
 */
import type { Context } from 'mocha';
import { inRoot } from '../../../scripts/paths.mjs';
import type { HostName } from '../../../scripts/vscode-host.mjs';
import { bootHost, type BootOptions, type TestHost } from './boot.ts';
import { keepSecrets, ownBrowser, type PrivateContext } from './browser.ts';
import { tidyUp } from './tidy-up.ts';
import { keepPicture, openWorkbench, visibleParts, type Workbench } from './workbench.ts';

let host: TestHost | undefined;
let own: Awaited<ReturnType<typeof ownBrowser>> | undefined;
let shown: Workbench | undefined;
/** As what the window may go on to the next suite: its own has said so, and has only seen passes. */
let sharedAs: string | undefined;
let hasPassed = false;
let hasFailed = false;
const endings: (() => Promise<void>)[] = [];

/** A window as a user would have it: no test driver; the .vsix of this run when there is one. */
export async function freshWorkbench(
  options: BootOptions = {},
): Promise<PrivateContext & Workbench> {
  await closeWindow();
  host = await bootHost({
    ...options,
    host: (process.env['PROMPT_TABLES_HOST'] ?? 'latest') as HostName,
    vsix: process.env['PROMPT_TABLES_VSIX'],
  });
  own = await ownBrowser();
  await keepSecrets(own.context);
  shown = await openWorkbench(own.context, host);
  return { ...own, ...shown };
}

/** Of the windows that suites share: what one of them is about, and none of the others meets. */
const settingsOfShared = {
  // Providers that are silent, and prompts that stay in memory.
  'promptTables.run.providerTimeoutSeconds': 10,
  'promptTables.prompts.cacheSeconds': 10,
  // Cells that have cost something.
  'promptTables.run.budgetUsd': 0.0001,
  // Columns that judge, and from which number on.
  'promptTables.evaluations.scoreColumns': ['Length'],
  'promptTables.evaluations.threshold': 5,
};

/**
 * The window of the suite before, where that has shared it too and all of its tests have passed; a
 * fresh one otherwise. Opening one costs as much as a small suite. For suites that leave nothing
 * behind but what `tidyUp` puts away, and that pass alone as well.
 */
export const sharedWorkbench = (): Promise<PrivateContext & Workbench> =>
  workbenchSharedAs('usual', { settings: settingsOfShared, extensions: [modelMaker] });

/** Contributes language models that answer from this machine. */
const modelMaker = inRoot('test', 'support', 'host', 'model-maker');

/** The same among suites that need another kind of window, which is always opened as `options` say. */
export async function workbenchSharedAs(
  kind: string,
  options: BootOptions,
): Promise<PrivateContext & Workbench> {
  const isSound = sharedAs === kind && hasPassed && !hasFailed;
  const shared =
    isSound && own !== undefined && shown !== undefined
      ? { ...own, ...shown }
      : await freshWorkbench(options);
  [sharedAs, hasPassed, hasFailed] = [kind, false, false];
  if (isSound) await tidyUp(shared);
  return shared;
}

export const mochaHooks = {
  /** A test that is tried again does not begin below the menu or the question of its first try. */
  async beforeEach(this: Context): Promise<void> {
    const { currentTest } = this as unknown as {
      readonly currentTest?: { currentRetry?: () => number };
    };
    if (shown === undefined || (currentTest?.currentRetry?.() ?? 0) === 0) return;
    for (let at = 0; at < 3; at += 1) await shown.page.keyboard.press('Escape');
  },

  /** What was on screen when a test failed: on another machine nobody could look. */
  async afterEach(this: Context): Promise<void> {
    const { currentTest } = this;
    if (currentTest?.state === 'passed') hasPassed = true;
    if (currentTest?.state !== 'failed') return;
    hasFailed = true;
    if (shown === undefined) return;
    const name = `failed ${currentTest.fullTitle()}`.replace(/[^a-z0-9]+/gi, '-').slice(0, 120);
    console.log(`  on screen (${await keepPicture(shown.page, name)}):`);
    console.log(await visibleParts(shown));
  },
};

/** In this order: the service ends when no window holds it, and the server ends the service. */
async function closeWindow(): Promise<void> {
  await own?.close();
  sharedAs = undefined;
  own = undefined;
  shown = undefined;
  await host?.stop();
  host = undefined;
}

export async function mochaGlobalTeardown(): Promise<void> {
  await closeWindow();
  for (const end of endings.splice(0)) await end();
}

/** Done after the last suite of the process, when its window is closed. */
export function atTheEnd(end: () => Promise<void>): void {
  endings.push(end);
}
