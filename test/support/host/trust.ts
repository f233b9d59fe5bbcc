import { closeModalEditor } from './tidy-up.ts';
import { patiently, runCommand, showView, type Workbench } from './workbench.ts';

/** Trusts the folder of a window that asks for that, or takes its trust back, as its user would. */
export async function trustFolder(workbench: Workbench, wanted: boolean): Promise<void> {
  const { page } = workbench;
  const restricted = page.locator('.statusbar').getByText('Restricted Mode');
  if ((await restricted.isVisible()) === !wanted) return;
  await runCommand(workbench, 'Workspaces: Manage Workspace Trust');
  if (wanted) await page.getByRole('button', { name: 'Trust', exact: true }).first().click();
  else {
    // Below what it says, in the list of trusted folders.
    const entry = page.locator('.workspace-trust-editor .monaco-list-row').first();
    await entry.hover();
    await entry.getByRole('button', { name: 'Delete Path' }).click();
  }
  await restricted.waitFor({ state: wanted ? 'detached' : 'visible', ...patiently });
  await closeModalEditor(workbench);
  await showView(workbench);
}
