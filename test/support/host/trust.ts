import { closeModalEditor } from './tidy-up.ts';
import { patiently, runCommand, showView, type Workbench } from './workbench.ts';

/** Trusts the folder of a window that asks for that, or takes its trust back, as its user would. */
export async function trustFolder(workbench: Workbench, wanted: boolean): Promise<void> {
  const { page } = workbench;
  const restricted = page.locator('.statusbar').getByText('Restricted Mode');
  if (!wanted && (await restricted.isVisible())) return;
  await runCommand(workbench, 'Workspaces: Manage Workspace Trust');
  // What the status bar says may come late.
  const isTrusted = page.getByText('You trust this folder');
  const isRestricted = page.getByText('You are in Restricted Mode');
  await isTrusted.or(isRestricted).first().waitFor(patiently);
  if ((await isTrusted.isVisible()) !== wanted) {
    if (wanted) await page.getByRole('button', { name: 'Trust', exact: true }).first().click();
    else {
      // Below what it says, in the list of trusted folders.
      const entry = page.locator('.workspace-trust-editor .monaco-list-row').first();
      await entry.hover();
      await entry.getByRole('button', { name: 'Delete Path' }).click();
    }
  }
  await (wanted ? isTrusted : isRestricted).waitFor(patiently);
  await restricted.waitFor({ state: wanted ? 'detached' : 'visible', ...patiently });
  await closeModalEditor(workbench);
  await showView(workbench);
}
