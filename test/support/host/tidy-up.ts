/** The state in which every test finds the window, whatever the one before has left, passed or not. */
import type { Page } from 'playwright-core';
import { timeLimit } from '../time-limit.ts';
import {
  dismiss,
  quickInput,
  runCommand,
  setTheme,
  showView,
  type Workbench,
} from './workbench.ts';

/** No question, no editor, no notification, no panel; the tables and prompts in the side bar, in the dark theme. */
export async function tidyUp(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  const open = page.locator('.monaco-dialog-box, .context-view .monaco-menu').first();
  if (await open.isVisible()) {
    await page.keyboard.press('Escape');
    await open.waitFor({ state: 'hidden' });
  }
  await closeModalEditor(workbench);
  await closeEditors(workbench);
  if (await page.locator('.part.panel').isVisible())
    await runCommand(workbench, 'View: Hide Panel');
  if (await page.locator('.notification-toast').count())
    await runCommand(workbench, 'Notifications: Clear All Notifications');
  await showView(workbench);
  for (const name of ['Tables', 'Prompts']) {
    const header = page
      .locator('.pane-header')
      .filter({ has: page.getByText(name, { exact: true }) });
    const isFolded =
      (await header.count()) > 0 && (await header.getAttribute('aria-expanded')) === 'false';
    if (isFolded) await header.click();
  }
  if (!(await page.locator('.monaco-workbench.vs-dark').count())) await setTheme(workbench, 'dark');
}

/** Of the test before, which may have ended in the middle of a question or of typing. */
export async function closeEditors(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  const tabs = page.locator('.tabs-container .tab');
  if (await quickInput(workbench).isVisible()) await dismiss(workbench);
  // About what is not saved, and about merges that are not finished.
  const leave = page
    .locator('.monaco-dialog-box')
    .getByRole('button', { name: /^(Don't Save|Close with Conflicts)$/ });
  // A tab of the test before may come late, behind the command that closes all.
  for (let attempt = 1; (await tabs.count()) > 0; attempt += 1) {
    if (attempt > 5) throw new Error('Editors were still open after they were closed five times.');
    await runCommand(workbench, 'View: Close All Editors');
    while (await isSettled(page)) {
      if ((await tabs.count()) === 0) return;
      await leave.first().click();
      await page.locator('.monaco-dialog-box').waitFor({ state: 'hidden' });
    }
  }
}

const isSettled = (page: Page): Promise<boolean> =>
  page.waitForFunction(isOverOrAsked, undefined, { timeout: timeLimit(2000) }).then(
    () => true,
    () => false,
  );

/** Runs in the page. */
function isOverOrAsked(): boolean {
  return (
    document.querySelector('.monaco-dialog-box') !== null ||
    document.querySelector('.tabs-container .tab') === null
  );
}

/** Such as that about trust, which lies above everything else. */
export async function closeModalEditor({ page }: Workbench): Promise<void> {
  const close = page.locator('.modal-editor-header').getByRole('button', { name: /^Close/ });
  if (!(await close.isVisible())) return;
  await close.click();
  await close.waitFor({ state: 'hidden' });
}
