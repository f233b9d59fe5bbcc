/**
 * Takes the pictures of the documentation from the running product: main.ts [name ...]. Each scene in
 * three themes and two widths, into media/pictures; "walkthrough" and "film" are those of the
 * walkthrough and the moving one of the README.
 */
import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from '../../scripts/paths.mjs';
import { runScript, say } from '../../scripts/say.mjs';
import { launchBrowser, newContext } from '../support/host/browser.ts';
import {
  openWorkbench,
  runCommand,
  keepPicture,
  setTheme,
  type Theme,
  type Workbench,
} from '../support/host/workbench.ts';
import { startDemo } from './demo.ts';
import { takeFilm } from './film.ts';
import { scenes, showSections, type Scene, type Stage } from './scenes.ts';
import { small } from './small.ts';
import { takeWalkthrough } from './walkthrough.ts';

const themes: readonly Theme[] = ['dark', 'light', 'high-contrast'];
const widths = { wide: { width: 1280, height: 800 }, narrow: { width: 760, height: 800 } } as const;
const folder = inRoot('media', 'pictures');

function tell(file: string): void {
  say(`${path.relative(inRoot(), file)} (${(fs.statSync(file).size / 1024).toFixed(0)} KB)`);
}

async function takeScene(name: string, scene: Scene, stage: Stage): Promise<void> {
  const { workbench } = stage;
  const { page } = workbench;
  await showSections(workbench, 'Tables', 'Prompts');
  // A run whose tab was closed goes on in a notification, for as long as it takes.
  const running = page.locator('.notification-toast', { hasText: /^Running/ }).first();
  await running.waitFor({ state: 'hidden', timeout: 90_000 });
  await runCommand(workbench, 'Notifications: Clear All Notifications');
  const subject = await scene(stage);
  for (const theme of themes) {
    await setTheme(workbench, theme);
    await subject.waitFor({ timeout: 90_000 });
    for (const [width, size] of Object.entries(widths)) {
      await page.setViewportSize(size);
      // The colours of a theme reach a web view a moment after the window.
      await page.waitForTimeout(2500);
      const file = path.join(folder, `${name}-${theme}-${width}.png`);
      fs.writeFileSync(file, small(await page.screenshot()));
      tell(file);
    }
  }
  await page.setViewportSize(widths.wide);
  await setTheme(workbench, 'dark');
  const stop = page.locator('.editor-actions').getByRole('button', { name: /^Stop/ }).first();
  if (await stop.isVisible()) await stop.click();
  await runCommand(workbench, 'View: Close All Editors');
  if (await page.locator('.part.panel').isVisible())
    await runCommand(workbench, 'View: Hide Panel');
}

const works: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  ...Object.fromEntries(
    Object.entries(scenes).map(([name, scene]) => [
      name,
      (stage: Stage) => takeScene(name, scene, stage),
    ]),
  ),
  film: async ({ workbench }) => tell(await takeFilm(workbench)),
  walkthrough: async (stage) => {
    for (const file of await takeWalkthrough(stage)) tell(file);
  },
};

await runScript(async () => {
  const chosen = process.argv.slice(2);
  const unknown = chosen.find((name) => !Object.hasOwn(works, name));
  if (unknown !== undefined) {
    say(`There is no picture "${unknown}": choose among ${Object.keys(works).join(', ')}.`);
    return 2;
  }
  fs.mkdirSync(folder, { recursive: true });
  const demo = await startDemo();
  const browser = await launchBrowser();
  let workbench: Workbench | undefined;
  try {
    const { context } = await newContext(browser);
    workbench = await openWorkbench(context, demo.host);
    await demo.connect(workbench);
    for (const [name, work] of Object.entries(works)) {
      if (chosen.length === 0 || chosen.includes(name)) await work({ ...demo, workbench });
    }
  } catch (error) {
    if (workbench !== undefined) say(await keepPicture(workbench.page, 'failed-picture'));
    throw error;
  } finally {
    await browser.close();
    await demo.stop();
  }
  return 0;
});
