import { patiently, runCommand, showView, type Workbench } from './workbench.ts';

/** Trusts the folder of a window that asks for that, or takes its trust back, as its user would. */
export async function trustFolder(workbench: Workbench, wanted: boolean): Promise<void> {
  const { page } = workbench;
  const restricted = page.locator('.statusbar').getByText('Restricted Mode');
  if ((await restricted.isVisible()) === !wanted) return;
  await runCommand(workbench, 'Workspaces: Manage Workspace Trust');
  const name = wanted ? 'Trust' : "Don't Trust";
  await page.getByRole('button', { name, exact: true }).first().click();
  await restricted.waitFor({ state: wanted ? 'detached' : 'visible', ...patiently });
  // Its editor lies above everything else.
  const close = page.locator('.modal-editor-header').getByRole('button', { name: /^Close/ });
  await close.click();
  await close.waitFor({ state: 'hidden' });
  await showView(workbench);
}
