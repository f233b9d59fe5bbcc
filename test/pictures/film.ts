/** The moving picture of the README: the sample is opened, its cells run, and are cancelled. */
import fs from 'node:fs';
import type { Locator } from 'playwright-core';
import UPNG from 'upng-js';
import { inRoot } from '../../scripts/paths.mjs';
import {
  patiently,
  pickBy,
  quickInput,
  runCommand,
  treeItem,
  webview,
  type Workbench,
} from '../support/host/workbench.ts';
import { showSections } from './scenes.ts';

const size = { width: 900, height: 560 };
const file = inRoot('media', 'readme', 'run-cells.png');
/** Fewer than in a picture that stands still: all frames share them, and no shade is looked at for long. */
const paletteSize = 160;

/** An animated PNG of what the window shows; a frame holds until the next one. */
class Film {
  readonly #workbench: Workbench;
  readonly #frames: ArrayBuffer[] = [];
  readonly #holds: number[] = [];

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** Takes a frame that is shown for so many milliseconds. */
  async take(holdMs: number): Promise<void> {
    const png = await this.#workbench.page.screenshot();
    const [rgba] = UPNG.toRGBA8(UPNG.decode(new Uint8Array(png).buffer));
    if (rgba === undefined) throw new Error('The screenshot has no picture.');
    this.#frames.push(rgba);
    this.#holds.push(holdMs);
  }

  bytes(): Buffer {
    const { width, height } = size;
    return Buffer.from(UPNG.encode(this.#frames, width, height, paletteSize, this.#holds));
  }
}

/** A screenshot has no pointer: one is drawn where a click is about to be. */
async function clickSeen(workbench: Workbench, film: Film, target: Locator): Promise<void> {
  const box = await target.boundingBox();
  if (box === null) throw new Error('What is to be clicked is not shown.');
  await target.hover();
  await workbench.page.evaluate(
    ({ x, y }) => {
      const arrow = document.createElement('div');
      arrow.id = 'film-pointer';
      arrow.style.cssText = `position:fixed;z-index:99999;pointer-events:none;left:${String(x)}px;top:${String(y)}px;width:18px;height:26px;background:#fff;filter:drop-shadow(0 0 1px #000);clip-path:polygon(0 0,0 80%,25% 62%,42% 100%,60% 93%,45% 57%,78% 57%)`;
      document.body.append(arrow);
    },
    { x: box.x + box.width / 2, y: box.y + box.height / 2 },
  );
  await film.take(700);
  await workbench.page.evaluate(() => document.querySelector('#film-pointer')?.remove());
  await target.click();
}

/** Takes it; the path of the file. */
export async function takeFilm(workbench: Workbench): Promise<string> {
  const { page } = workbench;
  const view = webview(workbench);
  const film = new Film(workbench);
  await page.setViewportSize(size);
  await showSections(workbench, 'Tables');

  await page.keyboard.press('F1');
  const box = quickInput(workbench);
  await box.locator('input[type=text]').fill('>Prompt Tables: Open Sample');
  const command = box.getByRole('option', { name: /Open Sample Sheet/ }).first();
  await command.waitFor();
  await film.take(800);
  await command.click();
  await view.getByRole('gridcell', { name: 'abandon' }).first().waitFor(patiently);
  const table = treeItem(workbench, /Table Word definitions/);
  if ((await table.getAttribute('aria-expanded')) !== 'true') await table.click();
  const sheet = treeItem(workbench, /Sheet WordNet senses/);
  await sheet.waitFor(patiently);
  await film.take(900);
  await sheet.locator('.monaco-tl-twistie').click();
  await pickBy(workbench, 'Prompt Tables: Go to Column…', /^circular/);
  await view.getByRole('columnheader', { name: /^circular/ }).waitFor();
  await treeItem(workbench, /Active operations/).waitFor(patiently);
  await treeItem(workbench, /Active operations/)
    .locator('.monaco-tl-twistie')
    .click();
  await page.waitForTimeout(1000);
  await film.take(900);

  await clickSeen(workbench, film, view.getByRole('button', { name: /^Run/ }).first());
  const entry = view.getByRole('menuitem', { name: /Run all stale cells/ });
  await clickSeen(workbench, film, entry);
  const start = page
    .locator('.monaco-dialog-box')
    .getByRole('button', { name: /^Run [\d,]+ cells/ });
  await clickSeen(workbench, film, start);
  await view
    .getByText(/of [\d,]+ cells/)
    .first()
    .waitFor(patiently);
  await film.take(300);
  await view.getByText('Completed').first().waitFor(patiently);
  for (let at = 0; at < 12; at += 1) {
    await film.take(220);
    await page.waitForTimeout(60);
  }
  await clickSeen(workbench, film, view.getByRole('button', { name: /^Cancel/ }).first());
  await view.locator('.progress-text').first().waitFor({ state: 'hidden' });
  await page.waitForTimeout(700);
  await film.take(1600);

  fs.writeFileSync(file, film.bytes());
  await runCommand(workbench, 'View: Close All Editors');
  return file;
}
