/** What the walkthrough shows beside its steps: once for each theme that it can be read in. */
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { inRoot } from '../../scripts/paths.mjs';
import { openSample } from '../support/host/run-steps.ts';
import {
  confirm,
  patiently,
  pick,
  pickBy,
  quickInput,
  runCommand,
  setTheme,
  statusItem,
  treeItem,
  webview,
  type Theme,
  type Workbench,
} from '../support/host/workbench.ts';
import { demoReply } from '../support/demo-prompts.ts';
import { demoCell } from '../support/demo-sheet.ts';
import { openCode, openQuestions, quickly, showSections, type Stage } from './scenes.ts';
import { small } from './small.ts';

/** As a manifest calls the themes. */
const themes: Readonly<Record<Theme, string>> = {
  dark: 'dark',
  light: 'light',
  'high-contrast': 'hc',
  'high-contrast-light': 'hcLight',
};

const folder = inRoot('media', 'walkthrough');

/** Every user downloads these twenty: text and icons look the same, and take two thirds. */
const colors = 24;

/** Takes one picture; begins and ends in a window with the side bar and no editor. */
type Step = (stage: Stage, take: () => Promise<void>) => Promise<void>;

/** Commands that open something may have shown it already. */
async function setSideBar(workbench: Workbench, isShown: boolean): Promise<void> {
  if ((await workbench.page.locator('.part.sidebar').isVisible()) === isShown) return;
  await runCommand(workbench, 'View: Toggle Primary Side Bar Visibility');
}

/** With the whole width for the grid. */
async function inGrid(
  workbench: Workbench,
  open: () => Promise<unknown>,
  work: () => Promise<void>,
): Promise<void> {
  await open();
  await setSideBar(workbench, false);
  await work();
  await setSideBar(workbench, true);
  await runCommand(workbench, 'View: Close All Editors');
}

const stateOf = (workbench: Workbench, word: string): Locator =>
  webview(workbench).locator('.rows [role=gridcell]').getByText(word, { exact: true });

async function cancelRun(workbench: Workbench): Promise<void> {
  await runCommand(workbench, 'Prompt Tables: Cancel Sheet Operations');
  await webview(workbench).locator('.progress-text').first().waitFor({ state: 'hidden' });
}

const codeStep: Step = async ({ workbench }, take) => {
  try {
    await openCode(workbench);
    await setSideBar(workbench, false);
    await take();
  } finally {
    await runCommand(workbench, 'View: Close All Editors');
    await setSideBar(workbench, true);
  }
};

/** The later ones work in the workspace that an earlier one has chosen. */
const steps: Readonly<Record<string, Step>> = {
  async connect({ workbench }, take) {
    await runCommand(workbench, 'Prompt Tables: Switch Workspace…');
    await quickInput(workbench).getByRole('option', { name: /^Acme/ }).waitFor();
    await take();
    await pick(workbench, /^Acme/);
    await statusItem(workbench, 'Acme').waitFor();
  },
  async run({ workbench, model }, take) {
    await inGrid(
      workbench,
      () => openQuestions(workbench),
      async () => {
        // So slow that cells of each state are on screen at one time.
        model.say(demoReply, {
          ...quickly,
          whole: (body) => ({ ...demoCell(body), waitMs: 500 + 3 * demoCell(body).waitMs }),
        });
        await pickBy(workbench, 'Prompt Tables: Go to Column…', /^Answer/);
        await runCommand(workbench, 'Prompt Tables: Run Column');
        await confirm(workbench, /^Run/);
        await webview(workbench)
          .getByText(/^[3-7] of 48 cells/)
          .first()
          .waitFor(patiently);
        await take();
        await cancelRun(workbench);
        model.say(demoReply, quickly);
      },
    );
  },
  code: codeStep,
  async sheet({ workbench }, take) {
    await inGrid(
      workbench,
      () => openSample(workbench),
      async () => {
        if (await stateOf(workbench, 'Not run').first().isVisible()) {
          await runCommand(workbench, 'Prompt Tables: Run Stale Cells');
          await confirm(workbench, /^Run [\d,]+ cells/);
          await stateOf(workbench, 'Completed').nth(10).waitFor(patiently);
          await cancelRun(workbench);
          // Opened anew without the note that it was cancelled.
          await runCommand(workbench, 'View: Close All Editors');
          await openSample(workbench);
          await setSideBar(workbench, false);
        }
        await stateOf(workbench, 'Completed').first().waitFor(patiently);
        await workbench.page.locator('.notification-toast').first().waitFor({ state: 'hidden' });
        await take();
      },
    );
  },
  async import({ workbench }, take) {
    const { page } = workbench;
    const table = treeItem(workbench, /Table Word definitions/);
    if ((await table.getAttribute('aria-expanded')) !== 'true') await table.click();
    await treeItem(workbench, /Sheet WordNet senses/).waitFor(patiently);
    const dataTransfer = await page.evaluateHandle(() => {
      const made = new DataTransfer();
      made.items.add(new File(['city\nOslo\n'], 'cities.csv', { type: 'text/csv' }));
      return made;
    });
    for (const event of ['dragenter', 'dragover'])
      await table.dispatchEvent(event, { dataTransfer });
    await take();
    await table.dispatchEvent('dragleave', { dataTransfer });
  },
};

/** Takes all of them; the paths of the files. */
export async function takeWalkthrough(stage: Stage): Promise<readonly string[]> {
  const { workbench } = stage;
  const { page } = workbench;
  const before = page.viewportSize();
  const files: string[] = [];
  fs.mkdirSync(folder, { recursive: true });
  await page.setViewportSize({ width: 760, height: 480 });
  await showSections(workbench, 'Tables');
  for (const theme of Object.keys(themes) as Theme[]) {
    await setTheme(workbench, theme);
    for (const [name, step] of Object.entries(steps)) {
      await step(stage, async () => {
        // Such as that of VS Code, whose TypeScript server isn't in the server that tests install.
        await runCommand(workbench, 'Notifications: Clear All Notifications');
        const file = path.join(folder, `${name}-${themes[theme]}.png`);
        fs.writeFileSync(file, small(await page.screenshot(), colors));
        files.push(file);
      });
    }
  }
  if (before !== null) await page.setViewportSize(before);
  await setTheme(workbench, 'dark');
  return files;
}
